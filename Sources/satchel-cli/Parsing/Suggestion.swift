/// "Did you mean …?"
enum Suggestion {
  /// Words that other programs have for what a command does.
  private static let synonyms = ["rm": "unset", "remove": "unset", "del": "unset", "delete": "unset", "ls": "list"]

  /// The candidate that most likely was meant, or nil where none is close.
  static func near(_ word: String, among candidates: [String]) -> String? {
    if let usual = synonyms[word], candidates.contains(usual) { return usual }
    let core = stripped(word)
    guard core.count > 1 else { return nil }
    let ranked = candidates.map { (name: $0, distance: distance(core, stripped($0))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    if best.distance <= max(1, min(2, core.count / 3)) { return best.name }
    return candidates.first { stripped($0).starts(with: core) }
  }

  private static func stripped(_ word: String) -> [UInt8] { Array(word.utf8.drop { $0 == UInt8(ascii: "-") }) }

  /// How many letters have to be put in, left out, replaced or swapped with their neighbour.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard !left.isEmpty, !right.isEmpty, left.count < 64 else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          best = min(best, beforeLast[column - 2] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
