import CollectionsSupport
import TestSupport
import Testing

/// Random operations against the plainest model. `make torture ONLY=ordered` does it for longer.
@Suite(.serialized) struct OrderedReplays {
  @Test func integers() { agrees(Int.self, seed: 1) }
  @Test func strings() { agrees(String.self, seed: 2) }
  @Test func collidingKeys() { agrees(CollidingKey.self, seed: 3) }

  private func agrees<Key: ReplayKey>(_ type: Key.Type, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for size in 0..<8 {
      for _ in 0..<2 {
        let stream = [UInt8(size)] + (0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(OrderedReplay<Key>.run(stream) == nil)
      }
    }
  }
}
