import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// Severities set from outside, for all processes at once, while they run: each call of a logger reads them where they are set.
extension LogDirectory {
  /// `nil` for a mask takes back what was set. `category` empty: the whole log, with all categories. `duration` in nanoseconds;
  /// nil: until it is taken back.
  package func setLevel(_ mask: SeverityMask?, category: String, for duration: Int64?) throws(SatchelError) {
    let end = duration.map { scs_now_ns().addingReportingOverflow($0) }.map {
      $0.overflow ? Int64.max : $0.partialValue
    }
    try withTable { () throws(SatchelError) in
      if category.isEmpty {
        for row in 0..<ControlLayout.categoryRows { control.setOverride(row, mask, until: end) }
        return
      }
      let row = control.category(named: Array(category.utf8))
      guard row > 0 else {
        throw SatchelError(
          .range,
          "a category set from outside has a name of 1 to \(ControlLayout.categoryNameLimit) bytes, and is among the "
            + "first \(ControlLayout.categoryRows - 1) of its log", key: category)
      }
      control.setOverride(row, mask, until: end)
    }
    // The leader sees to its end.
    control.wakeLeader(urgently: true)
  }

  /// What is set from outside at the moment: the log as a whole has the name "".
  package var levels: [(category: String, mask: SeverityMask, until: Int64?)] {
    control.endOverrides(now: scs_now_ns())
    return (0..<ControlLayout.categoryRows).compactMap { row in
      let name = String(decoding: control.categoryName(row), as: UTF8.self)
      guard row == 0 || !name.isEmpty, let (mask, end) = control.overriding(row) else { return nil }
      return (name, mask, end)
    }
  }

  /// The table of categories is changed by one thread at a time.
  private func withTable(_ body: () throws(SatchelError) -> Void) throws(SatchelError) {
    guard try holding(LockByte.making, waits: true, body) != nil else {
      throw SatchelError(errno: errno, "cannot lock", path: String(cString: lockPath))
    }
  }
}

extension Control {
  private static let isSet: UInt32 = 1 << 31

  fileprivate func setOverride(_ row: Int, _ mask: SeverityMask?, until end: Int64?) {
    expiry(row).pointee.store(UInt64(bitPattern: mask == nil ? 0 : end ?? 0), ordering: .relaxed)
    override(row).pointee.store(mask.map { $0.rawValue | Control.isSet } ?? 0, ordering: .releasing)
  }

  fileprivate func overriding(_ row: Int) -> (SeverityMask, until: Int64?)? {
    let bits = override(row).pointee.load(ordering: .acquiring)
    guard bits != 0 else { return nil }
    let end = Int64(bitPattern: expiry(row).pointee.load(ordering: .relaxed))
    return (SeverityMask(rawValue: bits & ~Control.isSet), end == 0 ? nil : end)
  }

  /// Takes back what has ended.
  func endOverrides(now: Int64) {
    for row in 0..<ControlLayout.categoryRows {
      guard let (_, end) = overriding(row), let end, end <= now else { continue }
      setOverride(row, nil, until: nil)
    }
  }

  /// When the next one ends; nil: none does.
  var nextEndOfOverride: Int64? {
    (0..<ControlLayout.categoryRows).compactMap { overriding($0)?.until }.min()
  }
}
