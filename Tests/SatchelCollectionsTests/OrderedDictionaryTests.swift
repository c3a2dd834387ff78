import SatchelCollections
import TestSupport
import Testing

@Suite struct OrderedDictionaries {
  typealias Letters = OrderedDictionary<String, Int>

  @Test func keepsTheOrderOfKeys() {
    var table: Letters = ["b": 1, "a": 2]
    let old = table.updateValue(3, forKey: "b")
    let isNew = table.append(4, forKey: "c")
    let isNewAgain = table.append(5, forKey: "a")
    #expect(old == 1 && isNew && !isNewAgain)
    #expect(Array(table.keys) == ["b", "a", "c"] && Array(table.values) == [3, 2, 4])
    table["a"] = nil
    table["a"] = 6
    #expect(Array(table.keys) == ["b", "c", "a"] && table.position(of: "a") == 2)
    #expect(table["d"] == nil && table.position(of: "d") == nil && !table.contains(key: "d"))
  }

  @Test func ofRepeatedKeysFirstPositionAndLastValueStay() {
    let pairs = [("a", 1), ("b", 2), ("a", 3)]
    let literal: Letters = ["a": 1, "b": 2, "a": 3]
    #expect(literal == Letters(pairs) && literal == Letters(uniqueKeysWithValues: pairs))
    #expect(literal == Letters(keys: ["a", "b", "a"], values: 1...) && literal == Letters(literal.elements))
    #expect(Array(literal.keys) == ["a", "b"] && literal["a"] == 3)
    #expect(Letters(pairs, uniquingKeysWith: +)["a"] == 4)
    let groups = OrderedDictionary(grouping: ["one", "three", "two"], by: \.count)
    #expect(groups == [3: ["one", "two"], 5: ["three"]])
    let texts = OrderedDictionary<Bool, String>(grouping: "a1b2", by: \.isLetter)
    #expect(texts == [true: "ab", false: "12"])
  }

  @Test func integersAsKeysAreNoPositions() {
    var table: OrderedDictionary<Int, String> = [3: "c", 1: "a"]
    #expect(table[3] == "c" && table[0] == nil && table.elements[0].key == 3 && table[table.startIndex].value == "c")
    table[0] = "z"
    #expect(table.position(of: 0) == 2)
  }

  @Test func bothEqualities() {
    let table: Letters = ["a": 1, "b": 2]
    let other: Letters = ["b": 2, "a": 1]
    #expect(table != other && table.isEqualIgnoringOrder(other) && !table.isEqualIgnoringOrder(["a": 1, "b": 3]))
    #expect(!table.isEqualIgnoringOrder(["a": 1, "c": 2]) && table != ["a": 1] && table != ["a": 1, "b": 3])
    #expect(table == ["a": 1, "b": 2] && table.hashValue == (["a": 1, "b": 2] as Letters).hashValue)
    #expect(Set([table, other, ["a": 1, "b": 2]]).count == 2)
    #expect(Letters() == [:] && Letters(minimumCapacity: 50) == [:] && Letters().isEqualIgnoringOrder([:]))
  }

  /// apple/swift-collections 697: views were equal exactly when they differed.
  @Test func viewsAreEqualByWhatTheyShow() {
    let table: Letters = ["a": 1, "b": 2]
    #expect(table.keys == (["a": 3, "b": 4] as Letters).keys && table.keys != (["b": 2, "a": 1] as Letters).keys)
    #expect(
      table.values == (["c": 1, "d": 2] as Letters).values && table.values != (["a": 2, "b": 1] as Letters).values)
    #expect(table.keys != (["a": 1] as Letters).keys && table.values != (["a": 1] as Letters).values)
    #expect(table.keys.hashValue == (["a": 3, "b": 4] as Letters).keys.hashValue)
    #expect(table.values.hashValue == (["c": 1, "d": 2] as Letters).values.hashValue)
    let (same, other): (Letters, Letters) = (["a": 1, "b": 2], ["b": 2, "a": 1])
    #expect(table.elements == same.elements && table.elements != other.elements)
    #expect(Set([table.elements, same.elements, other.elements]).count == 2)
  }

  @Test func viewsAreCollections() {
    var table: Letters = ["a": 1, "b": 2, "c": 3, "d": 4]
    table["b"] = nil
    #expect(Array(table.keys.reversed()) == ["d", "c", "a"] && table.keys.firstIndex(of: "c") == 1)
    #expect(table.keys.contains("d") && !table.keys.contains("b") && table.keys.lastIndex(of: "d") == 2)
    #expect(Array(table.values[1...]) == [3, 4] && table.elements.last?.key == "d" && table.first?.value == 1)
    #expect(
      table.dropFirst().map(\.key) == ["c", "d"] && table.index(forKey: "d") == table.index(before: table.endIndex))
    table.values[1] += 10
    table.values.swapAt(0, 2)
    table.values.sort(by: >)
    #expect(table == ["a": 13, "c": 4, "d": 1] && table.description == #"["a": 13, "c": 4, "d": 1]"#)
    #expect("\(table.keys)" == #"["a", "c", "d"]"# && "\(table.values)" == "[13, 4, 1]" && "\(Letters())" == "[:]")
    #expect("\(table.elements)" == table.description)
    var dumped = ""
    dump(table, to: &dumped)
    #expect(dumped.contains("3 key/value pairs") && dumped.contains(#"key: "c""#))
  }

  @Test func positionsAreChosen() {
    var table: Letters = ["a": 1, "b": 2, "c": 3]
    let inserted = table.insert(4, forKey: "d", at: 1)
    let again = table.insert(5, forKey: "d", at: 0)
    let old = table.updateValue(6, forKey: "d", insertingAt: 0)
    #expect(inserted && !again && old == 4 && table == ["a": 1, "d": 6, "b": 2, "c": 3])
    table.move(from: 0, to: 2)
    table.swapAt(0, 3)
    #expect(Array(table.keys) == ["c", "b", "a", "d"])
    let moved = [table.moveToEnd("b"), table.moveToStart("d"), table.moveToEnd("x"), table.moveToStart("x")]
    #expect(moved == [true, true, false, false] && Array(table.keys) == ["d", "c", "a", "b"])
    let replaced = [
      table.replaceKey("c", with: "z"), table.replaceKey("x", with: "y"), table.replaceKey("a", with: "b"),
    ]
    #expect(replaced == [true, false, false] && table.position(of: "z") == 1 && table["c"] == nil)
    table.reverse()
    #expect(Array(table.keys) == ["b", "a", "z", "d"])
    table.sort()
    #expect(Array(table.keys) == ["a", "b", "d", "z"])
    table.sort { $0.value > $1.value }
    #expect(Array(table.values) == [6, 3, 2, 1])
    let removed = table.remove(at: 1).value
    let first = table.remove(at: table.startIndex).value
    #expect([removed, first] == [3, 6])
  }

  @Test func entriesAreMadeOfEntries() throws {
    var table: Letters = ["a": 1, "b": 2, "c": 3]
    #expect(
      table.filter { $0.value != 2 } == ["a": 1, "c": 3] && table.mapValues { $0 * 2 } == ["a": 2, "b": 4, "c": 6])
    #expect(table.compactMapValues { $0 == 2 ? nil : "\($0)" } == ["a": "1", "c": "3"])
    #expect(table.merging([("c", 10), ("d", 4)], uniquingKeysWith: +) == ["a": 1, "b": 2, "c": 13, "d": 4])
    table.merge(["b": 5, "e": 6] as Letters) { old, _ in old }
    #expect(table == ["a": 1, "b": 2, "c": 3, "e": 6])
    table.removeAll { $0.value % 2 == 0 }
    #expect(table == ["a": 1, "c": 3])
    table["d", default: 7] += 1
    table["a", default: 7] += 1
    #expect(table == ["a": 2, "c": 3, "d": 8] && table["x", default: 9] == 9)
    table.removeSubrange(1...)
    #expect(table == ["a": 2])
  }

  @Test func valuesAreChangedInPlace() throws {
    var table: OrderedDictionary<String, [Int]> = ["a": Array(0..<100), "b": []]
    let before = table["a"]?.withUnsafeBufferPointer { $0.baseAddress }
    table["a"]?[5] = 6
    table["a", default: []][6] = 7
    table.values[0][7] = 8
    #expect(table["a"]?.withUnsafeBufferPointer { $0.baseAddress } == before && table["a"]?[5...7] == [6, 7, 8])
    table["c"]?.append(1)
    #expect(table["c"] == nil && table.count == 2)
  }

  @Test func contiguousWhereThereAreNoHoles() {
    var table: OrderedDictionary<Int, Int> = [1: 10, 2: 20, 3: 30, 4: 40]
    table[1] = nil
    #expect(table.withContiguousStorageIfAvailable { $0.map(\.value) } == [20, 30, 40])
    table[3] = nil
    #expect(table.withContiguousStorageIfAvailable { $0.count } == nil)
    table.compact()
    #expect(table.withContiguousStorageIfAvailable { $0.map(\.value) } == [20, 40])
    #expect(OrderedDictionary<Int, Int>().withContiguousStorageIfAvailable { $0.count } == 0)
  }

  @Test func capacityIsReservedAndGivenBack() {
    var table = OrderedDictionary<Int, Int>()
    table.reserveCapacity(1000)
    let capacity = table.capacity
    #expect(capacity >= 1000)
    for key in 0..<1000 { table[key] = key }
    #expect(table.capacity == capacity)
    table.removeAll(keepingCapacity: true)
    #expect(table.capacity >= 1000 && table.isEmpty)
    for key in 0..<1000 { table[key] = key }
    for key in 0..<995 { table[key] = nil }
    table.compact()
    #expect(table.capacity < 16 && table.keys.elementsEqual(995..<1000) && table[997] == 997)
    table.removeAll()
    #expect(table.capacity == 0)
  }

  @Test func growthIsForeseen() {
    var table = OrderedDictionary<Int, String>()
    #expect(OrderedDictionary<Int, String>.byteCount(minimumCapacity: 0) == 0)
    #expect(OrderedDictionary<Int, String>.byteCount(minimumCapacity: 1000) > 1000 * 24)
    for key in 0..<1000 {
      let (foreseen, capacity) = (table.byteCountOfGrowth(), table.capacity)
      #expect(table.byteCountOfGrowth(isShared: true) >= foreseen + key * 24)
      table[key] = ""
      #expect((foreseen > 0) == (key == capacity) && (table.capacity > capacity) == (foreseen > 0))
    }
  }
}
