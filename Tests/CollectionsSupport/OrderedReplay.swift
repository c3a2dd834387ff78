import SatchelCollections

/// Carries out what a stream of bytes says, on ordered dictionaries that share their contents now and then and on their models, and
/// compares every answer.
public struct OrderedReplay<Key: ReplayKey> {
  typealias Subject = OrderedDictionary<Key, Tracked>
  struct Stop: Error {}

  var bytes: ArraySlice<UInt8>
  /// Keys are below it; a power of two.
  var keyLimit = 1
  /// Two of them, so that each is a copy of the other at times.
  var subjects = [Subject(), Subject()]
  var models = [OrderedModel<Key>(), OrderedModel<Key>()]
  /// The one that the step is about.
  var which = 0
  /// An iteration that began some steps ago, and what it still has to bring.
  var iteration = Subject().makeIterator()
  var expected: ArraySlice<(key: Key, value: Int)> = []
  var fault: String?
  var steps = 0

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    keyLimit = 4 << Int(byte() & 7)
  }

  /// Runs to the end of the stream; what was wrong first, or nil.
  public static func run(_ bytes: [UInt8]) -> String? {
    let before = Tracked.count
    let fault = runThrough(bytes)
    if let fault { return fault }
    return Tracked.count == before ? nil : "\(Tracked.count - before) values were never let go of"
  }

  private static func runThrough(_ bytes: [UInt8]) -> String? {
    var replay = OrderedReplay(bytes)
    while !replay.bytes.isEmpty, replay.fault == nil { replay.step() }
    replay.compareAll()
    return replay.fault
  }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
  mutating func number() -> Int { Int(byte()) | Int(byte()) << 8 }
  mutating func key() -> Key { Key.replayKey(number() & (keyLimit - 1)) }
  /// A position that exists; only for one that is not empty.
  mutating func position() -> Int { number() % models[which].pairs.count }

  mutating func check(_ isRight: Bool, _ what: String) {
    if !isRight, fault == nil { fault = "step \(steps): \(what)" }
  }

  mutating func step() {
    steps += 1
    let choice = byte()
    which = Int(choice >> 7)
    // Most steps are of the common kinds, or the tables would never grow.
    let common: [Operation] = [.update, .set, .update, .remove, .moveToEnd, .moveToStart, .popFirst, .append]
    let operation = Operation(rawValue: choice & 0x7f) ?? common[Int(choice) % common.count]
    perform(operation)
    check(subjects[which].count == models[which].pairs.count, "\(operation): the count")
    continueIteration()
    if steps % 8 == 0 { compareAll() }
  }

  /// Everything that can be asked.
  mutating func compareAll() {
    for which in 0...1 {
      let (subject, pairs) = (subjects[which], models[which].pairs)
      check(subject.elementsEqual(pairs) { $0.key == $1.key && $0.value.number == $1.value }, "iteration")
      check(subject.keys.elementsEqual(pairs.map(\.key)), "keys")
      check(subject.values.map(\.number) == pairs.map(\.value), "values")
      check(pairs.indices.allSatisfy { subject.position(of: pairs[$0].key) == $0 }, "positions of keys")
      check(pairs.indices.allSatisfy { subject.elements[$0].key == pairs[$0].key }, "keys at positions")
      check(pairs.allSatisfy { subject[$0.key]?.number == $0.value }, "values under keys")
      check(subject.reversed().map(\.key) == pairs.map(\.key).reversed(), "backwards")
      #if SATCHEL_CHECKS || DEBUG
      if let inner = subject.fault() { check(false, inner) }
      #endif
    }
  }

  /// A step of an iteration that began on contents which were changed since.
  private mutating func continueIteration() {
    let element = iteration.next()
    let pair = expected.popFirst()
    check(element?.key == pair?.key && element?.value.number == pair?.value, "an iteration over older contents")
    if element == nil {
      iteration = subjects[which].makeIterator()
      expected = models[which].pairs[...]
    }
  }
}
