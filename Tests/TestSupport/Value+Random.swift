import Satchel

extension Value {
  /// Any value, of every type with like chance, nested at most `depth` deep.
  public static func random(using generator: inout SeededGenerator, depth: Int = 4) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 10), using: &generator) {
    case 0: .null
    case 1: .bool(.random(using: &generator))
    case 2: .int(Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
    case 3: Value(generator.next() | 1 << 63)
    case 4: .double(Double(bitPattern: generator.next()))
    case 5: .string(randomText(&generator))
    case 6: .data((0..<Int.random(in: 0..<40, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
    case 7: randomDate(&generator)
    case 8: .url("x:" + String(generator.next(), radix: 36))
    case 9: .uuid(UniqueID(high: generator.next(), low: generator.next()))
    case 10:
      .array((0..<Int.random(in: 0..<5, using: &generator)).map { _ in random(using: &generator, depth: depth - 1) })
    default: randomDictionary(&generator, depth)
    }
  }

  private static func randomDate(_ generator: inout SeededGenerator) -> Value {
    let seconds = Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<64, using: &generator)
    let nanoseconds = UInt32.random(in: 0..<1_000_000_000, using: &generator)
    let time = try? Timestamp(seconds: seconds, nanoseconds: Bool.random(using: &generator) ? nanoseconds : 0)
    return time.map { .date($0) } ?? .null
  }

  private static func randomText(_ generator: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<12, using: &generator) {
      let limit: UInt32 = [0x30, 0x80, 0x800, 0x10000, 0x110000].randomElement(using: &generator) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func randomDictionary(_ generator: inout SeededGenerator, _ depth: Int) -> Value {
    var entries = ValueDictionary()
    for _ in 0..<Int.random(in: 0..<12, using: &generator) {
      let key = (Bool.random(using: &generator) ? "" : "$") + randomText(&generator)
      entries.append(random(using: &generator, depth: depth - 1), forKey: key)
    }
    return .dictionary(entries)
  }
}
