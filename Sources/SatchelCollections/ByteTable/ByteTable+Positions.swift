import Glibc

// Which places are live, and the positions of those that are.

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// No hole between the first and the last entry.
  @inline(__always)
  var isDense: Bool { pointee.end &- pointee.head == pointee.count }

  @inline(__always)
  func isLive(_ place: Int) -> Bool { pointee.live[place >> 6] & 1 << UInt64(place & 63) != 0 }

  @inline(__always)
  func setLive(_ place: Int) {
    pointee.live[place >> 6] |= 1 << UInt64(place & 63)
    if let ranks = pointee.ranks { add(1, place >> 6, ranks) }
  }

  @inline(__always)
  func clearLive(_ place: Int) {
    pointee.live[place >> 6] &= ~(1 << UInt64(place & 63))
    if let ranks = pointee.ranks { add(~0, place >> 6, ranks) }
  }

  @inline(__always)
  func firstLive(from place: Int) -> Int? {
    guard place < pointee.end else { return nil }
    var word = place >> 6
    var bits = pointee.live[word] & ~0 << UInt64(place & 63)
    let last = (pointee.end &- 1) >> 6
    while bits == 0 {
      if word == last { return nil }
      word &+= 1
      bits = pointee.live[word]
    }
    return word << 6 | bits.trailingZeroBitCount
  }

  @inline(__always)
  func lastLive(before place: Int) -> Int? {
    guard place > pointee.head else { return nil }
    var word = (place &- 1) >> 6
    var bits = pointee.live[word] & ~0 >> UInt64(63 &- (place &- 1) & 63)
    while bits == 0 {
      if word == 0 { return nil }
      word &-= 1
      bits = pointee.live[word]
    }
    return word << 6 | (63 &- bits.leadingZeroBitCount)
  }

  @inline(__always)
  func forEachPlace(_ body: (Int) -> Void) {
    var next = firstLive(from: pointee.head)
    while let place = next {
      body(place)
      next = firstLive(from: place &+ 1)
    }
  }

  // MARK: Ranks

  /// The position of the entry at a place; nil where there is no memory for the ranks. O(1), or O(log n).
  public func position(of place: Int) -> Int? {
    if isDense { return place - pointee.head }
    guard let ranks = builtRanks else { return nil }
    var sum = UInt32((pointee.live[place >> 6] & (1 << UInt64(place & 63) &- 1)).nonzeroBitCount)
    var word = place >> 6
    while word > 0 {
      sum &+= ranks[word]
      word &= word &- 1
    }
    return Int(sum)
  }

  func select(_ position: Int, _ ranks: UnsafeMutablePointer<UInt32>) -> Int {
    let words = ByteTable.words(pointee.room)
    var word = 0
    var rest = UInt32(position)
    var step = 1 << (Int.bitWidth - 1 - words.leadingZeroBitCount)
    while step > 0 {
      if word + step <= words, ranks[word + step] <= rest {
        word += step
        rest -= ranks[word]
      }
      step >>= 1
    }
    var bits = pointee.live[word]
    for _ in 0..<rest { bits &= bits &- 1 }
    return word << 6 | bits.trailingZeroBitCount
  }

  var builtRanks: UnsafeMutablePointer<UInt32>? {
    if let ranks = pointee.ranks { return ranks }
    let words = ByteTable.words(pointee.room)
    guard let memory = malloc((words + 1) * 4) else { return nil }
    let ranks = memory.assumingMemoryBound(to: UInt32.self)
    ranks.update(repeating: 0, count: words + 1)
    for word in 1...words {
      ranks[word] &+= UInt32(pointee.live[word - 1].nonzeroBitCount)
      let above = word + word & -word
      if above <= words { ranks[above] &+= ranks[word] }
    }
    pointee.ranks = ranks
    return ranks
  }

  func dropRanks() {
    free(pointee.ranks)
    pointee.ranks = nil
  }

  private func add(_ change: UInt32, _ word: Int, _ ranks: UnsafeMutablePointer<UInt32>) {
    let words = ByteTable.words(pointee.room)
    var i = word &+ 1
    while i <= words {
      ranks[i] &+= change
      i &+= i & -i
    }
  }
}
