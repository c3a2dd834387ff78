import Glibc
import SatchelSystem
import TestSupport
import Testing

@testable import SatchelLogging

/// A folder with files that are written by hand, and what is read of them.
private struct ScratchFiles {
  let folder = ScratchFolder()

  func write(_ name: String, _ bytes: [UInt8]) {
    let file = open(folder.file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      done += bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, $0.count - done) }
    }
  }
  func write(_ name: String, _ lines: String...) { write(name, Array(lines.map { $0 + "\n" }.joined().utf8)) }

  func place(_ app: String = "app") throws -> LogPlace { try LogPlace(app: app, folder: folder.path) }

  func lines(_ apps: [String] = ["app"], since: Int64? = nil) throws -> [LogLine] {
    let reader = try LogReader(apps.map { try place($0) }, since: since)
    return Array(sequence(state: ()) { _ in reader.next() })
  }

  /// What stands behind the head.
  func words(_ apps: [String] = ["app"], since: Int64? = nil) throws -> [String] {
    try lines(apps, since: since).map { line in
      let text = String(decoding: line.bytes, as: UTF8.self)
      return line.entry.map { String(decoding: $0.message, as: UTF8.self) } ?? "? " + text.dropLast()
    }
  }
}

/// A line of text: `mark` is the character behind the time, a second of the tenth hour.
private func line(_ second: String, _ message: String, mark: Character = " ", pid: Int = 1, day: Int = 30) -> String {
  "2026-11-\(day)T10:00:\(second)000+00:00\(mark)info [\(pid)/\(pid) main]: \(message)"
}

@Suite struct LogReaderTests {
  @Test func filesOfADayFollowEachOtherByNumberNotByText() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-30.10.log", line("04.000", "d"))
    files.write("app-2026-11-30.9.log", line("03.000", "c"))
    files.write("app-2026-11-30.log", line("02.000", "b"))
    files.write("app-2026-11-29.log", line("01.000", "a", day: 29))
    #expect(try files.words() == ["a", "b", "c", "d"])
  }

  @Test func lateAndRecordedLinesComeToTheirPlaceAcrossFiles() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-30.log", line("01.000", "a"), line("03.000", "c"))
    files.write(
      "app-2026-11-30.1.log", line("05.000", "e"), line("02.000", "b", mark: "~"), line("00.500", "0", mark: "^"),
      line("04.000", "d", mark: "~"), line("06.000", "f"))
    #expect(try files.words() == ["0", "a", "b", "c", "d", "e", "f"])
  }

  @Test func directFilesAreMergedWhateverTheirOrder() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-30.log", line("01.000", "a"), line("04.000", "d"), line("07.000", "g"))
    files.write(
      "app-2026-11-30.direct.1.log", line("03.000", "c", mark: "!", pid: 2), line("02.000", "b", mark: "!", pid: 3),
      line("06.000", "f", mark: "!", pid: 2))
    files.write("app-2026-11-30.direct.2.log", line("05.000", "e", mark: "!", pid: 4))
    #expect(try files.words() == ["a", "b", "c", "d", "e", "f", "g"])
  }

  @Test func whereTheClockWasSetBackLinesStayInTheOrderTheyWereWrittenIn() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-30.log", line("09.000", "a"), line("01.000", "b"), line("02.000", "c"))
    #expect(try files.words() == ["a", "b", "c"])
  }

  @Test func aRepeatIsShownOnceWhicheverComesFirst() throws {
    let files = ScratchFiles()
    files.write(
      "app-2026-11-30.log", line("01.000", "x"), line("02.000", "x"), line("02.000", "y"), line("03.000", "z"))
    files.write(
      "app-2026-11-30.direct.1.log",
      // Half a millisecond later, and half a millisecond sooner, by another reading of the clock.
      "2026-11-30T10:00:01.000500+00:00=info [1/1 main]: x", "2026-11-30T10:00:01.999500+00:00=info [1/1 main]: y",
      // Of another thread, and a second later: no repeat of what is there.
      line("02.500", "z", mark: "=", pid: 2), line("04.000", "z", mark: "="))
    #expect(try files.words() == ["x", "y", "x", "z", "z", "z"])
  }

  @Test func twoEqualRecordsOfOneInstantAreTwo() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-30.log", line("01.000", "x"), line("01.000", "x"))
    files.write("app-2026-11-30.direct.1.log", line("01.000", "x", mark: "="))
    #expect(try files.words() == ["x", "x"])
  }

  @Test func linesThatAreNoRecordsStayWhereTheyAre() throws {
    let files = ScratchFiles()
    files.write(
      "app-2026-11-30.log", "before", line("01.000", "a"), "{oops", "time=x", "    indented", line("02.000", "b"))
    files.write("app-2026-11-30.direct.1.log", line("01.500", "m", mark: "!"))
    #expect(try files.words() == ["? before", "a", "? {oops", "? time=x", "?     indented", "m", "b"])
  }

  @Test func continuationLinesBelongToTheirRecord() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-30.log", line("01.000", "a\n    b\n        c"), line("02.000", "d"))
    #expect(try files.words() == ["a\nb\n    c", "d"])
  }

  @Test func aLineWithoutItsEndIsShownAndLeftToAFollower() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-30.log", Array((line("01.000", "a") + "\n" + line("02.000", "half")).utf8))
    #expect(try files.words() == ["a", "half"])
    let reader = try LogReader([files.place()], isFollowed: true)
    let follower = try LogFollower([files.place()], behind: reader)
    #expect(reader.next()?.entry?.message == Array("a".utf8))
    #expect(reader.next() == nil)
    #expect(try follower.read().isEmpty)
    let file = open(files.folder.file("app-2026-11-30.log"), O_WRONLY | O_APPEND)
    defer { close(file) }
    #expect(Glibc.write(file, " more\n", 6) == 6)
    #expect(follower.wait(output: file))
    #expect(try follower.read().map { String(decoding: $0.entry?.message ?? [], as: UTF8.self) } == ["half more"])
  }

  @Test func emptyFilesAndBytesOfZeroStopNothing() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-29.log", [])
    files.write(
      "app-2026-11-30.log", [UInt8](repeating: 0, count: 70_000) + Array((line("01.000", "a\0b") + "\n").utf8))
    files.write("app-2026-11-30.direct.1.log", [0])
    let lines = try files.lines()
    #expect(lines.map(\.bytes.count).sorted().first == 1)
    #expect(lines.contains { $0.format == nil && $0.bytes.count > 70_000 })
  }

  @Test func aLineMayBeLongerThanEveryBuffer() throws {
    let files = ScratchFiles()
    let long = String(repeating: "long ", count: 400_000)
    files.write("app-2026-11-30.log", line("01.000", "a"), line("02.000", long + "\n    " + long), line("03.000", "b"))
    #expect(try files.words() == ["a", long + "\n" + long, "b"])
  }

  @Test func logsOfSeveralAppsAndFormatsAreOne() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-30.log", line("01.000", "a"), line("03.000", "c"))
    files.write(
      "two-2026-11-30.log",
      #"{"time":"2026-11-30T10:00:02.000000+00:00","level":"info","message":"b","pid":1,"tid":1}"#,
      #"time="2026-11-30T10:00:04.000000+00:00" level=info pid=1 tid=1 msg="d""#)
    #expect(try files.words(["app", "two"]) == ["a", "b", "c", "d"])
    #expect(try files.words(["two"]) == ["b", "d"])
  }

  @Test func filesOfEarlierDaysArePassedOver() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-20.log", line("01.000", "old", day: 20))
    files.write("app-2026-11-30.log", line("01.000", "new"))
    let since = try #require(TimePoint.parse("2026-11-30T10:00:00Z", now: 0, zone: .utc))
    #expect(try files.words(since: since) == ["new"])
    #expect(try files.words() == ["old", "new"])
  }

  @Test func whatIsWrittenWhileItIsReadIsLeftForLater() throws {
    let files = ScratchFiles()
    files.write("app-2026-11-30.log", line("01.000", "a"))
    let reader = try LogReader([files.place()])
    files.write("app-2026-11-30.log", line("01.000", "a"), line("02.000", "b"))
    #expect(reader.next() != nil)
    #expect(reader.next() == nil)
  }

  @Test func withoutALogThereIsAnErrorWithThePath() throws {
    let files = ScratchFiles()
    files.write("other-2026-11-30.log", line("01.000", "a"))
    let error = #expect(throws: SatchelError.self) { try files.place() }
    #expect(error?.code == .notFound)
    #expect(error?.path == files.folder.path)
  }

  @Test func whatWasReadIsRenderedAsItWas() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var made = RandomRecord.make(&random)
      made.expected.mark = LineMark.allCases.randomElement(using: &random) ?? .normal
      let entry = made.expected
      var text = TextRenderer()
      let bytes = entry.record.withUnsafeBytes { bytes in
        [UInt8](unsafeUninitializedCapacity: TextRenderer.worstCase(bytes.count)) { room, count in
          let start = UnsafeMutableRawPointer(room.baseAddress!)
          let reader = RecordReader(bytes.baseAddress!, room: bytes.count)!
          count =
            text.render(
              reader, time: entry.time, offset: 0, mark: entry.mark,
              category: UnsafeRawBufferPointer(start: nil, count: 0),
              into: start) - start
        }
      }
      let line = bytes.withUnsafeBytes { LogLine($0, after: 0) }
      #expect(line.format == .text)
      #expect(line.entry == entry)
      let logfmt = EntryRenderer(.logfmt).render(line).withUnsafeBytes { LogLine($0, after: 0) }
      #expect(logfmt.format == .logfmt)
      #expect(logfmt.head.pid == entry.pid)
    }
  }
}
