extension TextLine {
  /// `2026-12-01T00:53:10.123456+00:00 notice [812/815 main]`
  static func head(_ scanner: inout ByteScanner, _ entry: inout LogEntry) -> Bool {
    guard let (time, offset) = scanner.lineTime(), let symbol = scanner.next(), let mark = LineMark(symbol: symbol),
      let severity = severity(&scanner)
    else { return false }
    (entry.time, entry.offset, entry.mark, entry.severity) = (time, offset, mark, severity)
    guard scanner.skip(UInt8(ascii: " ")), kind(&scanner, &entry), scanner.skip(UInt8(ascii: "[")) else { return false }
    return thread(&scanner, &entry) && scanner.skip(UInt8(ascii: "]"))
  }

  private static func severity(_ scanner: inout ByteScanner) -> Severity? {
    let name = scanner.take { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "/") }
    guard let severity = Severity(name: String(decoding: name, as: UTF8.self)) else { return nil }
    _ = scanner.take { $0 == UInt8(ascii: " ") }
    return severity
  }

  /// `loss#12 `; a message has nothing.
  private static func kind(_ scanner: inout ByteScanner, _ entry: inout LogEntry) -> Bool {
    guard scanner.peek != UInt8(ascii: "[") else { return true }
    let word = scanner.take { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "#") }
    guard let kind = RecordKind(word: word) else { return false }
    entry.kind = kind
    if scanner.skip(UInt8(ascii: "#")) {
      guard let number = scanner.number(UInt32.self) else { return false }
      entry.number = number
    }
    return scanner.skip(UInt8(ascii: " "))
  }

  private static func thread(_ scanner: inout ByteScanner, _ entry: inout LogEntry) -> Bool {
    guard let pid = scanner.number(UInt32.self), scanner.skip(UInt8(ascii: "/")),
      let tid = scanner.number(UInt32.self), scanner.skip(UInt8(ascii: " "))
    else { return false }
    (entry.pid, entry.tid) = (pid, tid)
    if scanner.peek == UInt8(ascii: "\"") {
      guard let name = scanner.quoted() else { return false }
      entry.thread = name
    } else {
      let name = scanner.take { $0 == UInt8(ascii: "]") }
      entry.thread = name.elementsEqual("-".utf8) ? [] : Array(name)
    }
    return true
  }

  /// ` category file.swift:12 function: `
  static func place(_ scanner: inout ByteScanner, _ entry: inout LogEntry) -> Bool {
    if scanner.skip(": ") { return true }
    guard scanner.skip(UInt8(ascii: " ")), var word = scanner.quotable(end: UInt8(ascii: ":")) else { return false }
    if scanner.skip(": ") {
      entry.category = word
      return true
    }
    if scanner.skip(UInt8(ascii: " ")) {
      entry.category = word
      guard let file = scanner.quotable(end: UInt8(ascii: ":")) else { return false }
      word = file
    }
    return source(word, &scanner, &entry)
  }

  /// `:12 function: `, behind the file.
  private static func source(_ file: [UInt8], _ scanner: inout ByteScanner, _ entry: inout LogEntry) -> Bool {
    if !file.isEmpty { entry.file = file }
    guard scanner.skip(UInt8(ascii: ":")), let line = scanner.number(UInt32.self) else { return false }
    entry.line = line
    if scanner.skip(": ") { return true }
    guard scanner.skip(UInt8(ascii: " ")) else { return false }
    if scanner.peek == UInt8(ascii: "\"") {
      guard let function = scanner.quoted() else { return false }
      entry.function = function
      return scanner.skip(": ")
    }
    let function = scanner.take { $0 == UInt8(ascii: " ") }
    guard function.last == UInt8(ascii: ":") else { return false }
    entry.function = Array(function.dropLast())
    return scanner.skip(UInt8(ascii: " "))
  }
}

extension LineMark {
  init?(symbol: UInt8) {
    guard let mark = LineMark.allCases.first(where: { $0.symbol == symbol }) else { return nil }
    self = mark
  }

  init?(word: some Collection<UInt8>) {
    guard let mark = LineMark.allCases.first(where: { $0.word.isSame(as: word) }) else { return nil }
    self = mark
  }
}

extension RecordKind {
  init?(word: some Collection<UInt8>) {
    guard let kind = RecordKind.allCases.first(where: { $0.word.isSame(as: word) }) else { return nil }
    self = kind
  }
}
