extension SecretScanner {
  /// Behind the scheme of an address: `user:password@`, and the places that are secrets by themselves.
  func address(_ mark: Int) -> Finding? {
    let start = mark + 3
    let authority = start..<end(from: start) { !SecretScanner.endsAuthority($0) }
    if let at = text[authority].lastIndex(of: UInt8(ascii: "@")),
      let colon = text[authority.lowerBound..<at].firstIndex(of: UInt8(ascii: ":")), colon + 1 < at
    {
      return Finding(kind: .password, range: colon + 1..<at)
    }
    if has("otpauth", at: mark - 7) { return seed(start) }
    return webhook(authority)
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
      || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: ">")
  }

  private func seed(_ start: Int) -> Finding? {
    guard let name = find("secret=", from: start), name < end(from: start, while: { $0 > 0x20 }) else { return nil }
    let value = name + 7..<end(from: name + 7) { $0.isDigit || $0.isLetter }
    return value.isEmpty ? nil : Finding(kind: .otpSeed, range: value)
  }

  /// Whoever knows the address may post there.
  private func webhook(_ host: Range<Int>) -> Finding? {
    let path: (SecretKind, Int)
    if has("hooks.slack.com/services/", at: host.lowerBound) {
      path = (.slack, host.lowerBound + 25)
    } else if has("discord.com/api/webhooks/", at: host.lowerBound) {
      path = (.apiKey, host.lowerBound + 25)
    } else {
      return nil
    }
    let range =
      path
      .1..<end(from: path.1) {
        $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
    return range.isEmpty ? nil : Finding(kind: path.0, range: range)
  }
}
