import Satchel
import TestSupport
import Testing

/// A domain in a folder of its own.
struct Scratch {
  let folder: ScratchFolder
  init() throws { folder = ScratchFolder("settings") }

  func options(_ change: (inout Settings.Options) -> Void = { _ in }) -> Settings.Options {
    var options = Settings.Options()
    options.directory = folder.path
    change(&options)
    return options
  }

  func open(_ domain: String = "org.example.test", _ change: (inout Settings.Options) -> Void = { _ in }) throws
    -> Settings
  {
    try Settings(domain: domain, options: options(change))
  }
}

@Suite struct TypedValues {
  @Test(arguments: [false, true])
  func everyAwkwardValueSurvives(isPortable: Bool) throws {
    let scratch = try Scratch()
    let settings = try scratch.open { $0.portable = isPortable }
    for (name, value) in awkwardValues where value != .null { try settings.set(value, for: "v/" + name) }
    let again = try scratch.open()
    for (name, value) in awkwardValues where value != .null {
      #expect(try settings.value(for: "v/" + name) == value, "\(name)")
      #expect(try again.value(for: "v/" + name) == value, "\(name), opened again")
    }
    try again.compact()
    for (name, value) in awkwardValues where value != .null {
      #expect(try settings.value(for: "v/" + name) == value, "\(name), compacted")
    }
  }

  @Test func numbersConvertOnlyWhereNothingIsLost() throws {
    let settings = try Scratch().open()
    try settings.set(3.0, for: "whole")
    try settings.set(3.5, for: "half")
    try settings.set(Int64.max, for: "big")
    #expect(try settings.get("whole", as: Int64.self) == 3)
    #expect(throws: SatchelError.self) { try settings.get("half", as: Int64.self) }
    #expect(throws: SatchelError.self) { try settings.get("big", as: Double.self) }
    #expect(throws: SatchelError.self) { try settings.get("big", as: Int8.self) }
    #expect(try settings.get("absent", as: Int.self) == nil)
  }

  @Test func aRefusalNamesBothTypes() throws {
    let settings = try Scratch().open()
    try settings.set(0.5, for: "volume")
    try settings.set("seven", for: "text")
    func says(_ part: String, _ body: () throws -> Void) {
      let message = failure(body)?.message ?? "nothing"
      #expect(message.contains(part))
    }
    says("0.5 cannot be read as an int") { _ = try settings.get("volume", as: Int64.self) }
    says("0.5 cannot be read as an int") { _ = try settings.get("volume", as: Int.self) }
    says("is a string, not a double") { _ = try settings.get("text", as: Double.self) }
    says("is a string, not a bool") { _ = try settings.get("text", as: Bool.self) }
    says("is a double, not a string") { _ = try settings.get("volume", as: String.self) }
    says("is a double, not an int") { try settings.add("volume", 1) }
    says("is a double, not an int") { try settings.transaction { _ = try $0.add("volume", 1) } }
  }

  @Test func aRefusalNamesTheLimit() throws {
    let scratch = try Scratch()
    let settings = try scratch.open()
    try settings.set(Int64.max, for: "n")
    let key = String(repeating: "k", count: 1100)
    let value = String(repeating: "v", count: 17 << 20)
    let sum = failure { try settings.add("n", 1) }
    #expect(sum?.message == "9223372036854775807 plus 1 does not fit an int")
    for refusal in [failure { try settings.set(1, for: key) }, failure { _ = try settings.value(for: key) }] {
      #expect(refusal?.code == .range)
      #expect(refusal?.message == "a key has up to 1024 bytes, and this one has more")
      #expect(refusal?.key == key)
      #expect((refusal?.description.count ?? 9999) < 500)
    }
    #expect(failure { try settings.set(value, for: "k") }?.message.hasPrefix("a value has up to 16 MiB") == true)
    #expect(try scratch.open().get("n", as: Int64.self) == .max)
  }

  @Test func emptyAndUnsetAreDifferent() throws {
    let settings = try Scratch().open()
    try settings.set("", for: "text")
    try settings.set(Value.array([]), for: "list")
    #expect(try settings.get("text", as: String.self) == "")
    #expect(try settings.value(for: "list") == .array([]))
    #expect(try settings.value(for: "nothing") == nil)
    #expect(throws: SatchelError.self) { try settings.set(Value.null, for: "null") }
  }
}

@Suite struct Keys {
  @Test func twinsAndSeparatorsAreDistinct() throws {
    let settings = try Scratch().open()
    let keys = ["a.b", "a/b", "a", "A", "caf\u{e9}", "cafe\u{301}", " ", "-x", "k\n", "🎒"]
    for (number, key) in keys.enumerated() { try settings.set(number, for: key) }
    for (number, key) in keys.enumerated() { #expect(try settings.get(key, as: Int.self) == number) }
    #expect(try settings.keys().map { Array($0.utf8) } == keys.map { Array($0.utf8) })
  }

  @Test(arguments: ["", "nul\0inside", String(repeating: "k", count: 1025)])
  func impossibleKeysAreRefused(key: String) throws {
    let settings = try Scratch().open()
    #expect(throws: SatchelError.self) { try settings.set(1, for: key) }
    #expect(throws: SatchelError.self) { try settings.value(for: key) }
    #expect(try settings.revision == 0)
  }

  @Test func orderIsThatOfInsertion() throws {
    let scratch = try Scratch()
    let settings = try scratch.open()
    for key in ["c", "a", "b"] { try settings.set(1, for: key) }
    try settings.set(2, for: "c")
    #expect(try settings.keys() == ["c", "a", "b"])
    try settings.remove("c")
    try settings.set(3, for: "c")
    try settings.transaction { transaction in
      for key in ["z", "y", "x"] { try transaction.set(1, for: key) }
    }
    try settings.set(2, for: "y")
    #expect(try settings.keys() == ["a", "b", "c", "z", "y", "x"])
    try settings.compact()
    #expect(try scratch.open().keys() == ["a", "b", "c", "z", "y", "x"])
  }

  @Test(arguments: ["", ".hidden", "a/b", "global", "sp ace", String(repeating: "d", count: 256)])
  func impossibleDomainsAreRefused(name: String) throws {
    let scratch = try Scratch()
    #expect(throws: SatchelError.self) { try scratch.open(name) }
  }
}

@Suite struct Conditions {
  @Test func compareAndSet() throws {
    let settings = try Scratch().open()
    #expect(try settings.compareAndSet("k", expected: nil, desired: .int(1)))
    #expect(try !settings.compareAndSet("k", expected: nil, desired: .int(2)))
    #expect(try !settings.compareAndSet("k", expected: .double(1), desired: .int(2)))
    #expect(try settings.compareAndSet("k", expected: .int(1), desired: .int(2)))
    let revision = try #require(try settings.info(for: "k")).revision
    #expect(try settings.compareAndSet("k", revision: revision, desired: nil))
    #expect(try !settings.compareAndSet("k", revision: revision, desired: .int(9)))
    #expect(try settings.compareAndSet("k", revision: 0, desired: .int(9)))
  }

  @Test func addIsExactAndRefusesWhatItCannotHold() throws {
    let settings = try Scratch().open()
    #expect(try settings.add("n", 5) == 5)
    #expect(try settings.add("n", -7) == -2)
    try settings.set(Int64.max, for: "n")
    #expect(throws: SatchelError.self) { try settings.add("n", 1) }
    #expect(try settings.get("n", as: Int64.self) == Int64.max)
    try settings.set("text", for: "t")
    #expect(throws: SatchelError.self) { try settings.add("t", 1) }
  }
}

@Suite struct Transactions {
  struct Stop: Error {}

  @Test func allOrNothingAndOneRevision() throws {
    let settings = try Scratch().open()
    try settings.set(10, for: "a")
    try settings.transaction { transaction in
      try transaction.add("a", -3)
      try transaction.add("b", 3)
      #expect(try transaction.get("b", as: Int.self) == 3)
      #expect(try settings.get("b", as: Int.self) == nil)
    }
    #expect(try settings.revision == 2)
    #expect(try settings.info(for: "a")?.revision == 2)
    #expect(throws: Stop.self) {
      try settings.transaction { transaction in
        try transaction.set(0, for: "a")
        throw Stop()
      }
    }
    #expect(try settings.get("a", as: Int.self) == 7)
  }

  @Test func writingBesideItSaysBusy() throws {
    let settings = try Scratch().open()
    try settings.transaction { _ in
      #expect(throws: SatchelError.self) { try settings.set(1, for: "k") }
    }
    try settings.set(1, for: "k")
  }

  @Test func aSecondHandleWaitsAndTimesOut() throws {
    let scratch = try Scratch()
    let settings = try scratch.open()
    let other = try scratch.open { $0.lockTimeout = .milliseconds(20) }
    try settings.transaction { _ in
      do {
        try other.set(1, for: "k")
        Issue.record("the lock was not held")
      } catch let error as SatchelError {
        #expect(error.code == .timeout)
        #expect(error.message.contains("this process has it now"))
        #expect(error.key == "k")
      }
    }
    try other.set(1, for: "k")
  }
}
