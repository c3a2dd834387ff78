extension ZoneRules {
  /// The bytes of a compiled zone (RFC 9636), of any version. nil for what is none, or damaged; a rule that cannot be read is passed
  /// over, as the specification has it for those of versions to come.
  ///
  /// Leap seconds are not counted: the clock of the machine does not know them.
  package init?(tzif bytes: UnsafeRawBufferPointer) {
    guard var block = TZifBlock(bytes, at: 0, timeSize: 4) else { return nil }
    var rule: PosixZone?
    if block.version > 0 {
      // The second one says the same in full.
      guard let second = TZifBlock(bytes, at: block.end, timeSize: 8) else { return nil }
      block = second
      rule = PosixZone(tzifFooter: bytes[block.end...])
    }
    guard let changes = block.changes(bytes), let types = block.types(bytes), let offsets = block.offsets(bytes, types)
    else { return nil }
    let first = Int(types[0])
    self.init(
      changes: changes, offsets: offsets, first: first,
      rule: rule ?? PosixZone(offset: offsets.last.map(Int.init) ?? first))
  }
}

extension PosixZone {
  /// A line between two line ends; nil where it is empty.
  fileprivate init?(tzifFooter bytes: Slice<UnsafeRawBufferPointer>) {
    guard bytes.first == UInt8(ascii: "\n") else { return nil }
    let line = bytes.dropFirst().prefix { $0 != UInt8(ascii: "\n") }
    guard !line.isEmpty, line.count <= PosixZone.longestText, line.endIndex < bytes.endIndex else { return nil }
    self.init(String(decoding: line, as: UTF8.self))
  }
}

/// One of the two blocks of such a file: a header, then its tables. All of it lies within the bytes.
private struct TZifBlock {
  let version: UInt8
  private let timeSize: Int
  private let countOfChanges: Int
  private let countOfTypes: Int
  private let start: Int
  let end: Int

  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int, timeSize: Int) {
    guard bytes.count - offset >= 44, bytes[offset..<offset + 4].elementsEqual("TZif".utf8) else { return nil }
    func count(_ index: Int) -> Int {
      Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 20 + index * 4, as: UInt32.self)))
    }
    version = bytes[offset + 4]
    let (isUT, isStandard, leaps, letters) = (count(0), count(1), count(2), count(5))
    countOfChanges = count(3)
    countOfTypes = count(4)
    self.timeSize = timeSize
    start = offset + 44
    let tables = countOfChanges * (timeSize + 1) + countOfTypes * 6 + letters
    end = start + tables + leaps * (timeSize + 4) + isStandard + isUT
    guard end <= bytes.count else { return nil }
  }

  /// Ascending, or nil.
  func changes(_ bytes: UnsafeRawBufferPointer) -> [Int64]? {
    var last = Int64.min
    for index in 0..<countOfChanges {
      let next = time(bytes, index)
      guard next >= last else { return nil }
      last = next
    }
    return (0..<countOfChanges).map { time(bytes, $0) }
  }

  private func time(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int64 {
    let offset = start + index * timeSize
    if timeSize == 8 { return Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)) }
    return Int64(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
  }

  /// The offset of each type: at least one, all of them less than a day, or nil.
  func types(_ bytes: UnsafeRawBufferPointer) -> [Int32]? {
    let table = start + countOfChanges * (timeSize + 1)
    let offsets = (0..<countOfTypes).map {
      Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: table + $0 * 6, as: Int32.self))
    }
    return !offsets.isEmpty && offsets.allSatisfy { -86_400 < $0 && $0 < 86_400 } ? offsets : nil
  }

  /// The offset after each change, or nil where there is no such type.
  func offsets(_ bytes: UnsafeRawBufferPointer, _ types: [Int32]) -> [Int32]? {
    let indices = bytes[start + countOfChanges * timeSize..<start + countOfChanges * (timeSize + 1)]
    guard indices.allSatisfy({ $0 < types.count }) else { return nil }
    return indices.map { types[Int($0)] }
  }
}
