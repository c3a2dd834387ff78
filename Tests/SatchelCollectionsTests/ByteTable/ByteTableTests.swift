import SatchelSystem
import TestSupport
import Testing

@testable import SatchelCollections

/// What cannot be seen from C: collisions by force, the state after each change, how much memory it takes. Series with cursors, beside
/// a model, are in Tests/dict.
@Suite struct ByteTables {
  /// A table that is freed with this.
  final class Owner {
    let table: ByteTablePointer

    init(tagBits: UInt32 = 32) throws {
      table = try #require(ByteTablePointer.make(seed: 5))
      if tagBits < 32 { table.pointee.tagMask = 1 << tagBits - 1 }
    }

    deinit { table.destroy() }

    func set(_ key: String, _ number: Int64) -> SatchelError.Code? {
      withBytes(key) { table.set($0, $1, ByteValue(number)) }
    }

    func withBytes<R>(_ key: String, _ body: (UnsafeRawPointer, Int) -> R) -> R {
      let bytes = Array(key.utf8) + [0]
      return bytes.withUnsafeBytes { body($0.baseAddress!, bytes.count - 1) }
    }

    func number(_ key: String) -> Int64? { withBytes(key) { table.value(of: $0, $1) }?.int64 }

    func remove(_ key: String) -> Bool {
      let place = withBytes(key) { table.index(of: $0, $1) }
      if place >= 0 { table.remove(place) }
      return place >= 0
    }

    var keys: [String] {
      var position = BytePosition(ordinal: 0, epoch: 0)
      var keys: [String] = []
      while let place = try? table.next(&position) {
        keys.append(String(decoding: table.key(at: place), as: UTF8.self))
      }
      return keys
    }
  }

  /// With the tag cut to few bits nearly all keys collide; the table is slow then, and right.
  @Test(arguments: [0, 1, 2, 5, 32] as [UInt32], 1...4)
  func collisions(_ bits: UInt32, _ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let owner = try Owner(tagBits: bits)
    var model: [(key: String, number: Int64)] = []
    for step in 0..<600 {
      let key = "key \(Int.random(in: 0..<60, using: &generator))"
      let known = model.firstIndex { $0.key == key }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0..<4:
        #expect(owner.set(key, Int64(step)) == nil)
        if let known { model[known].number = Int64(step) } else { model.append((key, Int64(step))) }
      case 4, 5:
        #expect(owner.remove(key) == (known != nil))
        if let known { model.remove(at: known) }
      case 6:
        let code = owner.withBytes(key) { owner.table.moveToEnd($0, $1) }
        #expect(code == (known == nil ? .notFound : nil))
        if let known { model.append(model.remove(at: known)) }
      default:
        let code = owner.withBytes(key) { owner.table.moveToFront($0, $1) }
        #expect(code == (known == nil ? .notFound : nil))
        if let known { model.insert(model.remove(at: known), at: 0) }
      }
      #expect(owner.table.brokenInvariant == nil)
      #expect(owner.number(key) == model.first { $0.key == key }?.number)
    }
    #expect(owner.keys == model.map(\.key))
    for (position, entry) in model.enumerated() {
      let place = owner.table.place(at: position)
      #expect(String(decoding: owner.table.key(at: place), as: UTF8.self) == entry.key)
      #expect(owner.table.position(of: place) == position && owner.table.brokenInvariant == nil)
    }
  }

  /// Far more entries come and go than there ever are: no memory is kept for them, and the slots stay as empty as they were.
  @Test(arguments: [false, true]) func churnNeedsNoMemory(_ isQueue: Bool) throws {
    let owner = try Owner()
    var most = 0
    for number in 0..<20_000 {
      #expect(owner.set("\(number)", Int64(number)) == nil)
      if !isQueue { #expect(owner.withBytes("\(number)") { owner.table.moveToFront($0, $1) } == nil) }
      if number >= 100 { #expect(owner.remove("\(number - 100)")) }
      most = max(most, owner.table.pointee.live.capacity)
    }
    #expect(owner.table.pointee.count == 100 && most <= 512 && owner.table.pointee.slots.mask < 512)
    #expect(owner.table.brokenInvariant == nil)
  }

  @Test func emptiedAndFilledAgain() throws {
    let owner = try Owner()
    for round in 0..<20 {
      for number in 0..<(round * 7) { #expect(owner.set("\(number)", 1) == nil) }
      #expect(owner.keys == (0..<(round * 7)).map { "\($0)" })
      if round % 2 == 0 {
        #expect(owner.table.clear() == nil)
      } else {
        for number in 0..<(round * 7) { #expect(owner.remove("\(number)")) }
      }
      #expect(owner.keys.isEmpty && owner.table.brokenInvariant == nil)
    }
  }

  /// What is given back is what a table of that size needs.
  @Test func compacting() throws {
    let owner = try Owner()
    for number in 0..<1000 { #expect(owner.set("\(number)", 1) == nil) }
    for number in 0..<995 { #expect(owner.remove("\(number)")) }
    #expect(
      owner.table.compact() == nil && owner.table.pointee.live.capacity == 8 && owner.table.pointee.slots.isAbsent)
    #expect(owner.keys == (995..<1000).map { "\($0)" } && owner.table.brokenInvariant == nil)
    #expect(owner.table.reserve(100) == nil && owner.table.reserve(ByteTable.limit + 1) == .range)
    let room = owner.table.pointee.live.capacity
    for number in 0..<95 { #expect(owner.set("\(number)", 1) == nil) }
    #expect(owner.table.pointee.live.capacity == room && owner.table.brokenInvariant == nil)
  }

  /// Seeds differ from table to table, and so do the places of the same keys.
  @Test func seedsDiffer() throws {
    let seeds = (0..<100).map { _ in
      let table = ByteTablePointer.make()
      defer { table?.destroy() }
      return table?.pointee.seed ?? 0
    }
    #expect(Set(seeds).count == 100 && !seeds.contains(0))
  }
}
