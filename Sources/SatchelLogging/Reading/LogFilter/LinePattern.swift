import Glibc
import SatchelSystem

/// A pattern that is looked for in lines as they read in text: words as they stand, or an extended regular expression of POSIX.
package final class LinePattern {
  private let words: [UInt8]
  private var expression: regex_t?
  private let renderer = EntryRenderer(.text)

  /// Throws for what is no regular expression.
  package init(_ text: String, isWords: Bool, ignoresCase: Bool = false) throws(SatchelError) {
    words = Array(text.utf8)
    if isWords { return }
    var expression = regex_t()
    let code = regcomp(&expression, text, REG_EXTENDED | REG_NOSUB | REG_NEWLINE | (ignoresCase ? REG_ICASE : 0))
    guard code == 0 else {
      var reason = [CChar](repeating: 0, count: 256)
      regerror(code, &expression, &reason, reason.count)
      let told = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw SatchelError(.invalid, "\"\(text)\" is no regular expression: \(told)")
    }
    self.expression = expression
  }

  deinit {
    if expression != nil { regfree(&expression!) }
  }

  func matches(_ line: LogLine) -> Bool {
    let text = line.format == nil || line.format == .text ? line.bytes : renderer.render(line)
    return text.withUnsafeBytes { text in
      expression == nil ? words.withUnsafeBytes { text.contains($0) } : isMatched(text)
    }
  }

  /// By its ends, since there may be NUL bytes in it.
  private func isMatched(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
    var range = regmatch_t(rm_so: 0, rm_eo: regoff_t(text.count))
    return regexec(&expression!, start, 1, &range, REG_STARTEND) == 0
  }
}
