import Glibc
import SatchelSystem
import TestSupport
import Testing

@testable import SatchelLogging

/// Of this thread only, and nothing but what it may do with files. Swift is not told of it by the C library.
@_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> Int32

/// A log directory of app `a` with files of others in it.
struct LogFolder {
  let scratch = ScratchFolder("logs")
  let descriptor: Int32

  init() { descriptor = open(scratch.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

  var files: LogFiles { LogFiles(directory: descriptor, app: "a") }

  func write(_ name: String, _ text: String = LogFolder.line) {
    let file = open(scratch.file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
    close(file)
  }

  func has(_ name: String) -> Bool {
    var info = stat()
    return lstat(scratch.file(name), &info) == 0
  }

  func close() { Glibc.close(descriptor) }

  private func close(_ descriptor: Int32) { Glibc.close(descriptor) }

  static let line = "2026-12-01T10:00:00.000000+00:00 notice hello\n"
  static let today = CivilDate(year: 2026, month: 12, day: 10)

  /// None of them is a file of app `a`: nothing may be done to them.
  static let decoys = [
    "b-2020-01-01.log", "a-b-2020-01-01.log", "a-2020-01-01-2020-01-01.log", "A-2020-01-01.log", "a-2020-01-01.log.gz",
    "a-2020-01-01.txt", "a-2020-01-01.01.log", "a-2020-02-30.log", "a.log", "a-2020-01-01.0.log", ".a-2020-01-01.log",
    "notes", "a-2020-01-01.direct.log", "xa-2020-01-01.log", "a-2020-01-01.log~",
  ]
}

@Suite struct LogFilesTests {
  private func list(_ folder: LogFolder) throws -> [String] { try folder.files.list().files.map(\.name.text) }

  @Test func newestFirst() throws {
    let folder = LogFolder()
    defer { folder.close() }
    let names = [
      "a-2026-12-02.log", "a-2026-12-01.direct.10.log", "a-2026-12-01.direct.9.log", "a-2026-12-01.10.log",
      "a-2026-12-01.9.log", "a-2026-12-01.log", "a-2026-02-01.log", "a-0999-12-31.log",
    ]
    for name in names.shuffled() { folder.write(name) }
    for name in LogFolder.decoys { folder.write(name) }
    #expect(try list(folder) == names)
    // And again, from the same descriptor.
    #expect(try list(folder) == names)
    let file = try folder.files.list().files[0]
    #expect(file.size == Int64(LogFolder.line.utf8.count))
  }

  @Test func onlyRegularFilesOfTheDirectoryItself() throws {
    let folder = LogFolder()
    defer { folder.close() }
    folder.write("a-2026-12-01.log")
    folder.write("elsewhere")
    mkdir(folder.scratch.file("a-2026-12-02.log"), 0o700)
    folder.write("a-2026-12-02.log/a-2026-12-03.log")
    #expect(symlink("elsewhere", folder.scratch.file("a-2026-12-04.log")) == 0)
    #expect(symlink("nowhere", folder.scratch.file("a-2026-12-05.log")) == 0)
    #expect(mkfifo(folder.scratch.file("a-2026-12-06.log"), 0o600) == 0)
    let listing = try folder.files.list()
    #expect(listing.files.map(\.name.text) == ["a-2026-12-01.log"])
    #expect(listing.unreadable.isEmpty)
  }

  @Test func namesThatAreNoText() throws {
    let folder = LogFolder()
    defer { folder.close() }
    let bytes: [UInt8] = Array("a-2026-12-0".utf8) + [0xff] + Array(".log".utf8) + [0]
    let descriptor = bytes.withUnsafeBytes {
      openat(folder.descriptor, $0.assumingMemoryBound(to: CChar.self).baseAddress!, O_WRONLY | O_CREAT, 0o600)
    }
    #expect(descriptor >= 0)
    close(descriptor)
    #expect(try list(folder) == [])
  }

  @Test func aDirectoryThatIsNone() {
    #expect(code { _ = try LogFiles(directory: -1, app: "a").list() } == .io)
  }

  @Test func whatCannotBeReadIsNamed() throws {
    let folder = LogFolder()
    defer { folder.close() }
    folder.write("a-2026-12-01.log")
    folder.write("a-2026-12-02.log")
    chmod(folder.scratch.file("a-2026-12-02.log"), 0)
    // Nothing is hidden from root: the test looks as somebody else, in whose folder this then is.
    try asNobody(folder) {
      let listing = try folder.files.list()
      #expect(listing.files.map(\.name.text) == ["a-2026-12-01.log"])
      #expect(listing.unreadable.map(\.name.text) == ["a-2026-12-02.log"])
      #expect(listing.unreadable.map(\.error) == [EACCES])
      let removal = folder.files.remove([
        LogFiles.File(name: listing.unreadable[0].name, size: 0, isOurs: true)
      ])
      #expect(removal.removed.isEmpty && removal.failed == listing.unreadable)
    }
    #expect(folder.has("a-2026-12-02.log"))
  }

  private func asNobody(_ folder: LogFolder, _ body: () throws -> Void) throws {
    guard geteuid() == 0 else { return try body() }
    let nobody: uid_t = 65_534
    for name in ["", "a-2026-12-01.log", "a-2026-12-02.log"] { chown(folder.scratch.file(name), nobody, nobody) }
    _ = setfsuid(nobody)
    defer { _ = setfsuid(0) }
    try body()
  }
}

@Suite struct LogRetentionTests {
  private func text(_ removal: LogFiles.Removal) -> [String] { removal.removed.map(\.text) }

  private func prune(
    _ folder: LogFolder, days: Int = 0, bytes: Int64 = 0, active: String? = nil
  ) throws -> LogFiles.Removal {
    let retention = LogRetention(days: days, bytes: bytes)
    return try folder.files.prune(retention, today: LogFolder.today, active: active.flatMap { LogFileName($0) })
  }

  @Test func theDayInTheNameCounts() throws {
    let folder = LogFolder()
    defer { folder.close() }
    let old = [
      "a-0001-01-01.log", "a-2026-11-30.log", "a-2026-12-02.log", "a-2026-12-02.3.log", "a-2026-12-02.direct.1.log",
    ]
    let young = ["a-2026-12-03.log", "a-2026-12-03.direct.1.log", "a-2026-12-10.log", "a-9999-12-31.log"]
    for name in old + young + LogFolder.decoys { folder.write(name) }
    let removal = try prune(folder, days: 7, active: "a-2026-12-10.log")
    #expect(text(removal) == old)
    #expect(removal.failed.isEmpty)
    for name in young + LogFolder.decoys { #expect(folder.has(name), "\(name)") }
    #expect(text(try prune(folder, days: 7)) == [])
  }

  @Test func zeroDaysAreForEver() throws {
    let folder = LogFolder()
    defer { folder.close() }
    folder.write("a-0001-01-01.log")
    for days in [0, -1, .min, .max] { #expect(text(try prune(folder, days: days)) == []) }
    #expect(text(try prune(folder, bytes: -1)) == [])
    #expect(text(try prune(folder, days: 1)) == ["a-0001-01-01.log"])
  }

  @Test func neverTheActiveOne() throws {
    let folder = LogFolder()
    defer { folder.close() }
    for name in ["a-2020-01-01.log", "a-2020-01-01.1.log"] { folder.write(name) }
    #expect(text(try prune(folder, days: 1, bytes: 1, active: "a-2020-01-01.1.log")) == ["a-2020-01-01.log"])
    #expect(folder.has("a-2020-01-01.1.log"))
  }

  @Test func theOldestBeyondTheBytes() throws {
    let folder = LogFolder()
    defer { folder.close() }
    let size = Int64(LogFolder.line.utf8.count)
    let names = ["a-2026-12-01.log", "a-2026-12-09.2.log", "a-2026-12-09.10.log", "a-2026-12-10.log"]
    for name in names { folder.write(name) }
    // What may still be written to counts, and stays.
    folder.write("a-2026-12-09.direct.1.log")
    #expect(text(try prune(folder, bytes: 5 * size, active: names[3])) == [])
    #expect(text(try prune(folder, bytes: 4 * size, active: names[3])) == [names[0]])
    #expect(text(try prune(folder, bytes: 4 * size - 1, active: names[3])) == [names[1]])
    #expect(text(try prune(folder, bytes: 1, active: names[3])) == [names[2]])
    #expect(folder.has(names[3]) && folder.has("a-2026-12-09.direct.1.log"))
  }

  @Test func daysThenBytes() throws {
    let folder = LogFolder()
    defer { folder.close() }
    let size = Int64(LogFolder.line.utf8.count)
    let names = ["a-2026-12-01.log", "a-2026-12-08.log", "a-2026-12-09.log", "a-2026-12-10.log"]
    for name in names { folder.write(name) }
    #expect(text(try prune(folder, days: 7, bytes: 3 * size)) == [names[0]])
    folder.write(names[0])
    #expect(text(try prune(folder, days: 7, bytes: 2 * size)) == [names[0], names[1]])
  }

  @Test func sparseFilesOfAnySize() throws {
    let folder = LogFolder()
    defer { folder.close() }
    for day in 1...3 {
      folder.write("a-2026-12-0\(day).log")
      // As large as the file system lets it be.
      var size = off_t.max
      while truncate(folder.scratch.file("a-2026-12-0\(day).log"), size) != 0, size > 1 { size /= 2 }
    }
    #expect(text(try prune(folder, bytes: 1)).count == 3)
  }

  @Test func onlyWhatBeginsAsOurs() throws {
    let folder = LogFolder()
    defer { folder.close() }
    let ours = [
      "", "{\"time\":1}\n", "time=2020-01-01T00:00:00Z level=info\n", LogFolder.line, "2026-12-01T10:00:00.5Z x\n",
    ]
    let theirs = [
      "hello\n", "\u{0}\u{0}\u{0}\u{0}", " {}\n", "2026-12-01 my diary, page one\n", "2026-12-01T10:00:00\n", "time\n",
      "20",
      "[{}]", "2026-12-01T10:00:0x.000000+00:00 x\n",
    ]
    for (number, content) in (ours + theirs).enumerated() { folder.write("a-2020-01-01.\(number + 1).log", content) }
    // Nor do they use up what is allowed.
    folder.write("a-2020-01-02.log", String(repeating: "x", count: 10_000))
    folder.write("a-2026-12-09.log")
    let listing = try folder.files.list()
    #expect(listing.expired(olderThan: 7, today: LogFolder.today, active: nil).count == ours.count)
    #expect(listing.excess(over: 1, today: LogFolder.today, active: nil).count == ours.count + 1)
    let removal = try prune(folder, days: 7, bytes: 1000)
    #expect(text(removal) == (1...ours.count).map { "a-2020-01-01.\($0).log" })
    #expect(removal.failed.isEmpty)
    #expect(try folder.files.list().files.count == theirs.count + 2)
  }

  @Test func linksAndFoldersStay() throws {
    let folder = LogFolder()
    defer { folder.close() }
    folder.write("precious")
    #expect(symlink("precious", folder.scratch.file("a-2020-01-01.log")) == 0)
    mkdir(folder.scratch.file("a-2020-01-02.log"), 0o700)
    let names = ["a-2020-01-01.log", "a-2020-01-02.log", "a-2020-01-03.log"]
    #expect(text(try prune(folder, days: 1)) == [])
    // Even where they have taken the place of a file since it was listed.
    let removal = folder.files.remove(names.map { LogFiles.File(name: LogFileName($0)!, size: 0, isOurs: true) })
    #expect(removal.removed.isEmpty && removal.failed.isEmpty)
    for name in ["precious", names[0], names[1]] { #expect(folder.has(name)) }
  }

  @Test func theDirectoryThatWasOpened() throws {
    let folder = LogFolder()
    defer { folder.close() }
    folder.write("a-2020-01-01.log")
    // Another one is in its place by now.
    let moved = folder.scratch.path + "-moved"
    #expect(rename(folder.scratch.path, moved) == 0)
    mkdir(folder.scratch.path, 0o700)
    folder.write("a-2020-01-01.log")
    folder.write("a-2020-01-02.log")
    #expect(text(try prune(folder, days: 1)) == ["a-2020-01-01.log"])
    #expect(folder.has("a-2020-01-01.log") && folder.has("a-2020-01-02.log"))
    #expect(rmdir(moved) == 0)
  }
}
