/// What one writes without an ordered dictionary: keys in an array, values in a dictionary. Removal looks for the key in the array.
struct HandMade {
  private(set) var keys: [Int] = []
  private var values: [Int: Int] = [:]

  init(keys: [Int]) {
    self.keys = keys
    for key in keys { values[key] = key }
  }

  mutating func remove(_ key: Int) {
    guard values.removeValue(forKey: key) != nil, let position = keys.firstIndex(of: key) else { return }
    keys.remove(at: position)
  }

  mutating func removeFirst() {
    values[keys.removeFirst()] = nil
  }

  mutating func moveToEnd(_ key: Int) {
    guard values[key] != nil, let position = keys.firstIndex(of: key) else { return }
    keys.append(keys.remove(at: position))
  }
}
