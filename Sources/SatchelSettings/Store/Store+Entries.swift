import SatchelSystem
import SatchelValues

// What other modules call: the store in plain terms, without its internal types.

extension UnsafeMutablePointer where Pointee == Store {
  package static func open(domain: String, options: Settings.Options) throws(SatchelError) -> StorePointer {
    let path = try Domain.path(of: domain, in: options.directory)
    do throws(SatchelError) {
      return try open(domain: domain, path: path, options: Store.Options(options))
    } catch {
      if error.code == .notFound { try Domain.checkHome(of: domain, in: options.directory) }
      throw error
    }
  }

  package var domain: String { pointee.domain }
  package var path: String { pointee.path }

  /// Sets `key` to a CBOR item.
  package func set(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> SatchelError.Code? {
    var written = Written()
    return write(Change(key: key, action: .set(value)), &written)
  }

  package func remove(_ key: UnsafeRawBufferPointer) -> SatchelError.Code? {
    var written = Written()
    return write(Change(key: key, action: .remove, condition: .present), &written)
  }

  package func add(_ key: UnsafeRawBufferPointer, _ delta: Int64, _ sum: inout Int64) -> SatchelError.Code? {
    var written = Written()
    let code = write(Change(key: key, action: .add(delta)), &written)
    sum = written.sum
    return code
  }

  /// `desired` nil removes; `expected` nil is absent. Both are CBOR items.
  package func compareAndSet(
    _ key: UnsafeRawBufferPointer, expected: [UInt8]?, _ desired: [UInt8]?
  ) -> SatchelError.Code? {
    guard let expected else { return set(key, desired, if: .absent) }
    return expected.withUnsafeBytes { set(key, desired, if: .equals($0)) }
  }

  package func compareAndSet(
    _ key: UnsafeRawBufferPointer, revision: UInt64, _ desired: [UInt8]?
  ) -> SatchelError.Code? {
    set(key, desired, if: .revision(revision))
  }

  private func set(
    _ key: UnsafeRawBufferPointer, _ desired: [UInt8]?, if condition: Change.Condition
  ) -> SatchelError.Code? {
    var written = Written()
    guard let desired else { return write(Change(key: key, action: .remove, condition: condition), &written) }
    return desired.withUnsafeBytes { write(Change(key: key, action: .set($0), condition: condition), &written) }
  }

  /// Lends every key that has a value to `body`, in insertion order.
  package func forEachKey(
    _ body: (UnsafeRawBufferPointer) throws(SatchelError) -> Void
  ) throws(SatchelError) {
    try forEachRecord { (frame) throws(SatchelError) in try body(frame.keyBytes) }
  }

  /// All keys and values of one instant, in insertion order.
  package func entries() throws(SatchelError) -> [(key: String, value: Value)] {
    var raw: [(key: String, bytes: [UInt8])] = []
    try forEachRecord { (frame) throws(SatchelError) in
      let value = UnsafeRawBufferPointer(start: frame.value, count: frame.valueLength)
      try raw.claimRoom()
      try Memory.claim(frame.keyLength + value.count + 128)
      raw.append((String(decoding: frame.keyBytes, as: UTF8.self), Array(value)))
    }
    var entries: [(key: String, value: Value)] = []
    try entries.claimRoom(for: raw.count)
    entries.reserveCapacity(raw.count)
    for (key, bytes) in raw { entries.append((key, try decode(bytes, key))) }
    return entries
  }

  /// What is stored under `key`.
  func decode(_ bytes: [UInt8], _ key: String) throws(SatchelError) -> Value {
    do throws(SatchelError) { return try CBOR.decode(bytes) } catch { throw failure(error.codeOfStored, key: key) }
  }
}

extension SatchelError {
  /// What it means that stored bytes could not be decoded.
  package var codeOfStored: Code { code == .noMemory ? .noMemory : .corrupt }
}
