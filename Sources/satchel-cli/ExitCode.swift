import SatchelSystem

/// What the command answers to the shell. The same numbers for every sub-command.
enum ExitCode: Int32, Sendable, CaseIterable {
  case done = 0
  case no = 1
  case usage = 2
  case failed = 3
  case denied = 4
  case corrupt = 7
  case conflict = 8
  case limit = 9

  /// The one place where a failure becomes a number.
  init(_ code: SatchelError.Code) {
    switch code {
    case .notFound, .gone: self = .no
    case .type, .invalid, .parse: self = .usage
    case .io, .full, .version, .unsupported, .busy, .stale: self = .failed
    case .denied, .readOnly, .locked: self = .denied
    case .corrupt: self = .corrupt
    case .exists, .conflict: self = .conflict
    case .range, .timeout, .noMemory: self = .limit
    }
  }

  var meaning: String {
    switch self {
    case .done: "done"
    case .no: "no: the key, value or domain is absent, or a condition does not hold"
    case .usage: "the command line is wrong, or text or a stored value is not of the type asked for"
    case .failed: "the store or the system failed: no home, no space, an I/O error, a newer format"
    case .denied: "no permission, read-only, or locked from another container"
    case .corrupt: "stored data is damaged"
    case .conflict: "it exists already, or was changed by somebody else"
    case .limit: "a limit: a size, a sum beyond 64 bits, memory, or the time to wait for others"
    }
  }
}
