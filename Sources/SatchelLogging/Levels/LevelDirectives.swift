/// Which severities are wanted: `info,net=trace,db=off`. The first form is for everything that is not named.
package struct LevelDirectives: Equatable {
  /// nil: nothing is said. An empty mask: nothing is wanted.
  package private(set) var general: SeverityMask?
  package private(set) var categories: [(name: String, mask: SeverityMask)] = []
  /// What makes no sense, word by word.
  package private(set) var unknown: [String] = []

  package init(_ text: String) {
    for word in text.split(separator: ",") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        LevelDirectives.trimmed)
      guard let mask = LevelDirectives.mask(parts[parts.count - 1]), parts.count == 1 || !parts[0].isEmpty else {
        unknown.append(LevelDirectives.trimmed(word))
        continue
      }
      if parts.count == 1 { general = mask } else { set(parts[0], mask) }
    }
  }

  /// The last word on a category counts.
  private mutating func set(_ name: String, _ mask: SeverityMask) {
    categories.removeAll { $0.name == name }
    categories.append((name, mask))
  }

  /// For a category, or for a log as a whole: its own, else the general one.
  package func mask(for category: String) -> SeverityMask? {
    categories.first { $0.name == category }?.mask ?? general
  }

  /// The least severity's name; `off` and `none` for no severity at all.
  package static func mask(_ word: String) -> SeverityMask? {
    if ["off", "none"].contains(word.lowercased()) { return [] }
    return Severity(name: word).map(SeverityMask.from)
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  package static func == (a: LevelDirectives, b: LevelDirectives) -> Bool {
    a.general == b.general && a.unknown == b.unknown
      && a.categories.elementsEqual(b.categories) { $0.name == $1.name && $0.mask == $1.mask }
  }
}
