/// The plainest ordered dictionary: an array of pairs, searched from the front.
struct OrderedModel<Key: ReplayKey> {
  var pairs: [(key: Key, value: Int)] = []

  func position(of key: Key) -> Int? { pairs.firstIndex { $0.key == key } }

  mutating func update(_ value: Int, _ key: Key, insertingAt position: Int? = nil) -> Int? {
    guard let known = self.position(of: key) else {
      pairs.insert((key, value), at: position ?? pairs.count)
      return nil
    }
    defer { pairs[known].value = value }
    return pairs[known].value
  }

  mutating func remove(_ key: Key) -> Int? { position(of: key).map { pairs.remove(at: $0).value } }

  mutating func move(_ key: Key, toEnd: Bool) -> Bool {
    guard let position = position(of: key) else { return false }
    let pair = pairs.remove(at: position)
    pairs.insert(pair, at: toEnd ? pairs.count : 0)
    return true
  }
}
