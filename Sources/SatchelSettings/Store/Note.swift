import CSatchelSystem
import Glibc
import SatchelSystem
import SatchelValues

/// What the log says about itself: a loss, or that losses are settled.
struct Note {
  var kind: Health.Event
  var records: Int?
  var bytes: Int?

  /// Its `value` is allocated; the caller frees it once the record is stored.
  func record(revision: UInt64, store: StorePointer) -> Record {
    var entries = ValueDictionary()
    entries["kind"] = .string(kind.rawValue)
    if let records { entries["records"] = .int(Int64(records)) }
    if let bytes { entries["bytes"] = .int(Int64(bytes)) }
    let encoded = (try? CBOR.encode(.dictionary(entries))) ?? []
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(encoded.count, 1), alignment: 1)
    copy.copyBytes(from: encoded)
    return Record(
      operation: .note, key: UnsafeRawBufferPointer(start: nil, count: 0),
      value: UnsafeRawBufferPointer(start: copy.baseAddress, count: encoded.count), revision: revision, keyHash: 0,
      order: 0, time: scs_now_ns(), processID: Identity.processID, userID: store.pointee.userID,
      program: store.pointee.program)
  }

  init(kind: Health.Event, records: Int? = nil, bytes: Int? = nil) {
    self.kind = kind
    self.records = records
    self.bytes = bytes
  }

  /// Reads one back; nil for what another version may have written.
  init?(_ frame: Frame) {
    let encoded = UnsafeRawBufferPointer(start: frame.value, count: frame.valueLength)
    guard let entries = try? CBOR.decode(encoded).asDictionary(), let name = try? entries["kind"]?.asString(),
      let kind = Health.Event(rawValue: name)
    else { return nil }
    self.kind = kind
    records = (try? entries["records"]?.asInt64()).map { Int($0) }
    // No file is larger; sums of what a forged note says must not overflow.
    bytes = (try? entries["bytes"]?.asInt64()).map { min(max(Int($0), 0), Generation.reserve) }
  }
}
