import CSatchelSystem
import Glibc
import SatchelSystem
import SatchelValues
import Synchronization

extension UnsafeMutablePointer where Pointee == Store {
  /// The view, complete up to everything acknowledged before this call. The caller is pinned. `looks`: whether the name leads
  /// elsewhere is looked at whenever that is due, not only now and then.
  @inline(__always)
  func freshView(_ pin: Epoch.Pin, looks: Bool = false) throws(Refusal) -> ViewPointer {
    if looks || pin.isDueForLook { lookForReplacement() }
    let view = current
    let committed = view.pointee.base.word(at: Header.committed).pointee.load(ordering: .acquiring)
    if committed == view.pointee.seen.load(ordering: .acquiring) { return view }
    // Not `current` after it: another thread may just have published a view that it is still filling.
    return try readerCatchUp()
  }

  /// Gives `body` the key's newest record; it copies what it needs and keeps no pointer. No lock, no system call.
  @inline(__always)
  func read(
    _ key: UnsafeRawPointer, _ count: Int, _ body: (Frame) -> SatchelError.Code?
  ) -> SatchelError.Code? {
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    let view: ViewPointer
    do throws(Refusal) { view = try freshView(pin) } catch { return error.code }
    switch view.find(key, count, scs_hash(view.pointee.hashSeed, key, count)) {
    case .absent: return .notFound
    case .corrupt: return .corrupt
    case .record(let frame):
      guard frame.isSet else { return .notFound }
      guard frame.liesWithin(view) else { return .corrupt }
      return body(frame)
    }
  }

  // MARK: Scalars, without allocation

  package func readBool(_ key: UnsafeRawPointer, _ count: Int, _ out: inout Bool) -> SatchelError.Code? {
    read(key, count) { CBOR.readBool($0.value, $0.valueLength, &out) }
  }
  package func readInt64(_ key: UnsafeRawPointer, _ count: Int, _ out: inout Int64) -> SatchelError.Code? {
    read(key, count) { CBOR.readInt64($0.value, $0.valueLength, &out) }
  }
  package func readUInt64(_ key: UnsafeRawPointer, _ count: Int, _ out: inout UInt64) -> SatchelError.Code? {
    read(key, count) { CBOR.readUInt64($0.value, $0.valueLength, &out) }
  }
  package func readDouble(_ key: UnsafeRawPointer, _ count: Int, _ out: inout Double) -> SatchelError.Code? {
    read(key, count) { CBOR.readDouble($0.value, $0.valueLength, &out) }
  }
  package func readTimestamp(_ key: UnsafeRawPointer, _ count: Int, _ out: inout Timestamp) -> SatchelError.Code? {
    read(key, count) { CBOR.readTimestamp($0.value, $0.valueLength, &out) }
  }
  package func readUniqueID(_ key: UnsafeRawPointer, _ count: Int, _ out: inout UniqueID) -> SatchelError.Code? {
    read(key, count) { CBOR.readUniqueID($0.value, $0.valueLength, &out) }
  }

  /// Lends the text or bytes to `body`.
  package func readBytes(
    _ key: UnsafeRawPointer, _ count: Int, as type: ValueType?,
    _ body: (UnsafeRawBufferPointer) -> SatchelError.Code?
  ) -> SatchelError.Code? {
    read(key, count) { frame in
      let stored = CBOR.type(of: frame.value, frame.valueLength)
      guard let bytes = CBOR.text(frame.value, frame.valueLength) else { return .type }
      if stored == .string, type == .url, !Memory.hasRoom(for: bytes.count) { return .noMemory }
      return type == nil || stored == type || isText(bytes, of: stored, readableAs: type) ? body(bytes) : .type
    }
  }

  /// A URL is text too, and an absolute one may have been stored as text.
  private func isText(_ bytes: UnsafeRawBufferPointer, of stored: ValueType?, readableAs type: ValueType?) -> Bool {
    if stored == .url { return type == .string }
    guard stored == .string, type == .url else { return false }
    return String(validating: bytes, as: UTF8.self).map { Value.isAbsoluteURL($0) } ?? false
  }

  /// The stored CBOR item, copied.
  package func readEncoded(_ key: UnsafeRawPointer, _ count: Int, _ out: inout [UInt8]) -> SatchelError.Code? {
    lendEncoded(key, count) { item in
      guard Memory.hasRoom(for: item.count + 64) else { return .noMemory }
      out = Array(item)
      return nil
    }
  }

  /// Lends the stored CBOR item to `body`.
  package func lendEncoded(
    _ key: UnsafeRawPointer, _ count: Int, _ body: (UnsafeRawBufferPointer) -> SatchelError.Code?
  ) -> SatchelError.Code? {
    read(key, count) { body(UnsafeRawBufferPointer(start: $0.value, count: $0.valueLength)) }
  }

  package func contains(_ key: UnsafeRawPointer, _ count: Int) -> SatchelError.Code? {
    read(key, count) { _ in nil }
  }

  package func info(_ key: UnsafeRawPointer, _ count: Int, _ out: inout KeyInfo?) -> SatchelError.Code? {
    read(key, count) { frame in
      out = KeyInfo(frame)
      return nil
    }
  }

  package func revision(_ out: inout UInt64) -> SatchelError.Code? {
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    do throws(Refusal) {
      out = try freshView(pin, looks: true).pointee.revision.load(ordering: .acquiring)
      return nil
    } catch { return error.code }
  }

  // MARK: All keys

  /// Keys that have a value, in insertion order. O(n log n).
  func forEachRecord(_ body: (Frame) throws(SatchelError) -> Void) throws(SatchelError) {
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    let view: ViewPointer
    do throws(Refusal) { view = try freshView(pin, looks: true) } catch { throw failure(error.code) }
    // No writer gives an order twice; a forged file may.
    var found: [(order: UInt64, keyHash: UInt64, offset: Int)] = []
    let room = view.slotCount
    // The list, and half of it to sort.
    guard Memory.hasRoom(for: room * 36) else { throw failure(.noMemory) }
    found.reserveCapacity(room)
    view.forEachRecord { frame, offset in
      if frame.isSet, frame.liesWithin(view) { found.append((frame.order, frame.keyHash, offset)) }
    }
    found.sort { $0 < $1 }
    for item in found { try body(Frame(view.pointee.base + item.offset)) }
  }
}

extension Frame {
  /// Memory that changes under a map is not to lead outside of it.
  @inline(__always)
  func liesWithin(_ view: ViewPointer) -> Bool {
    let committed = view.pointee.base.word(at: Header.committed).pointee.load(ordering: .relaxed)
    return valueLength >= 0
      && base - view.pointee.base + size <= max(CommitWord.length(committed), view.pointee.extent.length)
  }
}
