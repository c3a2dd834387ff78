/// Paragraphs of a terminal's width.
enum Wrapping {
  static let width = 80

  /// Lines of at most `width` columns, the first one behind `lead`, the others behind as many spaces as `indent`.
  static func lines(_ words: [String], lead: String, indent: Int) -> String {
    var result = lead
    var column = lead.unicodeScalars.count
    var isFirst = true
    for word in words {
      let length = word.unicodeScalars.count
      if !isFirst, column + 1 + length > width {
        result += "\n" + String(repeating: " ", count: indent)
        column = indent
      } else if !isFirst {
        result += " "
        column += 1
      }
      result += word
      column += length
      isFirst = false
    }
    return result + "\n"
  }

  static func paragraph(_ text: String, indent: Int = 0) -> String {
    lines(words(text), lead: String(repeating: " ", count: indent), indent: indent)
  }

  /// A term in a column of its own and its meaning beside it, or below where the term is too wide.
  static func row(_ term: String, _ meaning: String, column: Int) -> String {
    let lead = "  " + term
    let room = column - lead.unicodeScalars.count
    if room < 2 { return lead + "\n" + paragraph(meaning, indent: column) }
    return lines(words(meaning), lead: lead + String(repeating: " ", count: room), indent: column)
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
