import TestSupport

@testable import SatchelLogging

/// Secrets of all kinds in the lines in which they are met. None is real: each is made when the test runs.
struct MadeUpSecret {
  let secret: String
  let line: String
  let kind: SecretKind

  private static let lower = Array("abcdefghijklmnopqrstuvwxyz")
  private static let upper = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  private static let digits = Array("0123456789")
  private static let hex = Array("0123456789abcdef")
  private static var alphanumeric: [Character] { lower + upper + digits }

  private static func some(_ count: Int, _ characters: [Character], _ random: inout SeededGenerator) -> String {
    String((0..<count).map { _ in characters.randomElement(using: &random) ?? "x" })
  }

  /// With at least one digit and both cases, as what is random and long always has.
  private static func mixed(_ count: Int, _ random: inout SeededGenerator) -> String {
    "a1B" + some(count - 3, alphanumeric, &random)
  }

  static func all(_ random: inout SeededGenerator) -> [MadeUpSecret] {
    prefixed(&random) + named(&random) + addressed(&random) + whole(&random)
  }

  /// Each kind of token by its beginning.
  private static func prefixed(_ random: inout SeededGenerator) -> [MadeUpSecret] {
    TokenRules.all.map { rule in
      let count = rule.least - "\(rule.prefix)".count
      let rest =
        switch rule.rest {
        case .hex: some(count, hex, &random)
        case .upperAndDigits: some(count, upper + digits, &random)
        default: mixed(count, &random)
        }
      let secret = "\(rule.prefix)\(rest)"
      let around = [("using ", " now"), ("(", ")"), ("key:", ","), ("https://x.example/?k=", "&v=1"), ("\"", "\"")]
      let (before, after) = around.randomElement(using: &random) ?? ("", "")
      return MadeUpSecret(secret: secret, line: before + secret + after, kind: rule.kind)
    }
  }

  private static func named(_ random: inout SeededGenerator) -> [MadeUpSecret] {
    let forms: [(String, String, SecretKind)] = [
      ("password=", " for alice", .password), ("Password: ", "", .password), ("DB_PASS='", "'", .password),
      ("{\"userPassword\":\"", "\"}", .password), ("{\\\"passwd\\\": \\\"", "\\\"}", .password),
      ("--passphrase=", " -v", .password),
      ("client_secret=", "&grant=x", .password), ("X-Api-Key: ", "", .token), ("api_key = ", "", .token),
      ("aws_secret_access_key=", "", .token), ("AccountKey=", ";EndpointSuffix=x", .token),
      ("access_token=", "&e=1", .token),
      ("refreshToken: '", "'", .token), ("Authorization: Bearer ", "", .token), ("authorization: token ", "", .token),
      ("bearer ", "", .token), ("sessionid=", "; path=/", .token), ("JSESSIONID=", "", .token),
      ("?sig=", "&se=2", .token),
      ("Cookie: ", "", .cookie), ("set-cookie: id=", "", .cookie), ("totp_seed=", "", .otpSeed),
      ("password_hash=", "", .password),
      ("Server=db;User=sa;Pwd=", ";", .password), ("mnemonic=", "", .password), ("signing-key: ", "", .token),
    ]
    return forms.map { before, after, kind in
      let secret = mixed(24, &random)
      return MadeUpSecret(secret: secret, line: before + secret + after, kind: kind)
    }
  }

  private static func addressed(_ random: inout SeededGenerator) -> [MadeUpSecret] {
    let forms: [(String, String, SecretKind)] = [
      ("postgres://app:", "@db.example:5432/x", .password), ("redis://:", "@cache/0", .password),
      ("cloning https://alice:", "@git.example/a/b.git", .password),
      ("otpauth://totp/Example:alice?secret=", "&issuer=Example", .otpSeed),
      ("otpauth://totp/Example:alice?digits=6&secret=", "", .otpSeed),
      ("post to https://hooks.slack.com/services/", " failed", .slack),
      ("https://discord.com/api/webhooks/", "", .apiKey),
    ]
    return forms.map { before, after, kind in
      let secret = mixed(32, &random)
      return MadeUpSecret(secret: secret, line: before + secret + after, kind: kind)
    }
  }

  private static func whole(_ random: inout SeededGenerator) -> [MadeUpSecret] {
    let signed = "eyJ\(mixed(20, &random)).eyJ\(mixed(30, &random)).\(mixed(43, &random))"
    let encrypted = "eyJ\(mixed(20, &random))..\(mixed(16, &random)).\(mixed(30, &random)).\(mixed(22, &random))"
    let bot = "AA" + mixed(33, &random)
    let chat = "\(mixed(26, &random)).\(mixed(6, &random)).\(mixed(38, &random))"
    var made: [MadeUpSecret] = [
      MadeUpSecret(secret: signed, line: "got \(signed).", kind: .jwt),
      MadeUpSecret(secret: encrypted, line: "id_token=\(encrypted)", kind: .jwt),
      MadeUpSecret(secret: bot, line: "bot12345678:\(bot)", kind: .apiKey),
      MadeUpSecret(secret: chat, line: "logging in with \(chat)", kind: .apiKey),
    ]
    for (user, password) in [("alice", "open sesame"), ("a", "b")] {
      let text = base64(Array("\(user):\(password)".utf8))
      made.append(MadeUpSecret(secret: text, line: "> Authorization: Basic \(text)", kind: .basic))
      if text.count >= 8 { made.append(MadeUpSecret(secret: text, line: "sent Basic \(text) to it", kind: .basic)) }
    }
    for label in ["RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""] {
      let key =
        "-----BEGIN \(label)PRIVATE KEY-----\n\(mixed(64, &random))\n\(mixed(30, &random))=\n-----END \(label)PRIVATE KEY-----"
      made.append(MadeUpSecret(secret: key, line: "loaded \(key) from disk", kind: .privateKey))
      made.append(MadeUpSecret(secret: String(key.dropLast(40)), line: "cut " + key.dropLast(40), kind: .privateKey))
    }
    for (prefix, count, groups) in [
      ("4", 16, [4, 4, 4, 4]), ("51", 16, [4, 4, 4, 4]), ("34", 15, [4, 6, 5]), ("6011", 16, [16]), ("36", 14, [14]),
    ] {
      let number = card(prefix, count, &random)
      for separator in ["", " ", "-"] {
        let secret = grouped(number, groups, separator)
        made.append(MadeUpSecret(secret: secret, line: "charged \(secret) 12/27", kind: .card))
      }
    }
    return made
  }

  /// With the check digit that belongs to it.
  private static func card(_ prefix: String, _ count: Int, _ random: inout SeededGenerator) -> String {
    let body = prefix + some(count - prefix.count - 1, digits, &random)
    let sum = body.reversed().enumerated().reduce(0) { sum, digit in
      let value = (digit.element.wholeNumberValue ?? 0) * (digit.offset % 2 == 0 ? 2 : 1)
      return sum + value / 10 + value % 10
    }
    return body + String((10 - sum % 10) % 10)
  }

  private static func grouped(_ number: String, _ groups: [Int], _ separator: String) -> String {
    var rest = number[...]
    return groups.map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: separator)
  }

  static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = upper + lower + digits + ["+", "/"]
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 { text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : "=") }
    }
    return text
  }
}
