/// What went wrong, in the words shared by every language: a code, one sentence, and what it is about.
public struct SatchelError: Error, Sendable, CustomStringConvertible {
  /// The class of a failure. Raw values are those of the C interface.
  public enum Code: Int32, Sendable, CaseIterable {
    case notFound = -1
    case exists = -2
    case type = -3
    case invalid = -4
    case range = -5
    case io = -6
    case corrupt = -7
    case locked = -8
    case denied = -9
    case readOnly = -10
    case conflict = -11
    case gone = -12
    case full = -13
    case timeout = -14
    case version = -15
    case noMemory = -16
    case unsupported = -17
    case parse = -18
    case busy = -19
    case stale = -20
  }

  public var code: Code
  /// One English sentence for people; not to be parsed.
  public var message: String
  /// The `errno` of the system call behind it, or 0.
  public var systemError: Int32
  public var domain: String?
  public var path: String?
  public var key: String?

  public init(
    _ code: Code, _ message: String, systemError: Int32 = 0, domain: String? = nil, path: String? = nil,
    key: String? = nil
  ) {
    self.code = code
    self.message = message
    self.systemError = systemError
    self.domain = domain
    self.path = path
    self.key = key
  }

  /// The sentence with what it is about in front: `org.example.player: volume: not a number`.
  public var description: String {
    var text = ""
    for part in [domain, key?.shortened].compactMap({ $0 }) { text += part + ": " }
    return text + sentence
  }

  /// The message, with the path behind it where that is not in it.
  package var sentence: String {
    guard let path, !message.utf8.containsSequence(path.utf8) else { return message }
    return message + " (" + path + ")"
  }
}

extension String.UTF8View {
  fileprivate func containsSequence(_ other: String.UTF8View) -> Bool {
    let needle = Array(other)
    guard !needle.isEmpty, count >= needle.count else { return needle.isEmpty }
    let all = Array(self)
    return (0...(all.count - needle.count)).contains { all[$0..<($0 + needle.count)].elementsEqual(needle) }
  }
}

extension SatchelError.Code {
  /// A short description, the same in every language.
  public var text: String { "\(words.text)" }

  /// The name in C, such as `SATCHEL_ENOTFOUND`, and a short description; both live as long as the process.
  package var words: (name: StaticString, text: StaticString) {
    switch self {
    case .notFound: ("SATCHEL_ENOTFOUND", "not found")
    case .exists: ("SATCHEL_EEXISTS", "already there")
    case .type: ("SATCHEL_ETYPE", "wrong type")
    case .invalid: ("SATCHEL_EINVAL", "invalid argument")
    case .range: ("SATCHEL_ERANGE", "beyond a limit")
    case .io: ("SATCHEL_EIO", "system error")
    case .corrupt: ("SATCHEL_ECORRUPT", "damaged")
    case .locked: ("SATCHEL_ELOCKED", "locked by another container")
    case .denied: ("SATCHEL_EDENIED", "permission denied")
    case .readOnly: ("SATCHEL_EREADONLY", "read-only")
    case .conflict: ("SATCHEL_ECONFLICT", "changed by somebody else")
    case .gone: ("SATCHEL_EGONE", "revision compacted away")
    case .full: ("SATCHEL_EFULL", "no space left")
    case .timeout: ("SATCHEL_ETIMEOUT", "timed out")
    case .version: ("SATCHEL_EVERSION", "written by a newer version")
    case .noMemory: ("SATCHEL_ENOMEM", "out of memory")
    case .unsupported: ("SATCHEL_EUNSUPPORTED", "not supported here")
    case .parse: ("SATCHEL_EPARSE", "malformed text")
    case .busy: ("SATCHEL_EBUSY", "inside a transaction")
    case .stale: ("SATCHEL_ESTALE", "a position that holds no longer")
    }
  }
}
