import SatchelValues
import TestSupport
import Testing

@Suite struct Dictionaries {
  @Test func keepsOrderAndPlaces() {
    var entries: ValueDictionary = ["b": 1, "a": 2]
    let old = entries.updateValue(3, forKey: "b")
    let isNew = entries.append(4, forKey: "c")
    let isNewAgain = entries.append(5, forKey: "a")
    #expect(old == 1 && isNew && !isNewAgain)
    #expect(entries.keys == ["b", "a", "c"] && entries.values == [3, 2, 4])
    entries["a"] = nil
    #expect(entries.keys == ["b", "c"] && entries["a"] == nil && entries.position(of: "c") == 1)
    entries["a"] = 6
    #expect(entries.keys == ["b", "c", "a"] && entries[2].value == 6)
    entries.removeAll()
    #expect(entries.isEmpty && entries["b"] == nil)
  }

  @Test func twinsAreTwoKeys() {
    var entries = ValueDictionary()
    for filler in 0..<20 {
      entries["caf\u{e9}"] = 1
      entries["cafe\u{301}"] = 2
      #expect(entries["caf\u{e9}"] == 1 && entries["cafe\u{301}"] == 2)
      entries["filler \(filler)"] = 0
    }
    #expect(entries.count == 22)
  }

  /// Against the plainest model: an array of pairs, searched from the front.
  @Test func agreesWithAModel() {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      var entries = ValueDictionary()
      var model: [(key: String, value: Value)] = []
      for step in 0..<60 {
        let key = String(Int.random(in: 0..<25, using: &generator))
        let value = Value.int(Int64(step))
        let place = model.firstIndex { $0.key == key }
        if Int.random(in: 0..<3, using: &generator) == 0 {
          let removed = entries.removeValue(forKey: key)
          #expect(removed == place.map { model[$0].value })
          if let place { model.remove(at: place) }
        } else {
          let old = entries.updateValue(value, forKey: key)
          #expect(old == place.map { model[$0].value })
          if let place { model[place].value = value } else { model.append((key, value)) }
        }
        #expect(entries.keys == model.map(\.key) && entries.values == model.map(\.value))
        #expect(model.indices.allSatisfy { entries.position(of: model[$0].key) == $0 })
      }
    }
  }

  @Test func capacityIsOnlyAHint() {
    #expect(ValueDictionary(minimumCapacity: .max).isEmpty && ValueDictionary(minimumCapacity: .min).isEmpty)
  }

  @Test func literalsMayRepeatAKey() {
    let entries: ValueDictionary = ["a": 1, "b": 2, "a": 3]
    #expect(entries.keys == ["a", "b"] && entries["a"] == 3)
  }
}
