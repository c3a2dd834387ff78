import Glibc
import Satchel
import TestSupport
import Testing

@Suite struct Files {
  @Test func newOnesArePrivate() throws {
    let scratch = try Scratch()
    let settings = try Settings(domain: "d", options: scratch.options { $0.directory! += "/new/folder" })
    var info = stat()
    #expect(stat(settings.path, &info) == 0 && info.st_mode & 0o777 == 0o600)
    #expect(stat(scratch.folder.path + "/new/folder", &info) == 0 && info.st_mode & 0o777 == 0o700)
  }

  @Test func aDomainSaysWhichItIs() throws {
    let settings = try Scratch().open("d")
    #expect("\(settings)" == "Settings d (\(settings.path))")
  }

  @Test func whatIsNoFileIsNoDomain() throws {
    let scratch = try Scratch()
    _ = try scratch.open("d")
    #expect(mkdir(scratch.folder.path + "/folder.satchel", 0o700) == 0)
    #expect(symlink("nowhere", scratch.folder.path + "/gone.satchel") == 0)
    #expect(try Settings.domains(in: scratch.folder.path) == ["d"])
  }

  @Test func aLinkStaysALinkAndModesAreKept() throws {
    let scratch = try Scratch()
    let target = scratch.folder.path + "/elsewhere"
    let path = scratch.folder.path + "/linked.satchel"
    #expect(symlink("elsewhere", path) == 0)
    let settings = try scratch.open("linked")
    try settings.set(1, for: "k")
    #expect(chmod(target, 0o640) == 0)
    try settings.compact()
    var info = stat()
    #expect(lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(target, &info) == 0 && info.st_mode & 0o777 == 0o640)
    #expect(try scratch.open("linked").get("k", as: Int.self) == 1)
  }

  @Test func aNewerVersionIsLeftAlone() throws {
    let scratch = try Scratch()
    let path = try scratch.open().path
    let before = try header(of: path)
    var page = before
    page[8] = 2
    for copy in [0, 2048] {
      page[copy + 8] = 2
      let crc = crc32c(page[copy..<(copy + 76)])
      for i in 0..<4 { page[copy + 76 + i] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(i))) }
    }
    try overwrite(path, page)
    do {
      _ = try scratch.open()
      Issue.record("opened")
    } catch let error as SatchelError { #expect(error.code == .version) }
    #expect(try header(of: path) == page)
  }

  @Test func aForeignFileIsRefusedAndUntouched() throws {
    let scratch = try Scratch()
    let path = scratch.folder.path + "/org.example.test.satchel"
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: 5000)
    try overwrite(path, text)
    do {
      _ = try scratch.open()
      Issue.record("opened")
    } catch let error as SatchelError {
      #expect(error.code == .corrupt)
      #expect(error.path == path)
    }
    #expect(try header(of: path).prefix(4096).allSatisfy { $0 == UInt8(ascii: "x") })
  }

  @Test(arguments: [1, 100, 4000, 4095])
  func aFileCutInsideItsHeaderIsRefusedAndUntouched(size: Int) throws {
    let scratch = try Scratch()
    let path = try scratch.open().path
    #expect(truncate(path, off_t(size)) == 0)
    let before = try header(of: path)
    for create in [true, false] {
      let refusal = failure { _ = try scratch.open { $0.create = create } }
      #expect(refusal?.code == .corrupt)
      #expect(refusal?.path == path)
    }
    var info = stat()
    #expect(stat(path, &info) == 0 && info.st_size == size)
    #expect(try header(of: path) == before)
    #expect(try names(in: scratch.folder.path).count { $0.contains("satchel") } == 1)
  }

  @Test func anEmptyFileIsNoDomainYet() throws {
    let scratch = try Scratch()
    let path = try scratch.open().path
    #expect(truncate(path, 0) == 0)
    let refusal = failure { _ = try scratch.open { $0.create = false } }
    #expect(refusal?.code == .notFound)
    #expect(refusal?.description.contains(path) == true)
    let settings = try scratch.open()
    try settings.set(1, for: "k")
    #expect(try settings.health().notes == [.headerLost])
    #expect(try names(in: scratch.folder.path).contains { $0.contains(".damaged-0-") })
  }

  @Test func aReplacedFileIsNoticed() throws {
    let scratch = try Scratch()
    let settings = try scratch.open("a")
    try settings.set(1, for: "k")
    let other = try scratch.open("b")
    try other.set(2, for: "k")
    #expect(rename(other.path, settings.path) == 0)
    usleep(150_000)
    for _ in 0..<16 { _ = try settings.get("k", as: Int.self) }
    #expect(try settings.get("k", as: Int.self) == 2)
  }

  @Test func readOnlyNeverCreates() throws {
    let scratch = try Scratch()
    #expect(throws: SatchelError.self) { try scratch.open { $0.readOnly = true } }
    let writer = try scratch.open()
    try writer.set(1, for: "k")
    let reader = try scratch.open { $0.readOnly = true }
    #expect(try reader.get("k", as: Int.self) == 1)
    #expect(throws: SatchelError.self) { try reader.set(2, for: "k") }
    try writer.set(3, for: "k")
    #expect(try reader.get("k", as: Int.self) == 3)
  }
}

@Suite struct Compaction {
  @Test(arguments: [1, 30, 55, 100, 1000])
  func makesNoFileLarger(values: Int) throws {
    let scratch = try Scratch()
    let settings = try scratch.open()
    for number in 0..<values { try settings.set(String(repeating: "x", count: 1000), for: "k\(number)") }
    for _ in 0..<3 {
      let before = try settings.health()
      try settings.compact()
      let after = try settings.health()
      #expect(after.fileBytes <= before.fileBytes)
      #expect(after.fileBytes >= 64 << 10)
      #expect(after.keys == values)
    }
    try settings.set(1, for: "room to grow")
    #expect(try scratch.open().get("room to grow", as: Int.self) == 1)
  }

  @Test func keepsKeysOrderAndWriters() throws {
    let scratch = try Scratch()
    let settings = try scratch.open()
    for round in 0..<30 { for key in 0..<50 { try settings.set(round * 100 + key, for: "key \(key)") } }
    let before = try #require(try settings.info(for: "key 7"))
    try settings.compact()
    #expect(try settings.info(for: "key 7") == before)
    #expect(try settings.revision == 1500)
    try settings.set(1, for: "new")
    #expect(try settings.revision == 1501)
    #expect(try scratch.open().keys().count == 51)
    #expect(try settings.health().generation == 2)
    #expect(try settings.health().isSound)
  }

  @Test func happensByItself() throws {
    let scratch = try Scratch()
    let settings = try scratch.open()
    let value = String(repeating: "x", count: 4000)
    for number in 0..<300 { try settings.set(value + "\(number)", for: "k") }
    usleep(1_100_000)
    for number in 0..<600 { try settings.set(value + "\(number)", for: "k") }
    #expect(try settings.health().generation > 1)
    #expect(try settings.get("k", as: String.self) == value + "599")
  }
}

@Suite struct Waiting {
  @Test func wakesForAChangeInAnotherThread() async throws {
    let scratch = try Scratch()
    let settings = try scratch.open()
    let other = try scratch.open()
    let start = try settings.revision
    async let woken = Task.detached { try settings.wait(after: start, timeout: .seconds(20)) }.value
    usleep(20_000)
    try other.set(1, for: "k")
    #expect(try await woken == start + 1)
    #expect(try settings.wait(after: start + 1, timeout: .milliseconds(5)) == nil)
  }
}

// MARK: Helpers

func header(of path: String) throws -> [UInt8] {
  let file = try #require(fopen(path, "r"))
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  _ = fread(&bytes, 1, bytes.count, file)
  return bytes
}

func overwrite(_ path: String, _ bytes: [UInt8]) throws {
  let descriptor = Glibc.open(path, O_WRONLY | O_CREAT, 0o600)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  #expect(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
}

func names(in folder: String) throws -> [String] {
  let stream = try #require(opendir(folder))
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    names.append(
      withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      })
  }
  return names
}

/// Bit by bit, independently of the library's.
func crc32c(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var crc = UInt32.max
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : 0x82F6_3B78) }
  }
  return ~crc
}
