import SatchelSystem

/// One word of the command line, exactly as it came.
struct Word {
  /// Lives as long as the process.
  let pointer: UnsafePointer<CChar>

  /// As text, which it must be: Swift's own arguments repair bad UTF-8, and then one key would pass for another.
  func text() throws(Failure) -> String {
    guard let text = String(validatingCString: pointer) else { throw Failure(.usage, "\"\(shown)\" is not UTF-8") }
    return text
  }

  var asksForHelp: Bool { ["--help", "-h"].contains(shown) }

  /// For messages.
  var shown: String { String(cString: pointer) }
}

extension Word {
  /// The words of the command line but for the first, the name of the program.
  static func all(behindName count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> [Word] {
    guard count > 1 else { return [] }
    return [Word](unsafeUninitializedCapacity: Int(count) - 1) { all, filled in
      while filled < Int(count) - 1, let pointer = words[filled + 1] {
        all.initializeElement(at: filled, to: Word(pointer: pointer))
        filled += 1
      }
    }
  }
}
