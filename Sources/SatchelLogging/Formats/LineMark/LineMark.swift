/// What is unusual about where a line stands.
package enum LineMark: UInt8, CaseIterable, Sendable {
  case normal
  /// An older one than lines before it: it came too late to be put in its place.
  case late
  /// It may be there already: its writer could not tell.
  case repeated
  /// Written by the program itself, past the leader.
  case direct
  /// Kept by the flight recorder, and written when something happened.
  case recorded
}

extension LineMark {
  /// In text: behind the time, where any other line has a space.
  var symbol: UInt8 {
    switch self {
    case .normal: UInt8(ascii: " ")
    case .late: UInt8(ascii: "~")
    case .repeated: UInt8(ascii: "=")
    case .direct: UInt8(ascii: "!")
    case .recorded: UInt8(ascii: "^")
    }
  }

  /// Where there are names for everything.
  var word: StaticString {
    switch self {
    case .normal: "normal"
    case .late: "late"
    case .repeated: "repeated"
    case .direct: "direct"
    case .recorded: "recorded"
    }
  }
}
