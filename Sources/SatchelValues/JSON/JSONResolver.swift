import SatchelSystem

/// Turns what was written into values: gives `$` objects their meaning, finds keys that come twice, limits nesting.
struct JSONResolver {
  let source: JSONSource

  func value(_ node: JSONNode, depth: Int) throws(SatchelError) -> Value {
    switch node {
    case .scalar(let value): return value
    case .array(let nodes, let offset):
      try check(depth, offset)
      var items: [Value] = []
      try items.claimRoom(for: nodes.count)
      items.reserveCapacity(nodes.count)
      for node in nodes { items.append(try value(node, depth: depth + 1)) }
      return .array(items)
    case .object(let members, let offset):
      if members.count == 1, let member = members.first, member.key.utf8.first == UInt8(ascii: "$") {
        return try tagged(member, depth: depth)
      }
      return try dictionary(members, offset: offset, depth: depth)
    }
  }

  private func check(_ depth: Int, _ offset: Int) throws(SatchelError) {
    guard depth < Value.nestingLimit else { throw source.error(Value.tooDeep.message, at: offset, .range) }
  }

  private func dictionary(_ members: [JSONMember], offset: Int, depth: Int) throws(SatchelError) -> Value {
    try check(depth, offset)
    var entries = try ValueDictionary(claiming: members.count)
    for member in members {
      try entries.claimRoom()
      guard entries.append(try value(member.node, depth: depth + 1), forKey: member.key) else {
        throw source.error("the key \(member.key.quoted) a second time", at: member.offset)
      }
    }
    return .dictionary(entries)
  }

  private func tagged(_ member: JSONMember, depth: Int) throws(SatchelError) -> Value {
    switch (member.key, member.node) {
    case ("$object", .object(let members, let offset)):
      return try dictionary(members, offset: offset, depth: depth)
    case ("$date", .object(let members, _)):
      return .date(try date(members, member))
    case (_, .scalar(.string(let text))):
      return try tagged(member, text)
    default:
      throw malformed(member)
    }
  }

  private func tagged(_ member: JSONMember, _ text: String) throws(SatchelError) -> Value {
    switch member.key {
    case "$data":
      if let bytes = try Base64.decode(text) { return .data(bytes) }
    case "$date":
      return .date(try date(text, member))
    case "$url":
      if Value.isURL(text) { return .url(text) }
    case "$uuid":
      if let id = UniqueID(text: text) { return .uuid(id) }
    case "$double":
      if let number = Self.namedDoubles[text] { return .double(number) }
    default: break
    }
    throw malformed(member)
  }

  private static let namedDoubles: [String: Double] = ["nan": .nan, "inf": .infinity, "-inf": -.infinity]

  private func date(_ text: String, _ member: JSONMember) throws(SatchelError) -> Timestamp {
    do throws(SatchelError) {
      return try Timestamp(rfc3339: text)
    } catch {
      throw source.error(error.message, at: member.offset, error.code == .range ? .range : .parse)
    }
  }

  /// A date beyond what RFC 3339 can say.
  private func date(_ members: [JSONMember], _ member: JSONMember) throws(SatchelError) -> Timestamp {
    guard members.count == 2, members[0].key == "seconds", members[1].key == "nanoseconds",
      case .scalar(.int(let seconds)) = members[0].node, case .scalar(.int(let rest)) = members[1].node,
      let nanoseconds = UInt32(exactly: rest), nanoseconds < Timestamp.nanosecondsPerSecond
    else { throw malformed(member) }
    return Timestamp(seconds: seconds, checked: nanoseconds)
  }

  private func malformed(_ member: JSONMember) -> SatchelError {
    let known = ["$data", "$date", "$url", "$uuid", "$double", "$object"].contains(member.key)
    let message =
      known ? "malformed \(member.key.quoted)" : "an object with the one key \(member.key.quoted) means nothing"
    return source.error(message, at: member.offset)
  }
}
