/// What was found in a text, and is not to get into a log.
package enum SecretKind: UInt8, CaseIterable, Sendable {
  case password
  /// Of a header, or by the name that it stands behind.
  case token
  case jwt
  case basic
  case cookie
  case privateKey
  /// A token whose beginning tells who gave it out.
  case apiKey
  case aws
  case github
  case gitlab
  case google
  case slack
  case stripe
  case card
  case otpSeed
}

extension SecretKind {
  var word: StaticString {
    switch self {
    case .password: "password"
    case .token: "token"
    case .jwt: "jwt"
    case .basic: "basic-authorization"
    case .cookie: "cookie"
    case .privateKey: "private-key"
    case .apiKey: "api-key"
    case .aws: "aws-key"
    case .github: "github-token"
    case .gitlab: "gitlab-token"
    case .google: "google-key"
    case .slack: "slack-token"
    case .stripe: "stripe-key"
    case .card: "card-number"
    case .otpSeed: "otp-seed"
    }
  }
}
