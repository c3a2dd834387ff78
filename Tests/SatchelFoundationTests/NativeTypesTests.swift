import Foundation
import Satchel
import SatchelFoundation
import TestSupport
import Testing

@Suite struct Errors {
  @Test func foundationSaysWhatSatchelSays() {
    let error: any Error = SatchelError(.type, "is a double, not an int", domain: "d", path: "/p", key: "volume")
    #expect(error.localizedDescription == "d: volume: is a double, not an int (/p)")
  }
}

@Suite struct Dates {
  @Test(arguments: [
    0, 1, -1, 0.5, -0.5, 1e9, -1e9, 978_307_200, -0.000001, 1_790_000_000.000000119,
  ])
  func survive(since1970: Double) throws {
    let date = Date(timeIntervalSince1970: since1970)
    #expect(try Date(value: try date.makeValue()) == date)
  }

  @Test func distantOnesSurvive() throws {
    for date in [Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0), Date()] {
      #expect(try Date(value: try date.makeValue()) == date)
    }
    // As far as 64 bits of seconds reach, in the steps of a Double.
    let far = Date(timeIntervalSinceReferenceDate: 9e18)
    #expect(try Date(value: try far.makeValue()) == far)
  }

  @Test func before1970NanosecondsStillCountUpwards() throws {
    let date = Date(timeIntervalSince1970: -0.25)
    #expect(try date.makeValue() == .date(Timestamp(seconds: -1, nanoseconds: 750_000_000)))
    #expect(try Date(value: .date(Timestamp(seconds: -1, nanoseconds: 750_000_000))) == date)
  }

  @Test func nanosecondsNear2001AreKept() throws {
    for nanoseconds: UInt32 in [0, 1, 2, 499_999_999, 999_999_999] {
      let time = try Timestamp(seconds: 978_307_200, nanoseconds: nanoseconds)
      #expect(try Date(value: .date(time)).makeValue() == .date(time))
    }
  }

  @Test func todayStepsAreThoseOfADouble() throws {
    let time = try Timestamp(seconds: 1_790_000_000, nanoseconds: 123_456_789)
    let again = try Date(value: .date(time)).makeValue().asTimestamp()
    #expect(again.seconds == time.seconds)
    #expect(abs(Int(again.nanoseconds) - Int(time.nanoseconds)) <= 60)
  }

  @Test func aCarryIntoTheNextSecond() throws {
    let date = Date(timeIntervalSinceReferenceDate: -1e-10)
    #expect(try date.makeValue() == .date(Timestamp(seconds: 978_307_200)))
  }

  @Test func whatIsNoPointInTimeIsRefused() {
    #expect(code { _ = try Date(timeIntervalSince1970: .nan).makeValue() } == .invalid)
    #expect(code { _ = try Date(timeIntervalSince1970: .infinity).makeValue() } == .invalid)
    #expect(code { _ = try Date(timeIntervalSince1970: 1e19).makeValue() } == .range)
    #expect(code { _ = try Date(timeIntervalSince1970: -1e19).makeValue() } == .range)
    #expect(code { _ = try Date(timeIntervalSinceReferenceDate: 0x1p63.nextDown).makeValue() } == .range)
    #expect(code { _ = try Date(value: .date(Timestamp(seconds: .min))) } == .range)
    #expect(code { _ = try Date(value: "yesterday") } == .type)
    #expect(code { _ = try Date(value: 5) } == .type)
  }

  @Test func theLastSecondsReadAsDates() throws {
    #expect(try Date(value: .date(Timestamp(seconds: .max))).timeIntervalSinceReferenceDate > 9e18)
  }
}

@Suite struct Bytes {
  @Test func survive() throws {
    for data in [Data(), Data([0]), Data(0...255), Data(repeating: 0xff, count: 100_000)] {
      #expect(try Data(value: data.makeValue()) == data)
    }
    // A slice does not begin at 0.
    let slice = Data(0...9).dropFirst(3)
    #expect(slice.makeValue() == .data([3, 4, 5, 6, 7, 8, 9]))
    #expect(code { _ = try Data(value: [1, 2]) } == .type)
    #expect(code { _ = try Data(value: "text") } == .type)
  }
}

@Suite struct URLs {
  @Test(arguments: [
    "https://example.org", "https://example.org/", "https://example.org/a%20b?q=%C3%A9#f", "mailto:a@example.org",
    "file:///tmp/x", "urn:isbn:0451450523", "data:,", "https://[::1]:8080/", "relative/path", "x:y",
  ])
  func survive(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(try url.makeValue() == .url(text))
    #expect(try URL(value: .url(text)) == url)
    #expect(try URL(value: try url.makeValue()) == url)
  }

  @Test func spacesAndOtherAlphabetsAreEscaped() throws {
    let path = URL(fileURLWithPath: "/tmp/a file, größer ☃.txt")
    let value = try path.makeValue()
    #expect(value == .url("file:///tmp/a%20file,%20gr%C3%B6%C3%9Fer%20%E2%98%83.txt"))
    #expect(try URL(value: value).path == path.path)
    // Stored unescaped by somebody else: it reads, in Foundation's spelling.
    #expect(try URL(value: .url("https://example.org/größer")).absoluteString == "https://example.org/gr%C3%B6%C3%9Fer")
  }

  @Test func aBaseIsResolved() throws {
    let url = try #require(URL(string: "b?c", relativeTo: URL(string: "https://example.org/a/")))
    #expect(try url.makeValue() == .url("https://example.org/a/b?c"))
  }

  @Test func absoluteTextReadsAsAURL() throws {
    #expect(try URL(value: "https://example.org/").host == "example.org")
    #expect(code { _ = try URL(value: "no scheme") } == .type)
    #expect(code { _ = try URL(value: .url("http://[bad")) } == .type)
    #expect(code { _ = try URL(value: 5) } == .type)
  }
}

@Suite struct UUIDs {
  @Test func survive() throws {
    for id in [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))] {
      #expect(try UUID(value: id.makeValue()) == id)
      #expect(UUID(UniqueID(id)) == id)
    }
    let id = try #require(UUID(uuidString: "01234567-89ab-cdef-8123-456789ABCDEF"))
    #expect(id.makeValue() == .uuid(UniqueID(high: 0x0123_4567_89ab_cdef, low: 0x8123_4567_89ab_cdef)))
    #expect(UniqueID(id).text.uppercased() == id.uuidString)
    #expect(code { _ = try UUID(value: .data([1])) } == .type)
  }
}

@Suite struct StoredNatively {
  @Test func throughADomain() throws {
    let folder = ScratchFolder("foundation")
    var options = Settings.Options()
    options.directory = folder.path
    let settings = try Settings(domain: "native", options: options)
    let date = Date(timeIntervalSince1970: -86_400.5)
    let url = try #require(URL(string: "https://example.org/a%20b"))
    let id = UUID()
    try settings.set(date, for: "date")
    try settings.set(Data([1, 2]), for: "data")
    try settings.set(url, for: "url")
    try settings.set(id, for: "id")
    try settings.set([date, .distantPast], for: "dates")
    #expect(try settings.get("date", as: Date.self) == date)
    #expect(try settings.get("data", as: Data.self) == Data([1, 2]))
    #expect(try settings.get("url", as: URL.self) == url)
    #expect(try settings.get("id", as: UUID.self) == id)
    #expect(try settings.get("dates", as: [Date].self) == [date, .distantPast])
    #expect(try settings.get("absent", as: Date.self) == nil)
    let error = failure { _ = try settings.get("url", as: Date.self) }
    #expect(error?.code == .type && error?.key == "url" && error?.domain == "native")
    #expect(failure { try settings.set(Date(timeIntervalSince1970: .nan), for: "date") }?.key == "date")
    #expect(try settings.get("date", as: Date.self) == date)
  }
}
