import Synchronization

/// Which places of an array of entries are taken, by one bit each.
///
/// Entries are added behind the last or before the first one and may go anywhere, so holes stay between them until the owner
/// packs the array. The map lives in memory that the owner gives it, beside the entries themselves.
@usableFromInline
struct LiveMap {
  /// Bit `index & 63` of word `index >> 6` says whether that place is taken. Beyond `end` and before `head` all are 0.
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline var capacity: Int
  /// The first place that is taken; 0 when none is.
  @usableFromInline var head = 0
  /// One behind the last place that is taken; 0 when none is.
  @usableFromInline var end = 0
  /// How many are taken.
  @usableFromInline var count = 0

  /// In `byteCount(capacity:)` bytes at `memory`, aligned for a `UInt64`. All places are free.
  @usableFromInline
  init(in memory: UnsafeMutableRawPointer, capacity: Int) {
    self.capacity = capacity
    words = memory.bindMemory(to: UInt64.self, capacity: Self.wordCount(capacity))
    words.initialize(repeating: 0, count: Self.wordCount(capacity))
    rankState.initialize(to: Atomic(RankState.absent))
  }

  @inlinable static func wordCount(_ capacity: Int) -> Int { (capacity + 63) >> 6 }
  @inlinable var wordCount: Int { Self.wordCount(capacity) }

  /// Words, the state of the ranks, the ranks. See LiveMap+Ranks.swift.
  @usableFromInline
  static func byteCount(capacity: Int) -> Int {
    wordCount(capacity) * MemoryLayout<UInt64>.stride + (wordCount(capacity) + 2) * MemoryLayout<UInt32>.stride
  }

  /// Whether no hole stands between the first and the last, so that position and place differ by `head` only.
  @inlinable var isDense: Bool { end &- head == count }

  @inlinable
  func isTaken(_ index: Int) -> Bool { words[index >> 6] & (1 << UInt64(index & 63)) != 0 }

  /// The next taken place, or `end`. The loop ends because the place before `end` is taken.
  @inlinable @inline(__always)
  func next(after index: Int) -> Int {
    let following = index &+ 1
    guard following < end else { return end }
    var word = following >> 6
    var bits = words[word] & (~0 << UInt64(following & 63))
    while bits == 0 {
      word &+= 1
      bits = words[word]
    }
    return word << 6 | bits.trailingZeroBitCount
  }

  /// The last taken place before that one; nil where there is none.
  @inline(__always)
  func previous(before index: Int) -> Int? {
    guard index > head else { return nil }
    var word = (index &- 1) >> 6
    var bits = words[word] & ~0 >> UInt64(63 &- (index &- 1) & 63)
    while bits == 0 {
      word &-= 1
      bits = words[word]
    }
    return word << 6 | (63 &- bits.leadingZeroBitCount)
  }
}

extension LiveMap: Sequence {
  /// The taken places in order, word by word.
  @usableFromInline
  struct Iterator: IteratorProtocol {
    @usableFromInline let words: UnsafeMutablePointer<UInt64>
    @usableFromInline let lastWord: Int
    @usableFromInline var word: Int
    /// What is left of the word.
    @usableFromInline var bits: UInt64

    @inlinable
    init(_ map: LiveMap) {
      words = map.words
      lastWord = (map.end &- 1) >> 6
      word = map.head >> 6
      bits = words[word]
    }

    @inlinable @inline(__always)
    mutating func next() -> Int? {
      while bits == 0 {
        guard word < lastWord else { return nil }
        word &+= 1
        bits = words[word]
      }
      defer { bits &= bits &- 1 }
      return word << 6 | bits.trailingZeroBitCount
    }
  }

  @inlinable @inline(__always)
  func makeIterator() -> Iterator { Iterator(self) }
}

extension LiveMap {
  /// Takes the place behind the last one, which the owner made sure exists.
  @inlinable @inline(__always)
  mutating func append() -> Int {
    let index = end
    take(index)
    end = index &+ 1
    return index
  }

  /// Takes the place before the first one, which the owner made sure exists.
  @inlinable
  mutating func prepend() -> Int {
    guard count > 0 else { return append() }
    head &-= 1
    take(head)
    return head
  }

  @inlinable @inline(__always)
  mutating func take(_ index: Int) {
    words[index >> 6] |= 1 << UInt64(index & 63)
    count &+= 1
    if hasRanks { addToRanks(index >> 6, 1) }
  }

  /// Frees a place. Both ends move over the holes beside them, so that queues leave none.
  @inlinable @inline(__always)
  mutating func free(_ index: Int) {
    words[index >> 6] &= ~(1 << UInt64(index & 63))
    count &-= 1
    if hasRanks { addToRanks(index >> 6, UInt32.max) }
    if index == head { advanceHead() } else if index &+ 1 == end { retreatEnd() }
  }

  @inlinable
  mutating func advanceHead() {
    guard count > 0 else {
      head = 0
      end = 0
      return
    }
    var word = head >> 6
    while words[word] == 0 { word &+= 1 }
    head = word << 6 | words[word].trailingZeroBitCount
  }

  /// Others are left: the last one of all is the first as well.
  @inlinable
  mutating func retreatEnd() {
    var word = (end &- 1) >> 6
    while words[word] == 0 { word &-= 1 }
    end = word << 6 &+ 64 &- words[word].leadingZeroBitCount
  }

  /// Exactly the `count` places from `head` on are taken.
  @usableFromInline
  mutating func fill(from head: Int, count: Int) {
    self.head = count == 0 ? 0 : head
    end = self.head + count
    self.count = count
    for word in 0..<wordCount {
      let (low, high) = (Swift.max(self.head - word << 6, 0), Swift.min(end - word << 6, 64))
      words[word] = low < high ? (~0 << UInt64(low)) & (~0 >> UInt64(64 - high)) : 0
    }
    forgetRanks()
  }

  /// The same places as in `other`, whose capacity is not greater; all are free so far.
  @usableFromInline
  mutating func copy(_ other: LiveMap) {
    words.update(from: other.words, count: other.wordCount)
    head = other.head
    end = other.end
    count = other.count
    forgetRanks()
  }
}
