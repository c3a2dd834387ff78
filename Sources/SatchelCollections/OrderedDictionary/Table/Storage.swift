extension OrderedDictionary {
  /// Owns a table, and counts who shares it. The table stands in the same piece of memory, behind the object's header: a stored
  /// property would cost a check for exclusive access at each use.
  @usableFromInline
  final class Storage: ManagedBuffer<Table, Void> {
    @inlinable
    static func make(_ table: Table) -> Storage {
      unsafeDowncast(Storage.create(minimumCapacity: 0) { _ in table }, to: Storage.self)
    }

    @inlinable
    deinit { withUnsafeMutablePointerToHeader { $0.pointee.destroy() } }
  }

  /// What the table says. Nothing for an empty dictionary that never had one.
  @inlinable @inline(__always)
  func read<Result>(_ body: (Table) throws -> Result) rethrows -> Result? {
    try storage?.withUnsafeMutablePointerToHeader { try body($0.pointee) }
  }

  /// Changes the table, in a copy of its own when others share it: places and slots are the same there, so what was found stays found.
  @inlinable @inline(__always)
  mutating func change<Result>(_ body: (inout Table) throws -> Result) rethrows -> Result {
    if !isKnownUniquelyReferenced(&storage) { separate() }
    return try storage.unsafelyUnwrapped.withUnsafeMutablePointerToHeader { table in
      defer { table.pointee.check() }
      return try body(&table.pointee)
    }
  }

  @inlinable @inline(never)
  mutating func separate() {
    storage = .make(read { $0.copy() } ?? Table(capacity: 0))
  }
}
