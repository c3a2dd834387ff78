/// Holds a value of a ``CountedCache``. When the last of its holders has gone, the value goes too, and with it its entry.
public class CachedObject<Value> {
  public final let value: Value

  @usableFromInline
  init(_ value: Value) { self.value = value }
}

extension CachedObject: @unchecked Sendable where Value: Sendable {}

/// It alone knows the type of the key.
@usableFromInline
final class CachedObjectHolder<Key: Hashable, Value>: CachedObject<Value> {
  @usableFromInline let record: CountedCache<Key, Value>.RecordPointer

  /// Takes over a count of the record.
  @inlinable
  init(_ record: CountedCache<Key, Value>.RecordPointer) {
    self.record = record
    super.init(record.pointee.value)
  }

  @inlinable
  deinit { CountedCache<Key, Value>.release(record) }
}

extension CachedObjectHolder: @unchecked Sendable where Key: Sendable, Value: Sendable {}
