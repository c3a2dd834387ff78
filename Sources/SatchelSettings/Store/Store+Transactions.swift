import CSatchelSystem
import Glibc
import SatchelCollections
import SatchelSystem
import SatchelValues
import Synchronization

/// The changes of one transaction, gathered until they are committed together.
struct PendingChanges {
  struct Entry {
    let hash: UInt64
    /// A CBOR item; nil removes.
    let value: [UInt8]?
    /// It was removed within the transaction: set again, it goes to the end of the keys.
    let wasRemoved: Bool
  }

  /// In the order in which their keys were first changed.
  private(set) var entries = OrderedDictionary<[UInt8], Entry>()
  private(set) var bytes = 0

  /// nil, or `.range` where the transaction would become too large, or `.noMemory`.
  mutating func put(_ key: [UInt8], hash: UInt64, _ value: [UInt8]?) -> SatchelError.Code? {
    let known = entries[key]
    let freed = known.map { Self.size(key, $0.value) } ?? 0
    let sum = bytes - freed + Self.size(key, value)
    guard sum <= Frame.transactionLimit, known != nil || entries.count < Frame.recordLimit else { return .range }
    guard Memory.hasRoom(for: entries.byteCountOfGrowth() + key.count + 64) else { return .noMemory }
    bytes = sum
    let wasRemoved = known.map { $0.wasRemoved || $0.value == nil } ?? false
    entries[key] = Entry(hash: hash, value: value, wasRemoved: wasRemoved)
    return nil
  }

  /// At most: the program's name is the longest.
  private static func size(_ key: [UInt8], _ value: [UInt8]?) -> Int {
    Record.size(key: key.count, value: value?.count ?? 0, program: 63)
  }
}

extension UnsafeMutablePointer where Pointee == Store {
  /// Takes the lock and keeps it until `endTransaction`.
  func beginTransaction() -> SatchelError.Code? {
    if let code = beginWrite(timeout: pointee.options.lockTimeout) { return code }
    pointee.transactionThread.store(scs_my_number(), ordering: .relaxed)
    return nil
  }

  func endTransaction() {
    pointee.transactionThread.store(0, ordering: .relaxed)
    endWrite()
  }

  /// Lock held. What the store holds for `key`, copied.
  func encodedInTransaction(_ key: [UInt8], _ out: inout [UInt8]) -> SatchelError.Code? {
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    return key.withUnsafeBytes { bytes in
      let view = current
      let start = bytes.baseAddress.unsafelyUnwrapped
      switch view.find(start, bytes.count, scs_hash(view.pointee.hashSeed, start, bytes.count)) {
      case .corrupt: return .corrupt
      case .record(let frame) where frame.isSet:
        guard Memory.hasRoom(for: frame.valueLength + 64) else { return .noMemory }
        out = Array(UnsafeRawBufferPointer(start: frame.value, count: frame.valueLength))
        return nil
      default: return .notFound
      }
    }
  }

  func hash(of key: [UInt8]) -> UInt64 {
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    return key.withUnsafeBytes { scs_hash(current.pointee.hashSeed, $0.baseAddress, $0.count) }
  }

  /// Lock held. Writes all of them as one revision.
  func commit(_ changes: PendingChanges, _ revision: inout UInt64) -> SatchelError.Code? {
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    let view = current
    let number = view.pointee.revision.load(ordering: .relaxed) + 1
    guard Memory.hasRoom(for: changes.bytes + changes.entries.count * MemoryLayout<Record>.stride) else {
      return .noMemory
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(changes.bytes)
    for (key, entry) in changes.entries {
      bytes += key
      bytes += entry.value ?? []
    }
    let time = scs_tick_ns()
    let code = bytes.withUnsafeBytes { bytes -> SatchelError.Code? in
      var at = 0
      var records: [Record] = []
      records.reserveCapacity(changes.entries.count)
      for (index, (name, entry)) in changes.entries.enumerated() {
        let key = UnsafeRawBufferPointer(rebasing: bytes[at..<(at + name.count)])
        at += name.count
        let value = UnsafeRawBufferPointer(rebasing: bytes[at..<(at + (entry.value?.count ?? 0))])
        at += value.count
        let known = view.find(key.baseAddress.unsafelyUnwrapped, key.count, entry.hash).setFrame
        let order = entry.wasRemoved ? nil : known?.order
        records.append(
          Record(
            operation: entry.value == nil ? .unset : .set, key: key, value: value, revision: number,
            keyHash: entry.hash,
            order: order ?? number << 20 | UInt64(index), time: time, processID: Identity.processID,
            userID: pointee.userID, program: pointee.program, hasMore: index + 1 < changes.entries.count))
      }
      return records.withUnsafeMutableBufferPointer { append($0) }
    }
    if code == nil { revision = number }
    return code
  }
}
