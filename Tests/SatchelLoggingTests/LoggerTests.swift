import Glibc
import SatchelLogging
import SatchelSystem
import TestSupport
import Testing

/// A log in a folder of its own, and what is in its files.
struct ScratchLog {
  let folder = ScratchFolder()
  let log: Logger

  init(_ change: (inout LogOptions) -> Void = { _ in }) throws {
    var options = LogOptions()
    options.directory = folder.path
    options.showsOnConsole = false
    change(&options)
    log = try Logger(app: "test", options: options)
  }

  /// All entries, file by file, once everything is in a file.
  func entries() throws -> [LogEntry] {
    #expect(log.flush(patience: 20_000_000_000))
    return entriesInFiles
  }

  /// What the files hold at the moment.
  var entriesInFiles: [LogEntry] {
    files.flatMap { bytes in
      bytes.withUnsafeBytes { text in
        var entries: [LogEntry] = []
        var rest = text
        while case let line = TextLine.first(in: rest), !line.isEmpty {
          let entry = TextLine.parse(line)
          #expect(entry != nil, "\(String(decoding: line, as: UTF8.self))")
          if let entry { entries.append(entry) }
          rest = UnsafeRawBufferPointer(rebasing: rest[line.count...])
        }
        #expect(rest.isEmpty)
        return entries
      }
    }
  }

  /// What is in each file.
  var files: [[UInt8]] { names.map { read(folder.file($0)) } }

  var names: [String] {
    guard let directory = opendir(folder.path) else { return [] }
    defer { closedir(directory) }
    var names: [LogFileName] = []
    while let entry = readdir(directory) {
      let text = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let name = LogFileName(text) { names.append(name) }
    }
    return names.sorted().map(\.text)
  }

  func read(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var info = stat()
    fstat(file, &info)
    var bytes = [UInt8](repeating: 0, count: Int(info.st_size))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress! + done, $0.count - done, off_t(done)) }
      guard count > 0 else { break }
      done += count
    }
    return bytes
  }
}

/// Logs when it is described.
private struct Talkative: CustomStringConvertible {
  let log: Logger
  let depth: Int
  var description: String {
    log.info("inside \(depth)")
    if depth > 0 { log.notice("deeper \(Talkative(log: log, depth: depth - 1))") }
    return "talkative \(depth)"
  }
}

@Suite struct LoggerTests {
  @Test func whatIsLoggedIsInTheFile() throws {
    let scratch = try ScratchLog()
    let net = try scratch.log.category("net")
    net.warning("lost \(3) of \(2.5) in \("a\nb") \(field: "port", 80) \(field: "host", "x y") \(secret: "hunter2")")
    let entry = try #require(try scratch.entries().first)
    #expect(entry.severity == .warning)
    #expect(entry.category == Array("net".utf8))
    #expect(entry.pid == UInt32(getpid()))
    #expect(String(decoding: entry.file ?? [], as: UTF8.self) == "LoggerTests.swift")
    #expect(String(decoding: entry.function ?? [], as: UTF8.self) == "whatIsLoggedIsInTheFile()")
    #expect(entry.fields == [.init(Array("port".utf8), .int(80)), .init(Array("host".utf8), .text(Array("x y".utf8)))])
    #expect(String(decoding: entry.message, as: UTF8.self).hasPrefix("lost 3 of 2.5 in a\nb "))
    #expect(!String(decoding: scratch.files.joined(), as: UTF8.self).contains("hunter2"))
  }

  @Test func whatIsNotEnabledIsNotEvaluated() throws {
    let scratch = try ScratchLog { $0.level = .warning }
    var evaluated = 0
    func count() -> Int {
      evaluated += 1
      return evaluated
    }
    scratch.log.info("\(count())")
    #expect(evaluated == 0)
    scratch.log.warning("\(count())")
    #expect(try scratch.entries().count == 1)
    #expect(evaluated == 1)
  }

  @Test func aDescriptionMayLog() throws {
    let scratch = try ScratchLog()
    for _ in 0..<100 { scratch.log.info("outside \(Talkative(log: scratch.log, depth: 6))") }
    let texts = try scratch.entries().map { String(decoding: $0.message, as: UTF8.self) }
    #expect(texts.filter { $0 == "outside talkative 6" }.count == 100)
    for depth in 0...6 { #expect(texts.filter { $0 == "inside \(depth)" }.count == 100) }
    for depth in 0..<6 { #expect(texts.filter { $0 == "deeper talkative \(depth)" }.count == 100) }
  }

  @Test func anAlertIsInAFileWhenTheCallReturns() throws {
    let scratch = try ScratchLog()
    for number in 0..<20 {
      scratch.log.alert("number \(number)")
      #expect(scratch.entriesInFiles.last?.message == Array("number \(number)".utf8))
    }
  }

  @Test(arguments: [1, 1000, 30_000, 40_000, 300_000, 4 << 20])
  func messagesOfAnyLengthAreKept(length: Int) throws {
    let scratch = try ScratchLog()
    let text = String(repeating: "x", count: length)
    scratch.log.notice("\(text)")
    scratch.log.notice("after")
    let entries = try scratch.entries()
    #expect(entries.count == 2)
    #expect(entries.contains { $0.message.count == length })
  }

  @Test func categoriesBeyondTheTableAreNamedAllTheSame() throws {
    let scratch = try ScratchLog()
    for number in 0..<100 { try scratch.log.category("category \(number)").info("here") }
    let names = Set(try scratch.entries().map { String(decoding: $0.category ?? [], as: UTF8.self) })
    #expect(names == Set((0..<100).map { "category \($0)" }))
  }

  @Test func secretsNeverGetIntoARing() throws {
    let scratch = try ScratchLog()
    let secret = "correct horse " + String(repeating: "b", count: 3)
    scratch.log.info("password=\(secret) for \("alice")")
    scratch.log.info("signed in \(field: "password", secret) \(field: "pin_token", 4711) \(field: "tries", 2)")
    scratch.log.info("header \("Authorization: Bearer " + String(repeating: "x1Y2", count: 10))")
    _ = try scratch.entries()
    let live = scratch.folder.path + "/.test.live/"
    let places = scratch.names.map(scratch.folder.file) + [live + "ctl", live + "ring.0"]
    for bytes in places.map(scratch.read) {
      #expect(!bytes.isEmpty)
      for word in [secret, "4711", "x1Y2x1Y2"] { #expect(!contains(bytes, word)) }
    }
    #expect(contains(scratch.files.flatMap { $0 }, "alice"))
    #expect(contains(scratch.files.flatMap { $0 }, "tries=2"))
  }

  private func contains(_ bytes: [UInt8], _ word: String) -> Bool {
    let word = Array(word.utf8)
    return bytes.indices.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }

  @Test func severitiesAreSetFromOutside() throws {
    let scratch = try ScratchLog()
    let net = try scratch.log.category("net")
    let place = try LogDirectory.open(app: "test", path: scratch.folder.path)
    #expect(!net.isEnabled(.trace))
    try place.setLevel(.all, category: "net", for: nil)
    #expect(net.isEnabled(.trace) && !scratch.log.isEnabled(.trace))
    try place.setLevel([], category: "", for: nil)
    #expect(!net.isEnabled(.fatal) && !scratch.log.isEnabled(.fatal))
    try place.setLevel(nil, category: "", for: nil)
    #expect(!net.isEnabled(.trace) && scratch.log.isEnabled(.info))
    try place.setLevel(.all, category: "net", for: 30_000_000)
    #expect(net.isEnabled(.trace))
    while net.isEnabled(.trace) { usleep(10_000) }
    #expect(place.levels.isEmpty)
  }

  @Test func theFlightRecorderTellsWhatWentBefore() throws {
    let scratch = try ScratchLog { $0.recorder = .trace }
    for number in 0..<10 { scratch.log.debug("step \(number)") }
    #expect(try scratch.entries().isEmpty)
    scratch.log.alert("bad")
    scratch.log.alert("worse")
    let entries = try scratch.entries()
    let texts = entries.map { String(decoding: $0.message, as: UTF8.self) }
    #expect(texts == (0..<10).map { "step \($0)" } + ["bad", "worse"])
    #expect(entries.prefix(10).allSatisfy { $0.mark == .recorded })
  }

  @Test func threadsKeepTheirOrder() async throws {
    let scratch = try ScratchLog()
    let log = scratch.log
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for number in 0..<5000 { log.info("\(thread) \(number)") } }
      }
    }
    var next = [Int](repeating: 0, count: 4)
    for entry in try scratch.entries() where entry.severity == .info {
      let words = String(decoding: entry.message, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
      #expect(words[1] == next[words[0]])
      next[words[0]] += 1
    }
    #expect(next == [5000, 5000, 5000, 5000])
  }

  @Test func filesOfALimitedSize() throws {
    let scratch = try ScratchLog { $0.maximumSize = 64 << 10 }
    for number in 0..<5000 { scratch.log.info("a line of some length, number \(number)") }
    let entries = try scratch.entries()
    #expect(entries.count == 5000)
    #expect(scratch.names.count > 1)
  }

  @Test func anAppsNameIsChecked() {
    for name in ["", ".hidden", "a/b", "ä", String(repeating: "x", count: 300)] {
      #expect(throws: SatchelError.self) { try Logger(app: name) }
    }
  }
}
