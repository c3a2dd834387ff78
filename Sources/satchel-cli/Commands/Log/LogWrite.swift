import Glibc
import SatchelLogging
import SatchelSystem

extension Flag {
  fileprivate static let severity = Flag(
    "level", "LEVEL", .choice(Severity.names), summary: "how severe it is; info where it is left out")
  fileprivate static let of = Flag("category", "NAME", summary: "the category of the record")
  fileprivate static let whole = Flag("whole", summary: "with -: all of standard input is one record, not each line")
  fileprivate static let typed = Flag("text", summary: "values of fields are text, also where they look like numbers")
}

extension Command {
  static let logWrite = Command(
    id: .logWrite, summary: "write a record into a log",
    details: [
      "It is in the file when the command returns. The log is made where there is none yet. A MESSAGE of - reads standard "
        + "input, each line of which is a record.",
      "A value of a field that is written as a number is, or as true or false, is one; every other is text.",
      "What the log's level leaves out is not written, and the exit code is 0: satchel help log level.",
    ],
    operands: [.app, Operand("MESSAGE"), Operand("NAME=VALUE", .any)],
    flags: [.severity, .of, .whole, .typed, .logFolder],
    examples: [
      Example("satchel log write player --level notice \"track started\" seconds=3", "one record with a field"),
      Example("make 2>&1 | satchel log write builds - --category make", "every line that a program prints"),
    ],
    run: { arguments, output throws(Failure) in try LogWriting(arguments).run() })
}

private struct LogWriting {
  let app: String
  let message: String
  let fields: [(name: String, value: String)]
  let arguments: Arguments
  let severity: Severity
  private let options: LogOptions

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    app = try arguments.text(0)
    message = try arguments.text(1)
    severity = Severity(.severity, arguments, default: .info)
    var fields: [(name: String, value: String)] = []
    for text in try arguments.texts(from: 2) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else {
        throw Command.logWrite.misuse("\"\(text)\" is not NAME=VALUE; a message of several words stands in quotes")
      }
      fields.append((parts[0], parts[1]))
    }
    self.fields = fields
    var options = LogOptions()
    options.showsOnConsole = false
    options.directory = arguments.value(.logFolder)
    self.options = options
    if arguments.has(.whole), message != "-" {
      throw Command.logWrite.misuse("--whole is for standard input, MESSAGE -")
    }
  }

  func run() throws(Failure) -> ExitCode {
    if message != "-" { return try write(Array(message.utf8)) }
    if arguments.has(.whole) {
      let text = try Input.standard()
      return try write(text.last == UInt8(ascii: "\n") ? Array(text.dropLast()) : text)
    }
    try Input.lines { line throws(Failure) in _ = try write(line) }
    return .done
  }

  private func write(_ bytes: [UInt8]) throws(Failure) -> ExitCode {
    let answer = try calling { () throws(SatchelError) in
      try bytes.withUnsafeBufferPointer { text throws(SatchelError) in
        try Logger.post(
          app: app, options: options, category: arguments.value(.of) ?? "", severity,
          bytes: UnsafeRawBufferPointer(text), fields: addFields)
      }
    }
    switch answer {
    case .logged, .disabled, .queued: return .done
    case .lost: throw Failure(.failed, "\(app): the record is lost: no file had room for it")
    }
  }

  private func addFields(_ writer: inout RecordWriter) {
    for (name, value) in fields {
      Array(name.utf8).withUnsafeBytes { writer.field($0) }
      switch arguments.has(.typed) ? .text : FieldType(value) {
      case .int(let number): writer.value(number)
      case .double(let number): writer.value(number)
      case .bool(let truth): writer.value(truth)
      case .text: writer.value(value)
      }
    }
  }
}

/// What a value is by the way in which it is written: a number only where it would be written so.
private enum FieldType {
  case int(Int64)
  case double(Double)
  case bool(Bool)
  case text

  init(_ text: String) {
    if let number = Int64(text), String(number) == text {
      self = .int(number)
    } else if let number = Double(text), number.isFinite, "\(number)" == text {
      self = .double(number)
    } else if text == "true" || text == "false" {
      self = .bool(text == "true")
    } else {
      self = .text
    }
  }
}

extension Input {
  /// Each line of standard input as soon as it is there, without its line feed.
  static func lines(_ take: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    var pending: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Failure(.failed, SatchelError(errno: errno, "cannot read standard input").message) }
      if count == 0 { break }
      var rest = chunk[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        try take(pending + rest[..<end])
        pending = []
        rest = rest[(end + 1)...]
      }
      pending += rest
      if pending.count > limit { throw Failure(.limit, "a line of standard input has more than \(limit >> 20) MiB") }
    }
    if !pending.isEmpty { try take(pending) }
  }
}
