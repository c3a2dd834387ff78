extension DumpWriter {
  /// `3 entries `, `1 entry `
  mutating func count(_ count: Int) { ascii(count == 1 ? "1 entry " : "\(count) entries ") }

  mutating func countAboveLimit() { ascii("more than \(limits.entries) entries ") }

  /// The line behind the last entry that is shown. nil: nobody knows how many.
  mutating func more(_ count: Int?) {
    line()
    ascii(count.map { "... \($0) more" } ?? "... more")
  }

  /// `[3]: `
  mutating func index(_ index: Int) {
    line()
    ascii("[\(index)]: ")
  }

  /// `name: `; true where the name says that the value is a secret.
  mutating func name(_ name: String) {
    line()
    plain(name)
    word(": ")
  }

  /// In the place of a value that nobody is to read. Equal ones can be told.
  mutating func secret(_ described: DumpWriter) {
    let print = described.bytes.withUnsafeBytes { Secrets.fingerprint($0) }
    let digits = String(print & 0xffff_ffff, radix: 16)
    word("<secret ")
    for _ in digits.utf8.count..<8 { word("0") }
    ascii(digits + ">")
  }
}
