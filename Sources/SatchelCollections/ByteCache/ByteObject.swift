import Glibc
import Synchronization

/// What a `ByteCache` hands out: a pointer of the caller's, counted here.
public struct ByteObject {
  struct Record: ~Copyable {
    /// First: a pointer to it is one to the record.
    var counted: Counted
    let payload: UnsafeMutableRawPointer?
  }
  let record: UnsafeMutablePointer<Record>

  var counted: CountedPointer { UnsafeMutableRawPointer(record).assumingMemoryBound(to: Counted.self) }

  /// With one count; nil where there is no memory.
  init?(_ hash: UInt64, _ shard: ShardPointer, _ key: UnsafeRawBufferPointer, _ payload: UnsafeMutableRawPointer?) {
    let head = MemoryLayout<Record>.size
    guard let room = malloc(head + key.count + 1) else { return nil }
    record = room.assumingMemoryBound(to: Record.self)
    record.initialize(to: Record(counted: Counted(hash: hash, shard: shard, size: UInt32(key.count)), payload: payload))
    if let start = key.baseAddress { memcpy(room + head, start, key.count) }
    room.storeBytes(of: 0, toByteOffset: head + key.count, as: UInt8.self)
  }

  init(_ item: UnsafeMutableRawPointer) { record = item.assumingMemoryBound(to: Record.self) }

  /// As C knows it.
  public init(_ handle: OpaquePointer) { record = UnsafeMutablePointer(handle) }
  public var handle: OpaquePointer { OpaquePointer(record) }

  public var payload: UnsafeMutableRawPointer? { record.pointee.payload }

  /// A NUL follows it. As long as the object.
  public var key: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: UnsafeRawPointer(record) + MemoryLayout<Record>.size, count: Int(record.pointee.counted.size))
  }

  public func retain() { counted.retain() }

  public func release() {
    if counted.release() { finish() }
  }

  private func tell(_ body: (ByteCache.Events) -> Void) {
    ByteCache.tell(record.pointee.counted.shard.pointee.shards, body)
  }

  func sayEvicted(_ reason: ByteCache.Reason) { tell { $0.evicted(key, payload, reason) } }

  private func finish() {
    if record.pointee.counted.isIn { sayEvicted(.expired) }
    tell { $0.destroy(payload) }
    forget()
  }

  /// Gives the memory back, and nothing else: of an object that nobody holds, or that never was in.
  func forget() {
    let shard = record.pointee.counted.shard
    record.deinitialize(count: 1)
    free(record)
    shard.release()
  }
}
