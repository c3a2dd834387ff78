import SatchelCollections
import TestSupport
import Testing

/// What has gone wrong in ordered dictionaries elsewhere. Each test names the report it comes from.
@Suite struct OrderedReports {
  typealias Numbers = OrderedDictionary<Int, Int>

  private func numbers(_ range: Range<Int>) -> Numbers { Numbers(range.lazy.map { ($0, $0) }) }

  /// apple/swift-collections 104: a change wrote to a table that a copy shared.
  @Test func copiesAreIndependent() {
    let original = numbers(0..<100)
    var copies = [original, original, original]
    copies[0].removeAll { $0.key % 2 == 0 }
    copies[1].moveToStart(50)
    copies[1][200] = 1
    copies[2].reverse()
    #expect(original.keys.elementsEqual(0..<100) && copies[0].count == 50 && copies[1].count == 101)
    #expect(
      (0..<100).allSatisfy {
        original[$0] == $0 && original.position(of: $0) == $0 && copies[2].position(of: $0) == 99 - $0
      })
    #expect(copies[1].first?.key == 50 && copies[1].last?.key == 200 && original[200] == nil)
  }

  /// python/cpython 119004: a comparison that empties what is being compared. (Through the variable itself Swift's rule of exclusive
  /// access stops it.)
  @Test func comparisonsThatChangeTheDictionary() {
    final class Owner: @unchecked Sendable { var table: OrderedDictionary<Meddler, Int> = [:] }
    struct Meddler: Hashable {
      let number: Int
      unowned let owner: Owner
      func hash(into hasher: inout Hasher) { hasher.combine(0) }
      static func == (left: Meddler, right: Meddler) -> Bool {
        left.owner.table = [:]
        return left.number == right.number
      }
    }
    let owner = Owner()
    for count in [3, 40] {
      var table = OrderedDictionary<Meddler, Int>()
      for number in 0..<count { table[Meddler(number: number, owner: owner)] = number }
      owner.table = consume table
      let found = { owner.table }()[Meddler(number: count - 1, owner: owner)]
      #expect(found == count - 1 && owner.table.isEmpty)
    }
  }

  /// A value's last release may lead back to the dictionary that held it: the change is complete by then.
  @Test func destructorsThatUseTheDictionary() {
    final class Owner: @unchecked Sendable {
      var table: OrderedDictionary<Int, Witness> = [:]
      var counts: [Int] = []
    }
    final class Witness {
      unowned let owner: Owner
      init(_ owner: Owner) { self.owner = owner }
      deinit {
        owner.counts.append(owner.table.count)
        owner.table[100 + owner.counts.count] = nil
      }
    }
    let owner = Owner()
    for key in 0..<20 { owner.table[key] = Witness(owner) }
    for key in 0..<5 { _ = owner.table.removeValue(forKey: key) }
    _ = owner.table.popLast()
    _ = owner.table.remove(at: 3)
    #expect(owner.counts == [19, 18, 17, 16, 15, 14, 13] && owner.table.keys.elementsEqual([5, 6, 7] + (9..<19)))
    let table = owner.table
    owner.table = [:]
    #expect(owner.counts.count == 7 && table.count == 13)
  }

  /// python/cpython 146477 and 95422: iterations that skip or repeat entries while the dictionary changes. Here one sees what was there
  /// when it began.
  @Test func changesDuringAnIteration() {
    var table = numbers(0..<50)
    var seen: [Int] = []
    for (key, _) in table {
      seen.append(key)
      table[key] = nil
      table[1000 + key] = key
      table.moveToStart(49)
    }
    #expect(seen.elementsEqual(0..<50) && table.count == 50)
    for key in table.keys { table.removeValue(forKey: key) }
    #expect(table.isEmpty)
  }

  /// ruby/ruby 5539 and Tessil/ordered-map 5: emptied by taking the first or by clearing, the next insertions went wrong.
  @Test func emptiedAndFilledAgain() {
    var table = numbers(0..<30)
    for round in 1...20 {
      while let (key, value) = table.popFirst() { #expect(key == value) }
      #expect(table.isEmpty && table[0] == nil && table.first?.key == nil)
      for key in 0..<30 * round { table[key] = key }
      #expect(table.keys.elementsEqual(0..<30 * round))
      table.removeAll(keepingCapacity: round % 2 == 0)
      for key in stride(from: 29, through: 0, by: -1) { table[key] = key }
      #expect(table.keys.elementsEqual((0..<30).reversed()) && table.position(of: 0) == 29)
    }
  }

  /// crystal-lang/crystal 14539 and boostorg/unordered 153: entries that come and go made the table grow or slow down without end.
  @Test func churnDoesNotGrow() {
    var table = numbers(0..<100)
    let capacity = table.capacity
    for round in 0..<20_000 {
      table[round % 7] = nil
      table[round % 7] = round
    }
    for round in 100..<20_000 {
      table[round] = round
      table.removeFirst()
    }
    for round in 0..<20_000 { table.moveToEnd(19_900 + round % 100) }
    #expect(table.count == 100 && table.capacity <= capacity * 2)
    #expect(numbers(0..<1).capacity < 16)
  }

  /// indexmap-rs/indexmap 241: plain removal put the last entry into the gap.
  @Test func removalKeepsTheOrder() {
    var table = numbers(0..<10)
    table[4] = nil
    table.remove(at: 0)
    #expect(table.keys.elementsEqual([1, 2, 3, 5, 6, 7, 8, 9]))
  }

  /// rust-embedded/heapless 674: cut off at the end, entries were left that no look-up found.
  @Test func cutOffAtTheEnd() {
    for rest in [0, 1, 5, 30, 99] {
      var table = numbers(0..<100)
      table.removeLast(100 - rest)
      #expect(table.keys.elementsEqual(0..<rest) && (0..<100).allSatisfy { (table[$0] != nil) == ($0 < rest) })
      table.removeFirst(1000)
      #expect(table.isEmpty)
    }
  }

  /// grayscale-lang/grayscale 1680: an update landed in the first free slot and made a second entry of the same key.
  @Test func updatesBehindRemovedKeys() {
    struct Same: Hashable {
      let number: Int
      func hash(into hasher: inout Hasher) { hasher.combine(7) }
    }
    var table = OrderedDictionary<Same, Int>()
    for number in 0..<40 { table[Same(number: number)] = number }
    for number in 0..<20 { table[Same(number: number)] = nil }
    for number in 20..<40 { table[Same(number: number)] = -number }
    #expect(table.count == 20 && table.allSatisfy { $0.value == -$0.key.number })
  }

  /// ArcadeData/arcadedb 4515: a look-up changed the order.
  @Test func readingMovesNothing() {
    let table = numbers(0..<50)
    for key in (0..<50).reversed() { #expect(table[key] == key && table.contains(key: key)) }
    #expect(table.keys.elementsEqual(0..<50))
  }

  /// apple/swift-collections 171: replacing an entry by one that counts as equal trapped. A key that is there stays the first one.
  @Test func anEqualKeyDoesNotReplaceTheFirst() {
    struct Name: Hashable {
      let text: String
      func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
      static func == (left: Name, right: Name) -> Bool { left.text.lowercased() == right.text.lowercased() }
    }
    var table: OrderedDictionary = [Name(text: "Host"): 1]
    table[Name(text: "HOST")] = 2
    table.updateValue(3, forKey: Name(text: "host"), insertingAt: 0)
    #expect(table.count == 1 && table.first?.key.text == "Host" && table.first?.value == 3)
    let replaced = table.replaceKey(Name(text: "host"), with: Name(text: "Via"))
    #expect(replaced && table.first?.key.text == "Via")
  }

  /// A closure that throws leaves a whole dictionary.
  @Test func closuresThatThrow() {
    struct Stop: Error {}
    var table = numbers(0..<40)
    #expect(throws: Stop.self) { try table.removeAll { if $0.key == 20 { throw Stop() } else { $0.key % 2 == 0 } } }
    #expect(table.count == 30 && table.position(of: 21) == 11)
    #expect(throws: Stop.self) { try table.sort { if $0.key == 30 { throw Stop() } else { $0.key > $1.key } } }
    #expect(Set(table.keys).count == 30 && table.allSatisfy { table[$0.key] == $0.value })
    #expect(throws: Stop.self) {
      try table.merge([(1, 1), (100, 1), (3, 1)]) { _, new in if new == 1 { throw Stop() } else { new } }
    }
    #expect(throws: Stop.self) { try change(&table[21]) { _ in throw Stop() } }
    #expect(table.count == 30 && table[21] == 21)
    func change(_ value: inout Int?, _ body: (inout Int?) throws -> Void) throws { try body(&value) }
  }
}
