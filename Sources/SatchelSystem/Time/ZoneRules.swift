/// How far the clocks of a place are ahead of UTC, and when.
///
/// It takes the place of `localtime_r`, whose lock a forked child may find held for ever. Nothing here locks, and once it has been
/// made, nothing allocates.
package struct ZoneRules: Sendable {
  /// When the clocks were changed, in seconds since 1970, ascending.
  let changes: [Int64]
  /// Seconds east of UTC, less than a day, from each of them on.
  let offsets: [Int32]
  /// Before the first one.
  let first: Int
  /// After the last one.
  package let rule: PosixZone

  package static let utc = ZoneRules(PosixZone(offset: 0))

  /// Rules that always held.
  package init(_ rule: PosixZone) {
    self.init(changes: [], offsets: [], first: rule.standard, rule: rule)
  }

  init(changes: [Int64], offsets: [Int32], first: Int, rule: PosixZone) {
    self.changes = changes
    self.offsets = offsets
    self.first = first
    self.rule = rule
  }

  /// For how long an offset holds. Callers keep the last one: nearly always the next instant lies in it too.
  package struct Span: Sendable, Equatable {
    /// Seconds since 1970; `Int64.min` without a beginning.
    package fileprivate(set) var from: Int64
    /// The first second after it; `Int64.max` without an end.
    package fileprivate(set) var until: Int64
    /// Seconds east of UTC.
    package fileprivate(set) var offset: Int

    static func always(_ offset: Int) -> Span { Span(from: .min, until: .max, offset: offset) }

    package func contains(_ second: Int64) -> Bool { from <= second && second < until }

    /// Ends at a change after `second`, or begins with one that is not after it.
    mutating func narrow(around second: Int64, at change: Int64, to offset: Int) {
      if change > second {
        until = min(until, change)
      } else if change >= from {
        from = change
        self.offset = offset
      }
    }
  }

  /// What holds at an instant. O(log n).
  package func span(at second: Int64) -> Span {
    let following = countOfChanges(notAfter: second)
    let from = following > 0 ? changes[following - 1] : .min
    guard following == changes.count else {
      let offset = following > 0 ? Int(offsets[following - 1]) : first
      return Span(from: from, until: changes[following], offset: offset)
    }
    var span = rule.span(at: second)
    span.from = max(span.from, from)
    return span
  }

  package func offset(at second: Int64) -> Int { span(at: second).offset }

  private func countOfChanges(notAfter second: Int64) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
