import Glibc

extension MemoryDump {
  mutating func scalar(_ type: Described, _ place: Address) {
    switch type.kind {
    case .int: int(type, place).map { out.ascii("\($0)") }
    case .uint: uint(type, place).map { out.ascii("\($0)") }
    case .enumeration: enumeration(type, place)
    case .bool: uint(type, place).map { out.ascii($0 == 0 ? "false" : $0 == 1 ? "true" : "0x" + String($0, radix: 16)) }
    case .character: uint(type, place).map { character(UInt8(truncatingIfNeeded: $0)) }
    case .float: float(type, place)
    case .function: _ = address(place)
    default: break
    }
  }

  private mutating func uint(_ type: Described, _ place: Address) -> UInt64? {
    let value: UInt64? =
      switch type.size {
      case 1: memory.load(place, as: UInt8.self).map(UInt64.init)
      case 2: memory.load(place, as: UInt16.self).map(UInt64.init)
      case 4: memory.load(place, as: UInt32.self).map(UInt64.init)
      default: memory.load(place, as: UInt64.self)
      }
    if value == nil { out.word("(not readable)") }
    return value
  }

  private mutating func int(_ type: Described, _ place: Address) -> Int64? {
    let unused = UInt64(64 - type.size * 8)
    return uint(type, place).map { Int64(bitPattern: $0 << unused) >> Int64(unused) }
  }

  private mutating func float(_ type: Described, _ place: Address) {
    guard let bits = uint(type, place) else { return }
    out.ascii(type.size == 4 ? "\(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))" : "\(Double(bitPattern: bits))")
  }

  /// `RED (1)`
  private mutating func enumeration(_ type: Described, _ place: Address) {
    guard let value = int(type, place) else { return }
    guard let known = (0..<type.count).lazy.compactMap(type.enumerator).first(where: { $0.value == value }) else {
      return out.ascii("\(value)")
    }
    out.plain(known.name)
    out.ascii(" (\(value))")
  }

  private mutating func character(_ byte: UInt8) {
    withUnsafeBytes(of: byte) { out.character($0, CollectionOfOne(UInt32(byte))) }
  }

  /// `0x55d0 "text"`
  mutating func text(_ place: Address) {
    guard let target = address(place) else { return }
    out.word(" ")
    guard let text = memory.text(target, atMost: out.limits.text + 1) else { return out.word("(not readable)") }
    // How much follows nobody knows.
    if text.count > out.limits.text {
      text.dropLast().withUnsafeBytes { out.quoted($0) }
      out.word("...")
    } else {
      text.withUnsafeBytes { out.quoted($0) }
    }
  }

  mutating func bytes(_ place: Address) {
    guard let start = memory.load(place, as: UInt.self),
      let size = memory.load(place + MemoryLayout<UInt>.size, as: UInt.self)
    else { return out.word("(not readable)") }
    guard let target = Address(bitPattern: start) else { return out.word(size == 0 ? "\"\"" : "NULL") }
    guard let bytes = memory.bytes(target, Int(min(size, UInt(out.limits.text)))) else {
      return out.word("(not readable)")
    }
    bytes.withUnsafeBytes { out.quoted($0) }
    if size > UInt(bytes.count) { out.ascii("... \(size - UInt(bytes.count)) more bytes") }
  }

  mutating func characters(_ type: Described, _ place: Address) {
    guard let bytes = memory.bytes(place, min(type.size, out.limits.text)) else { return out.word("(not readable)") }
    bytes.prefix { $0 != 0 }.withUnsafeBytes { out.quoted($0) }
    if !bytes.contains(0), type.size > bytes.count { out.ascii("... \(type.size - bytes.count) more bytes") }
  }

  mutating func data(_ type: Described, _ place: Address) {
    guard let bytes = memory.bytes(place, min(type.size, out.limits.text)) else { return out.word("(not readable)") }
    bytes.withUnsafeBytes { out.data($0, of: type.size) }
  }
}
