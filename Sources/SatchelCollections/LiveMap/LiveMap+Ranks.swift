import Synchronization

// Positions among the living where there are holes: a Fenwick tree over the counts of the words. It is made when it is first asked
// for, kept up to date by those who change the map, and forgotten when the entries are packed. Whoever never asks pays nothing.
//
// A question may come from several threads at once, since for them the map is a constant. So the first one builds the tree
// in memory that is there already, the others count word by word meanwhile, and nobody waits. Those who change the map are alone.
extension LiveMap {
  @usableFromInline
  enum RankState {
    @usableFromInline static let absent: UInt32 = 0
    static let building: UInt32 = 1
    @usableFromInline static let ready: UInt32 = 2
  }

  @inlinable
  var rankState: UnsafeMutablePointer<Atomic<UInt32>> {
    UnsafeMutableRawPointer(words + wordCount).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  /// Node `n` of the tree is element `n`; element 0 is not one.
  @inlinable
  var ranks: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(rankState + 1).assumingMemoryBound(to: UInt32.self)
  }

  @inlinable
  var hasRanks: Bool { rankState.pointee.load(ordering: .acquiring) == RankState.ready }

  func forgetRanks() { rankState.pointee.store(RankState.absent, ordering: .relaxed) }

  @usableFromInline
  func addToRanks(_ word: Int, _ difference: UInt32) {
    var node = word + 1
    while node <= wordCount {
      ranks[node] &+= difference
      node += node & -node
    }
  }

  /// False while another thread builds it.
  private func buildRanks() -> Bool {
    let (isMine, state) = rankState.pointee.compareExchange(
      expected: RankState.absent, desired: RankState.building, ordering: .acquiring)
    guard isMine else { return state == RankState.ready }
    for node in 1...wordCount { ranks[node] = UInt32(words[node - 1].nonzeroBitCount) }
    for node in 1...wordCount {
      let parent = node + (node & -node)
      if parent <= wordCount { ranks[parent] += ranks[node] }
    }
    rankState.pointee.store(RankState.ready, ordering: .releasing)
    return true
  }

  /// The place of the living entry at a position, `0 ..< count`. O(1) without holes, else O(log n).
  @inlinable @inline(__always)
  func place(at position: Int) -> Int {
    isDense ? head &+ position : sparsePlace(at: position)
  }

  /// How many living entries stand before a place. O(1) without holes, else O(log n).
  @inlinable @inline(__always)
  func position(of index: Int) -> Int {
    isDense ? index &- head : sparsePosition(of: index)
  }

  @usableFromInline
  func sparsePlace(at position: Int) -> Int {
    var (word, rest) = (0, UInt32(position))
    if hasRanks || buildRanks() {
      var step = 1 << (Int.bitWidth - 1 - wordCount.leadingZeroBitCount)
      while step > 0 {
        if word + step <= wordCount, ranks[word + step] <= rest {
          word += step
          rest -= ranks[word]
        }
        step >>= 1
      }
    } else {
      while rest >= UInt32(words[word].nonzeroBitCount) {
        rest -= UInt32(words[word].nonzeroBitCount)
        word += 1
      }
    }
    return word << 6 | words[word].place(ofBit: Int(rest))
  }

  @usableFromInline
  func sparsePosition(of index: Int) -> Int {
    var rank = UInt32((words[index >> 6] & ((1 << UInt64(index & 63)) &- 1)).nonzeroBitCount)
    if hasRanks || buildRanks() {
      var node = index >> 6
      while node > 0 {
        rank += ranks[node]
        node &= node - 1
      }
    } else {
      for word in 0..<index >> 6 { rank += UInt32(words[word].nonzeroBitCount) }
    }
    return Int(rank)
  }

  /// Puts the number of living entries before each word into the memory of the tree, which is lost. Only who changes the map
  /// may do it; `packedPosition` then answers in O(1) for each of many.
  func countBeforeWords() {
    forgetRanks()
    ranks[0] = 0
    for word in 0..<wordCount { ranks[word + 1] = ranks[word] + UInt32(words[word].nonzeroBitCount) }
  }

  func packedPosition(of index: Int) -> Int {
    Int(ranks[index >> 6]) + (words[index >> 6] & ((1 << UInt64(index & 63)) &- 1)).nonzeroBitCount
  }
}

extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Where the bit stands that has `number` set bits below it: first its byte, by the counts of all eight at once, then its place in
  /// that byte in the same way. Without branches, which nobody could predict.
  fileprivate func place(ofBit number: Int) -> Int {
    var counts = self &- ((self >> 1) & 0x5555_5555_5555_5555)
    counts = (counts & 0x3333_3333_3333_3333) &+ ((counts >> 2) & 0x3333_3333_3333_3333)
    let sums = ((counts &+ (counts >> 4)) & 0x0f0f_0f0f_0f0f_0f0f) &* Self.ones
    let byte = Self.firstByte(in: sums, above: UInt64(number))
    let below = (sums << 8) >> byte & 0xff
    let bits = ((self >> byte) & 0xff) &* Self.ones & 0x8040_2010_0804_0201
    let isSet = ((bits &+ 0x7f7f_7f7f_7f7f_7f7f) >> 7) & Self.ones
    return byte + Self.firstByte(in: isSet &* Self.ones, above: UInt64(number) - below) / 8
  }

  /// Where the first byte begins that is greater; bytes rise, and they and the number are below 128.
  private static func firstByte(in bytes: UInt64, above number: UInt64) -> Int {
    let isGreater = ((bytes | tops) &- (number &+ 1) &* ones) & tops
    return isGreater.trailingZeroBitCount & ~7
  }
}
