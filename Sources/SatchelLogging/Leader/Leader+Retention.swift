extension Leader {
  /// Deletes what is too old, once a day and once for each new leader.
  mutating func retireOldFiles() { owesRetention = false }
}
