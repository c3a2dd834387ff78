extension String {
  /// As much of it as fits into so many bytes, cut between characters. O(bytes).
  public func cut(toBytes most: Int) -> String {
    guard utf8.count > most else { return self }
    var end = utf8.index(startIndex, offsetBy: most)
    while utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
