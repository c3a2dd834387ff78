import Glibc
import TestSupport
import Testing

@testable import SatchelSystem

@Suite struct ZoneTests {
  private let folder = ScratchFolder("zones")
  private let folders: [String]

  init() throws {
    folders = [folder.file("absent"), folder.file("zoneinfo")]
    mkdir(folder.file("zoneinfo"), 0o700)
    mkdir(folder.file("zoneinfo/Europe"), 0o700)
    try write(TZif(offsets: [3600], footer: "CET-1CEST,M3.5.0,M10.5.0/3").bytes, "zoneinfo/Europe/Somewhere")
    try write(TZif(offsets: [0]).bytes, "outside")
    try write(Array("not a zone, but a text".utf8), "zoneinfo/README")
    try write([], "zoneinfo/empty")
    try write([UInt8](repeating: 0, count: 65_537), "zoneinfo/large")
    #expect(symlink("Europe/Somewhere", folder.file("zoneinfo/Alias")) == 0)
    #expect(mkfifo(folder.file("zoneinfo/pipe"), 0o600) == 0)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    let descriptor = open(folder.file(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  @Test func byName() throws {
    let zone = try #require(Zone(named: "Europe/Somewhere", in: folders))
    #expect(zone.name == "Europe/Somewhere")
    #expect(zone.rules.offset(at: 0) == 3600)
    #expect(Zone(named: "Alias", in: folders)?.rules.offset(at: 0) == 3600)
  }

  @Test func namesOfNoZone() {
    for name in [
      "", ".", "..", "../outside", "Europe/../Europe/Somewhere", "/", folder.file("outside"), "Europe", "Europe/",
      "Europe//Somewhere", "Europe/Somewhere/", "./Europe/Somewhere", "Europe/Nowhere", "Europe/Somewhere\u{0}",
      "Eur ope", "Ä",
      "README", "empty", "large", "pipe", String(repeating: "a", count: 5000),
    ] {
      #expect(Zone(named: name, in: folders) == nil, "\(name)")
    }
  }

  @Test func theOneOfTheMachine() throws {
    let link = folder.file("localtime")
    #expect(Zone.system(link).record == "UTC0")

    #expect(symlink("zoneinfo/Alias", link) == 0)
    let zone = Zone.system(link)
    #expect(zone.name == "Europe/Somewhere")
    #expect(zone.record == "Europe/Somewhere CET-1CEST,M3.5.0,M10.5.0/3")

    // A copy has no name, but rules.
    unlink(link)
    try write(TZif(offsets: [3600], footer: "CET-1CEST,M3.5.0,M10.5.0/3").bytes, "localtime")
    #expect(Zone.system(link).record == "CET-1CEST,M3.5.0,M10.5.0/3")

    unlink(link)
    try write(Array("TZif".utf8), "localtime")
    #expect(Zone.system(link).record == "UTC0")
  }

  @Test func records() throws {
    let record = "Europe/Somewhere CET-1CEST,M3.5.0,M10.5.0/3"
    let here = try #require(Zone(record: record, in: folders))
    #expect(here.record == record)
    #expect(here.rules.span(at: 0).until == .max || here.rules.offset(at: 0) == 3600)

    // Where the database is not: the same rules, and the same record.
    let elsewhere = try #require(Zone(record: record, in: []))
    #expect(elsewhere.record == record)
    #expect(elsewhere.rules.offset(at: 1_782_000_000) == 7200)

    #expect(Zone(record: "UTC0", in: folders)?.record == "UTC0")
    #expect(Zone(record: "Europe/Somewhere", in: folders)?.rules.offset(at: 0) == 3600)
    // A name that leads elsewhere does not survive.
    #expect(Zone(record: "../outside <+03>-3", in: folders)?.record == "<+03>-3")
    for text in ["", " ", "Europe/Nowhere", "Europe/Nowhere nonsense"] {
      #expect(Zone(record: text, in: folders) == nil, "\(text)")
    }
  }
}
