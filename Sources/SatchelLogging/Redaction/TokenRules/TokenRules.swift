/// Tokens that tell by their first letters what they are.
enum TokenRules {
  struct Rule {
    let prefix: StaticString
    let kind: SecretKind
    /// All of the token.
    let least: Int
    let rest: Alphabet

    init(_ prefix: StaticString, _ kind: SecretKind, _ least: Int, _ rest: Alphabet = .any) {
      self.prefix = prefix
      self.kind = kind
      self.least = least
      self.rest = rest
    }
  }

  /// What may follow.
  enum Alphabet {
    case any
    case alphanumeric
    case upperAndDigits
    case hex
  }

  /// No token is shorter than that.
  static let least = 16

  static let all: [Rule] = [
    Rule("AKIA", .aws, 20, .upperAndDigits), Rule("ASIA", .aws, 20, .upperAndDigits),
    Rule("ABIA", .aws, 20, .upperAndDigits), Rule("ACCA", .aws, 20, .upperAndDigits),
    Rule("ghp_", .github, 36, .alphanumeric), Rule("gho_", .github, 36, .alphanumeric),
    Rule("ghu_", .github, 36, .alphanumeric), Rule("ghs_", .github, 36), Rule("ghr_", .github, 36, .alphanumeric),
    Rule("github_pat_", .github, 40), Rule("glpat-", .gitlab, 20), Rule("gldt-", .gitlab, 20),
    Rule("glrt-", .gitlab, 20), Rule("glptt-", .gitlab, 20), Rule("glcbt-", .gitlab, 20), Rule("glsoat-", .gitlab, 20),
    Rule("AIza", .google, 39), Rule("ya29.", .google, 24), Rule("GOCSPX-", .google, 28),
    Rule("xoxb-", .slack, 20), Rule("xoxp-", .slack, 20), Rule("xoxa-", .slack, 20), Rule("xoxr-", .slack, 20),
    Rule("xoxs-", .slack, 20), Rule("xoxe-", .slack, 20), Rule("xoxe.", .slack, 20), Rule("xapp-", .slack, 20),
    Rule("sk_live_", .stripe, 24, .alphanumeric), Rule("sk_test_", .stripe, 24, .alphanumeric),
    Rule("rk_live_", .stripe, 24, .alphanumeric), Rule("rk_test_", .stripe, 24, .alphanumeric),
    Rule("whsec_", .stripe, 30), Rule("sk-ant-", .apiKey, 30), Rule("sk-proj-", .apiKey, 30),
    Rule("sk-", .apiKey, 43, .alphanumeric), Rule("gsk_", .apiKey, 40, .alphanumeric),
    Rule("hf_", .apiKey, 30, .alphanumeric), Rule("r8_", .apiKey, 37, .alphanumeric),
    Rule("npm_", .apiKey, 36, .alphanumeric), Rule("pypi-", .apiKey, 50), Rule("rubygems_", .apiKey, 40, .hex),
    Rule("dckr_pat_", .apiKey, 28), Rule("dop_v1_", .apiKey, 40, .hex), Rule("doo_v1_", .apiKey, 40, .hex),
    Rule("SG.", .apiKey, 50), Rule("key-", .apiKey, 36, .hex), Rule("shpat_", .apiKey, 32, .hex),
    Rule("shpss_", .apiKey, 32, .hex), Rule("shpca_", .apiKey, 32, .hex), Rule("shppa_", .apiKey, 32, .hex),
    Rule("glsa_", .apiKey, 32), Rule("hvs.", .apiKey, 24), Rule("hvb.", .apiKey, 24), Rule("dp.pt.", .apiKey, 40),
    Rule("lin_api_", .apiKey, 40, .alphanumeric), Rule("PMAK-", .apiKey, 40), Rule("ATATT3", .apiKey, 40),
    Rule("dapi", .apiKey, 36, .hex), Rule("sq0csp-", .apiKey, 40), Rule("sq0atp-", .apiKey, 28),
    Rule("tskey-", .apiKey, 24), Rule("NRAK-", .apiKey, 28, .upperAndDigits), Rule("figd_", .apiKey, 40),
    Rule("sbp_", .apiKey, 40, .hex), Rule("pscale_tkn_", .apiKey, 40), Rule("pul-", .apiKey, 44, .hex),
    Rule("secret_", .apiKey, 50, .alphanumeric), Rule("AGE-SECRET-KEY-1", .privateKey, 60, .upperAndDigits),
  ]

  /// The rules for each first byte: where they begin in `all` sorted by it, and their count.
  private struct Index: @unchecked Sendable {
    let rules: UnsafeMutablePointer<Rule>
    let ranges: UnsafeMutablePointer<Range<Int>>

    init() {
      let sorted = TokenRules.all.sorted { $0.prefix.utf8Start[0] < $1.prefix.utf8Start[0] }
      rules = .allocate(capacity: sorted.count)
      _ = UnsafeMutableBufferPointer(start: rules, count: sorted.count).initialize(from: sorted)
      ranges = .allocate(capacity: 256)
      for byte in 0..<256 {
        let first = sorted.firstIndex { $0.prefix.utf8Start[0] >= byte } ?? sorted.count
        let last = sorted.firstIndex { $0.prefix.utf8Start[0] > byte } ?? sorted.count
        (ranges + byte).initialize(to: first..<last)
      }
    }
  }

  private static let index = Index()
  static func prepare() { _ = index }

  /// Of a token that is not empty. nil for one that could be anything.
  static func kind(of token: UnsafeRawBufferPointer) -> SecretKind? {
    let index = index
    for place in index.ranges[Int(token[0])] where index.rules[place].matches(token) { return index.rules[place].kind }
    return nil
  }
}

extension TokenRules.Rule {
  fileprivate func matches(_ token: UnsafeRawBufferPointer) -> Bool {
    let count = prefix.utf8CodeUnitCount
    guard token.count >= least, prefix.isSame(as: UnsafeRawBufferPointer(rebasing: token[..<count])) else {
      return false
    }
    return rest == .any || token[count...].allSatisfy(rest.contains)
  }
}

extension TokenRules.Alphabet {
  fileprivate func contains(_ byte: UInt8) -> Bool {
    switch self {
    case .any: true
    case .alphanumeric: byte.isDigit || byte.isLetter
    case .upperAndDigits: byte.isDigit || byte.isLetter && byte & 0x20 == 0
    case .hex: byte.hexValue != nil
    }
  }
}

extension UInt8 {
  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
