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

  /// For messages.
  var shown: String { String(cString: pointer) }
}

enum CommandLineWords {
  static var afterName: [Word] {
    let count = Int(CommandLine.argc)
    guard count > 1 else { return [] }
    let all = CommandLine.unsafeArgv
    return [Word](unsafeUninitializedCapacity: count - 1) { words, filled in
      for place in 1..<count {
        guard let pointer = all[place] else { return }
        words.initializeElement(at: filled, to: Word(pointer: pointer))
        filled += 1
      }
    }
  }
}
