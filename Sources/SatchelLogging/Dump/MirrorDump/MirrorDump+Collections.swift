import SatchelCollections

/// Knows how many it holds without counting. What another one says of its count may take for ever.
private protocol Counted {
  var count: Int { get }
}
extension Array: Counted {}
extension ArraySlice: Counted {}
extension ContiguousArray: Counted {}
extension Dictionary: Counted {}
extension Set: Counted {}
extension OrderedDictionary: Counted {}

/// Shows its entries in an order that means nothing, and is another one each time.
private protocol Unordered {}
extension Dictionary: Unordered {}
extension Set: Unordered {}

extension MirrorDump {
  mutating func collection(_ mirror: Mirror, of value: Any) {
    let children = entries(mirror, of: value)
    group(children, .ordered) { dump, index, child in
      dump.out.index(index)
      dump.value(child.value)
    }
  }

  mutating func set(_ mirror: Mirror, of value: Any) {
    let children = entries(mirror, of: value)
    group(children, .unordered) { dump, _, child in
      dump.out.line()
      dump.value(child.value)
    }
  }

  mutating func dictionary(_ mirror: Mirror, of value: Any) {
    let children = entries(mirror, of: value)
    group(children, .named) { dump, _, child in
      let pair = Array(Mirror(reflecting: child.value).children.prefix(3))
      dump.out.line()
      guard pair.count == 2 else { return dump.value(child.value) }
      dump.out.word("[")
      dump.body(pair[0].value)
      dump.out.word("]: ")
      dump.value(pair[1].value, named: pair[0].value as? String ?? "")
    }
  }

  /// Named where they have names. Those of superclasses come first.
  mutating func fields(_ mirror: Mirror) {
    var chain = [mirror]
    while let above = chain.last?.superclassMirror, chain.count < 64 { chain.append(above) }
    let children = chain.reversed().flatMap { $0.children.prefix(out.limits.entries + 1) }
    let most = out.limits.entries
    guard let start = out.open(.named) else { return }
    for child in children.prefix(most) where !out.isFull {
      let name = child.label ?? "_"
      out.name(name)
      value(child.value, named: name)
    }
    if children.count > most { out.more(nil) }
    out.close(.named, from: start)
  }

  /// Unless its name says that it is a secret.
  private mutating func value(_ value: Any, named name: String) {
    var name = name
    guard hidesSecrets, name.withUTF8({ Redactor.isSecret(name: UnsafeRawBufferPointer($0)) }) else {
      return self.value(value)
    }
    var hidden = self
    hidden.out = out.beside()
    hidden.body(value)
    out.secret(hidden.out)
  }

  private struct Entries {
    var shown: [Mirror.Child]
    /// nil: more than there was time to count.
    var count: Int?
    var isUnordered: Bool
  }

  private func entries(_ mirror: Mirror, of value: Any) -> Entries {
    let most = out.limits.entries
    let shown = Array(mirror.children.prefix(most + 1))
    let count = (value as? any Counted)?.count ?? (shown.count <= most ? shown.count : nil)
    return Entries(shown: Array(shown.prefix(most)), count: count, isUnordered: value is any Unordered)
  }

  private mutating func group(
    _ entries: Entries, _ bracket: DumpWriter.Bracket, _ entry: (inout MirrorDump, Int, Mirror.Child) -> Void
  ) {
    if let count = entries.count { out.count(count) } else { out.countAboveLimit() }
    guard let start = out.open(bracket) else { return }
    if entries.isUnordered {
      sorted(entries.shown, entry)
    } else {
      for (index, child) in entries.shown.enumerated() where !out.isFull { entry(&self, index, child) }
    }
    if entries.count != entries.shown.count { out.more(entries.count.map { $0 - entries.shown.count }) }
    out.close(bracket, from: start)
  }

  /// By their text, so that two dumps can be compared.
  private mutating func sorted(_ children: [Mirror.Child], _ entry: (inout MirrorDump, Int, Mirror.Child) -> Void) {
    var described: [DumpWriter] = []
    var room = out.limits.size
    for (index, child) in children.enumerated() where room > 0 {
      var one = self
      one.out = out.beside()
      entry(&one, index, child)
      room -= one.out.bytes.count
      described.append(one.out)
    }
    for one in described.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      guard out.bytes.count < out.limits.size else { return out.line() }
      out.append(one)
    }
  }
}
