/// What a line begins with, wherever in the record it stands.
struct RecordOutline {
  // Each is empty where there is none.

  /// Without its folders.
  private(set) var file = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var function = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var category: UnsafeRawBufferPointer
  private(set) var hasFields = false

  /// `category` is what the table of the log has for the record.
  @inline(__always)
  init(_ record: RecordReader, category: UnsafeRawBufferPointer) {
    self.category = category
    var parts = record.parts
    while let part = parts.next() {
      switch part {
      case .file(let path): file = RecordOutline.baseName(path)
      case .function(let name): function = name
      case .category(let name): self.category = name
      case .field: hasFields = true
      default: break
      }
    }
  }

  private static func baseName(_ path: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return UnsafeRawBufferPointer(rebasing: path[(slash + 1)...])
  }
}
