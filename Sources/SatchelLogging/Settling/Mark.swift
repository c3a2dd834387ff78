/// How a record leaves its ring otherwise than through the leader.
enum Mark {
  static let none: UInt32 = 0
  /// By its writer, who has lost patience.
  static let takenOut: UInt32 = 1
  /// And passed over by a leader, for good.
  static let skipped: UInt32 = 3
}
