/// Names whose values are secrets, of fields and in texts.
enum SecretNames {
  struct Name {
    /// In lower case, without what parts words.
    let word: StaticString
    let kind: SecretKind
    /// The whole name, or a word of it: `pass`, not `bypass`.
    let isWhole: Bool
    /// In prose too whatever follows is one: `password: open`. Behind others it has to look like one.
    let isStrong: Bool

    init(_ word: StaticString, _ kind: SecretKind = .token, whole: Bool = false, strong: Bool = false) {
      self.word = word
      self.kind = kind
      isWhole = whole
      isStrong = strong
    }
  }

  static let all: [Name] = [
    Name("password", .password, strong: true), Name("passwd", .password, strong: true),
    Name("passphrase", .password, strong: true), Name("passcode", .password, strong: true),
    Name("pwd", .password, whole: true, strong: true), Name("pass", .password, whole: true, strong: true),
    Name("passwordhash", .password), Name("passwdhash", .password), Name("secret", .password, strong: true),
    Name("token"),
    Name("apikey"), Name("accesskey"), Name("secretkey"), Name("privatekey"), Name("accountkey"), Name("masterkey"),
    Name("signingkey"), Name("encryptionkey"), Name("sshkey"), Name("authkey"), Name("credential"), Name("credentials"),
    Name("sessionid"), Name("sessid"), Name("authorization"), Name("jwt", whole: true), Name("bearer", whole: true),
    Name("sig", whole: true), Name("signature"), Name("cookie", .cookie), Name("otp", .otpSeed, whole: true),
    Name("otpseed", .otpSeed), Name("totpseed", .otpSeed), Name("otpsecret", .otpSeed), Name("totpsecret", .otpSeed),
    Name("seedphrase", .password), Name("mnemonic", .password), Name("recoverycode", .password),
    Name("cvv", .card, whole: true), Name("cvc", .card, whole: true), Name("cardnumber", .card),
  ]

  private struct Index: @unchecked Sendable {
    let names: UnsafeMutablePointer<Name>
    let ranges: UnsafeMutablePointer<Range<Int>>

    /// By the last letter, the longest first: it says most.
    init() {
      let sorted = SecretNames.all.sorted {
        (Index.last($0), $1.word.utf8CodeUnitCount) < (Index.last($1), $0.word.utf8CodeUnitCount)
      }
      names = .allocate(capacity: sorted.count)
      _ = UnsafeMutableBufferPointer(start: names, count: sorted.count).initialize(from: sorted)
      ranges = .allocate(capacity: 256)
      for byte in 0..<256 {
        let first = sorted.firstIndex { Index.last($0) >= byte } ?? sorted.count
        let end = sorted.firstIndex { Index.last($0) > byte } ?? sorted.count
        (ranges + byte).initialize(to: first..<end)
      }
    }

    private static func last(_ name: Name) -> UInt8 { name.word.utf8Start[name.word.utf8CodeUnitCount - 1] }
  }

  private static let index = Index()
  static func prepare() { _ = index }

  /// Some name ends with that letter.
  static func isEnd(_ byte: UInt8) -> Bool { byte.isLetter && !index.ranges[Int(byte | 0x20)].isEmpty }

  /// nil for a name that says nothing. Case, and `_`, `-` and `.` between words, do not matter.
  static func find(_ name: UnsafeRawBufferPointer) -> Name? {
    guard let last = name.last, last.isLetter else { return nil }
    let index = index
    for place in index.ranges[Int(last | 0x20)] where index.names[place].isEnd(of: name) { return index.names[place] }
    return nil
  }
}

extension SecretNames.Name {
  fileprivate func isEnd(of name: UnsafeRawBufferPointer) -> Bool {
    var place = name.count
    var left = word.utf8CodeUnitCount
    while left > 0 {
      guard place > 0 else { return false }
      place -= 1
      let byte = name[place]
      if SecretNames.Name.parts(byte) { continue }
      left -= 1
      guard byte | 0x20 == word.utf8Start[left] else { return false }
    }
    return !isWhole || place == 0 || SecretNames.Name.parts(name[place - 1])
  }

  private static func parts(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}
