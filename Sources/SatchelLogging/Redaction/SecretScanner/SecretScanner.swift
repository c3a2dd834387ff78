/// Finds secrets in a text, in order. Ordinary text costs about a nanosecond a byte: only where a long word, or a number, ends, and at
/// each `:` and `=`, is there anything to look at.
///
/// Nothing here allocates, once the tables are there.
struct SecretScanner {
  struct Finding: Equatable {
    let kind: SecretKind
    let range: Range<Int>
  }

  let text: UnsafeRawBufferPointer
  private var position = 0
  /// Where the present word began.
  private var word = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  mutating func next() -> Finding? {
    while position < text.count {
      position = endOfWord(from: position)
      if let found = endWord() { return found }
      guard position < text.count else { return nil }
      let mark = position
      position += 1
      word = position
      guard text[mark] == UInt8(ascii: ":") || text[mark] == UInt8(ascii: "=") else { continue }
      if let found = behind(mark) { return goOn(found) }
    }
    return nil
  }

  /// The first byte of no word, eight of them at a time.
  @inline(__always)
  private func endOfWord(from start: Int) -> Int {
    guard let base = text.baseAddress else { return start }
    var place = start
    while text.count - place >= 8 {
      let found = ByteClasses.others((base + place).loadUnaligned(as: UInt64.self))
      if found != 0 { return place + found.trailingZeroBitCount >> 3 }
      place += 8
    }
    let left = text.count - place
    let found = ByteClasses.others(PlainText.tail(base + place, left)) & (1 &<< UInt64(left * 8) &- 1)
    return place + (found == 0 ? left : found.trailingZeroBitCount >> 3)
  }

  @inline(__always)
  private mutating func endWord() -> Finding? {
    let length = position - word
    guard length >= 4 else { return nil }
    let first = text[word]
    if length >= TokenRules.least || first.isDigit || first == UInt8(ascii: "-") || first | 0x20 == UInt8(ascii: "b") {
      return inspect(word..<endOfSentence(position)).map { goOn($0) }
    }
    return nil
  }

  /// A word's end without the full stop behind it.
  private func endOfSentence(_ end: Int) -> Int { text[end - 1] == UInt8(ascii: ".") ? end - 1 : end }

  private mutating func goOn(_ found: Finding) -> Finding {
    position = found.range.upperBound
    word = position
    return found
  }

  /// A word that is long, or begins as some secrets do.
  @inline(never)
  private func inspect(_ range: Range<Int>) -> Finding? {
    let first = text[range.lowerBound]
    if first.isDigit { return card(at: range.lowerBound) }
    if first == UInt8(ascii: "-") { return privateKey(at: range.lowerBound) }
    if let kind = kind(of: range) { return Finding(kind: kind, range: range) }
    return first | 0x20 == UInt8(ascii: "b") ? authorization(range) : nil
  }

  /// What the word itself tells.
  func kind(of range: Range<Int>) -> SecretKind? {
    guard range.count >= TokenRules.least else { return nil }
    let token = UnsafeRawBufferPointer(rebasing: text[range])
    return TokenRules.kind(of: token) ?? (SecretScanner.isSigned(token) ? .jwt : nil) ?? messenger(range)
  }

  /// Behind a `:` or `=`: what a name before it, or an address around it, makes of what follows.
  @inline(never)
  private func behind(_ mark: Int) -> Finding? {
    if text[mark] == UInt8(ascii: ":"), has("//", at: mark + 1) { return address(mark) }
    return named(mark)
  }

  func has(_ word: StaticString, at place: Int) -> Bool {
    let count = word.utf8CodeUnitCount
    guard place >= 0, text.count - place >= count else { return false }
    return word.isSame(as: UnsafeRawBufferPointer(rebasing: text[place..<place + count]))
  }

  /// The end of what is of one kind, from a place on.
  func end(from place: Int, while isPart: (UInt8) -> Bool) -> Int {
    var end = place
    while end < text.count, isPart(text[end]) { end += 1 }
    return end
  }
}
