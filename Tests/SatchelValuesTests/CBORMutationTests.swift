import SatchelSystem
import SatchelValues
import TestSupport
import Testing

/// Whatever is done to bytes: an error, or a value that encodes to exactly these bytes. Never a crash.
@Suite struct CBORMutations {
  private static var small: [[UInt8]] {
    awkwardValues.compactMap { try? CBOR.encode($0.value) }.filter { $0.count <= 600 }
  }

  private func check(_ bytes: [UInt8]) {
    if let value = try? CBOR.decode(bytes) {
      #expect((try? CBOR.encode(value)) == bytes)
    }
    checkScalars(bytes)
  }

  @Test func everyByteFlipped() {
    for original in Self.small {
      for place in original.indices {
        for bit in 0..<8 {
          var bytes = original
          bytes[place] ^= 1 << UInt8(bit)
          check(bytes)
        }
      }
    }
  }

  @Test func truncatedAnywhereIsAnError() {
    for original in Self.small {
      for length in original.indices {
        let cut = Array(original[..<length])
        #expect(code { _ = try CBOR.decode(cut) } == .parse)
        checkScalars(cut)
      }
    }
  }

  @Test func noise() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<50_000 {
      check((0..<Int.random(in: 0..<24, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
    }
  }

  @Test func everyStart() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        check([first, second])
        check([first, second, 0, 0, 0, 0, 0, 0, 1])
        check([first, second, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
      }
    }
  }
}
