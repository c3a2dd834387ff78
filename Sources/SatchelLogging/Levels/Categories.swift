import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// The table of a log's categories, in the control file: names, and the severities that are enabled from outside. Row 0 is the
/// log as a whole. A name never leaves its row, so that a record may say it by number.
extension Control {
  private enum Row {
    /// The length of the name, stored last.
    static let length = 4
    /// When the override ends, in nanoseconds since 1970; 0: never.
    static let expiry = 8
    static let name = 16
  }

  private func row(_ category: Int) -> UnsafeMutableRawPointer {
    start + ControlLayout.categories + category * ControlLayout.categorySize
  }
  /// A mask with bit 31, or 0.
  func override(_ category: Int) -> HalfWord { half(ControlLayout.masks + category * 4) }
  func expiry(_ category: Int) -> Word { UnsafeRawPointer(row(category)).word(at: Row.expiry) }

  func categoryName(_ category: Int) -> UnsafeRawBufferPointer {
    guard category > 0, category < ControlLayout.categoryRows else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let length = UnsafeRawPointer(row(category)).halfWord(at: Row.length).pointee.load(ordering: .acquiring)
    return UnsafeRawBufferPointer(
      start: row(category) + Row.name, count: min(Int(length), ControlLayout.categoryNameLimit))
  }

  /// The row of that name, a new one where there is none; 0 where the table is full or the name too long. `locked` is held by one
  /// process at a time.
  func category(named name: [UInt8]) -> Int {
    guard !name.isEmpty, name.count <= ControlLayout.categoryNameLimit else { return 0 }
    for category in 1..<ControlLayout.categoryRows {
      let known = categoryName(category)
      if known.isEmpty {
        let place = row(category)
        name.withUnsafeBytes { _ = memcpy(place + Row.name, $0.baseAddress.unsafelyUnwrapped, $0.count) }
        override(category).pointee.store(override(0).pointee.load(ordering: .relaxed), ordering: .relaxed)
        expiry(category).pointee.store(expiry(0).pointee.load(ordering: .relaxed), ordering: .relaxed)
        UnsafeRawPointer(place).halfWord(at: Row.length).pointee.store(UInt32(name.count), ordering: .releasing)
        return category
      }
      if known.elementsEqual(name) { return category }
    }
    return 0
  }
}
