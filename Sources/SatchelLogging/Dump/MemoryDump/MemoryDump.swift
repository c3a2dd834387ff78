/// Describes values in memory by the description of their types. Pointers are followed only where the type says to what; memory
/// that is not there is no crash.
struct MemoryDump<Described: DescribedType> {
  typealias Address = UnsafeRawPointer

  var out: DumpWriter
  /// What is being described, from outside in.
  private var above: [(Address, Address)] = []
  let memory: DoubtfulMemory
  private let hidesSecrets: Bool

  init(_ out: DumpWriter, _ value: UnsafeRawBufferPointer, hidesSecrets: Bool) {
    self.out = out
    memory = DoubtfulMemory(known: value)
    self.hidesSecrets = hidesSecrets
  }

  /// `(int) 3`
  mutating func value(_ type: Described, _ place: Address) {
    guard !out.isFull else { return }
    out.type(type.shownName)
    body(type, place)
  }

  private mutating func body(_ type: Described, _ place: Address) {
    switch type.kind {
    case .array: array(type, place)
    case .structure: structure(type, place)
    case .pointer: pointer(type, place)
    case .text: text(place)
    case .bytes: bytes(place)
    case .characters: characters(type, place)
    case .union, .opaque: data(type, place)
    default: scalar(type, place)
    }
  }

  private mutating func array(_ type: Described, _ place: Address) {
    guard let element = type.element else { return }
    out.count(type.count)
    guard let start = out.open(.ordered) else { return }
    let shown = min(type.count, out.limits.entries)
    for index in 0..<shown where !out.isFull {
      out.index(index)
      value(element, place + index * element.size)
    }
    if shown < type.count { out.more(type.count - shown) }
    out.close(.ordered, from: start)
  }

  private mutating func structure(_ type: Described, _ place: Address) {
    guard let start = out.open(.named) else { return }
    let shown = min(type.count, out.limits.entries)
    for index in 0..<shown where !out.isFull {
      guard let member = type.member(index) else { continue }
      out.name(member.name)
      value(member, place + member.offset)
    }
    if shown < type.count { out.more(type.count - shown) }
    out.close(.named, from: start)
  }

  /// Unless its name says that it is a secret.
  private mutating func value(_ member: DescribedMember<Described>, _ place: Address) {
    var name = member.name
    guard hidesSecrets, name.withUTF8({ Redactor.isSecret(name: UnsafeRawBufferPointer($0)) }) else {
      return value(member.type, place)
    }
    var hidden = self
    hidden.out = out.beside()
    hidden.body(member.type, place)
    out.secret(hidden.out)
  }

  private mutating func pointer(_ type: Described, _ place: Address) {
    guard let target = address(place), let element = type.element else { return }
    out.word(" ")
    // As in every list with two ends.
    guard !above.contains(where: { $0 == (target, element.identity) }) else { return out.word("(shown above)") }
    guard above.count < out.limits.depth else { return out.ascii("... deeper than \(out.limits.depth) levels") }
    guard memory.isReadable(target, element.size) else { return out.word("(not readable)") }
    above.append((target, element.identity))
    value(element, target)
    above.removeLast()
  }

  /// Writes an address; nil for NULL, and for one that cannot be read.
  mutating func address(_ place: Address) -> Address? {
    guard let bits = memory.load(place, as: UInt.self) else {
      out.word("(not readable)")
      return nil
    }
    guard let target = Address(bitPattern: bits) else {
      out.word("NULL")
      return nil
    }
    out.address(bits)
    return target
  }
}
