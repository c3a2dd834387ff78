/// Takes secrets out of text before it gets into a record. Each becomes `<redacted github-token 3f2a9c01>`, whose digits tell equal
/// ones apart from others as those of a secret value do.
///
/// It is a net, not a wall: what has no known form and no telling name goes through. Declare it a secret.
package enum Redactor {
  /// As a log is opened: what is made at its first use is allocated, and the first use may be in a signal handler.
  static func prepare() {
    TokenRules.prepare()
    SecretNames.prepare()
    Secrets.prepare()
  }

  /// Whether the value of a field of that name is a secret, whatever it is.
  package static func isSecret(name: UnsafeRawBufferPointer) -> Bool { SecretNames.find(name) != nil }

  /// Whether what follows this text is a secret by it, as behind `password=`.
  package static func announcesSecret(_ text: UnsafeRawBufferPointer) -> Bool {
    var end = text.count
    while end > 0,
      text[end - 1] == UInt8(ascii: " ") || text[end - 1] == UInt8(ascii: "\"") || text[end - 1] == UInt8(ascii: "'")
    {
      end -= 1
    }
    guard end > 0, text[end - 1] == UInt8(ascii: "=") || text[end - 1] == UInt8(ascii: ":") else { return false }
    return SecretScanner(UnsafeRawBufferPointer(rebasing: text[..<end])).isNamed(end - 1)
  }

  /// How long a text is without its secrets. nil where it has none, which most have not.
  package static func redactedSize(of text: UnsafeRawBufferPointer) -> Int? {
    var scanner = SecretScanner(text)
    guard var found = scanner.next() else { return nil }
    var size = text.count
    while true {
      size += mark(found.kind) - found.range.count
      guard let next = scanner.next() else { return size }
      found = next
    }
  }

  /// Writes a text without its secrets, and gives its end. There is room for `redactedSize`, and for eight bytes more.
  package static func write(
    _ text: UnsafeRawBufferPointer, to memory: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var out = LineWriter(at: memory)
    var scanner = SecretScanner(text)
    var done = 0
    while let found = scanner.next() {
      out.bytes(UnsafeRawBufferPointer(rebasing: text[done..<found.range.lowerBound]))
      mark(found.kind, UnsafeRawBufferPointer(rebasing: text[found.range]), &out)
      done = found.range.upperBound
    }
    out.bytes(UnsafeRawBufferPointer(rebasing: text[done...]))
    return out.at
  }

  private static func mark(_ kind: SecretKind) -> Int { kind.word.utf8CodeUnitCount + 20 }

  private static func mark(_ kind: SecretKind, _ secret: UnsafeRawBufferPointer, _ out: inout LineWriter) {
    out.word("<redacted ")
    out.word(kind.word)
    out.byte(UInt8(ascii: " "))
    out.hex(Secrets.fingerprint(secret) & 0xffff_ffff, width: 8)
    out.byte(UInt8(ascii: ">"))
  }
}
