/// A search whose keys are compared without the lock: by one item of the right hash after the other, from the start again
/// whenever something has come or gone.
@usableFromInline
struct Search {
  @usableFromInline let shard: ShardPointer
  @usableFromInline var version: Int?
  /// How many of that hash have another key.
  @usableFromInline var skipped = 0
  /// The next one has the key, if nothing has changed since it was compared.
  @usableFromInline var isFound = false

  @inlinable init(_ shard: ShardPointer) { self.shard = shard }

  /// Under the lock: the item to compare next, or the found one.
  @inlinable
  mutating func next(_ hash: UInt64) -> UnsafeMutableRawPointer? {
    if version != shard.pointee.version {
      version = shard.pointee.version
      skipped = 0
      isFound = false
    }
    var left = skipped
    return shard.find(hash) { _ in
      left -= 1
      return left < 0
    }
  }

  @inlinable mutating func skip() { skipped += 1 }
  @inlinable mutating func found() { isFound = true }
}
