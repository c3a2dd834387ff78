extension RecordKind {
  /// In files, behind the severity. A message has none there.
  var word: StaticString {
    switch self {
    case .message: "message"
    case .assertion: "assertion"
    case .loss: "loss"
    case .clockStep: "clock-step"
    case .lifecycle: "lifecycle"
    case .dump: "dump"
    }
  }
}
