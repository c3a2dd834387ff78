// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import CSatchelSystem
import Glibc
import Satchel
import SatchelSettings
import SatchelSystem

// Typed reading and writing of one key.

/// Explains a read that gave no value: also one of a key that cannot exist.
@inline(never)
func absent(
  _ store: StorePointer, _ code: SatchelError.Code, _ key: UnsafePointer<CChar>, _ request: Request? = nil
) -> Int32 {
  let reason = code == .notFound ? Key.violation(key.bytes) ?? code : code
  return answer(reason) { store.failure(reason, key: key.shown, request) }
}

@inline(__always)
private func get<T>(
  _ out: UnsafeMutablePointer<T>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ request: Request? = nil,
  _ read: (StorePointer, UnsafeRawPointer, Int) -> SatchelError.Code?
) -> Int32 {
  guard out != nil else { return invalid("out is NULL") }
  guard let key else { return invalid("key is NULL") }
  return withStore(settings) { store in
    guard let code = read(store, UnsafeRawPointer(key), strlen(key)) else { return SATCHEL_OK }
    return absent(store, code, key, request)
  }
}

private func getBytes(
  _ out: UnsafeMutablePointer<satchel_buffer>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?,
  _ type: ValueType
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = satchel_buffer(data: nil, size: 0)
  return get(out, settings, key, .reading(type)) { store, key, count in
    store.readBytes(key, count, as: type) { fill(out, $0) }
  }
}

/// Writes a CBOR item that `encode` puts into `room` bytes on the stack.
@inline(__always)
private func set(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, room: Int, _ encode: (UnsafeMutableRawPointer) -> Int
) -> Int32 {
  guard let key else { return invalid("key is NULL") }
  return withRetainedStore(settings) { store in
    withUnsafeTemporaryAllocation(byteCount: room, alignment: 8) { buffer in
      let count = encode(buffer.baseAddress.unsafelyUnwrapped)
      return write(store, key, UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
    }
  }
}

@inline(__always)
private func write(_ store: StorePointer, _ key: UnsafePointer<CChar>, _ value: UnsafeRawBufferPointer) -> Int32 {
  guard let code = store.set(key.bytes, value) else { return SATCHEL_OK }
  return answer(code) { store.failure(code, key: key.shown, .writing(value.count)) }
}

@implementation @_cdecl("satchel_settings_get_bool")
public func satchel_settings_get_bool(
  _ out: UnsafeMutablePointer<Bool>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  get(out, settings, key, .reading(.bool)) { $0.readBool($1, $2, &out.unsafelyUnwrapped.pointee) }
}

@implementation @_cdecl("satchel_settings_get_int64")
public func satchel_settings_get_int64(
  _ out: UnsafeMutablePointer<Int64>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  get(out, settings, key, .reading(.int)) { $0.readInt64($1, $2, &out.unsafelyUnwrapped.pointee) }
}

@implementation @_cdecl("satchel_settings_get_uint64")
public func satchel_settings_get_uint64(
  _ out: UnsafeMutablePointer<UInt64>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  get(out, settings, key, .reading(.uint)) { $0.readUInt64($1, $2, &out.unsafelyUnwrapped.pointee) }
}

@implementation @_cdecl("satchel_settings_get_double")
public func satchel_settings_get_double(
  _ out: UnsafeMutablePointer<Double>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  get(out, settings, key, .reading(.double)) { $0.readDouble($1, $2, &out.unsafelyUnwrapped.pointee) }
}

@implementation @_cdecl("satchel_settings_get_date")
public func satchel_settings_get_date(
  _ out: UnsafeMutablePointer<satchel_date>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  get(out, settings, key, .reading(.date)) { store, key, count in
    var value = Timestamp(seconds: 0)
    let code = store.readTimestamp(key, count, &value)
    if code == nil { out.unsafelyUnwrapped.pointee = value.date }
    return code
  }
}

@implementation @_cdecl("satchel_settings_get_uuid")
public func satchel_settings_get_uuid(
  _ out: UnsafeMutablePointer<satchel_uuid>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  get(out, settings, key, .reading(.uuid)) { store, key, count in
    var value = UniqueID(high: 0, low: 0)
    let code = store.readUniqueID(key, count, &value)
    if code == nil { out.unsafelyUnwrapped.pointee = value.uuid }
    return code
  }
}

@implementation @_cdecl("satchel_settings_get_string")
public func satchel_settings_get_string(
  _ out: UnsafeMutablePointer<satchel_buffer>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  getBytes(out, settings, key, .string)
}

@implementation @_cdecl("satchel_settings_get_data")
public func satchel_settings_get_data(
  _ out: UnsafeMutablePointer<satchel_buffer>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  getBytes(out, settings, key, .data)
}

@implementation @_cdecl("satchel_settings_get_url")
public func satchel_settings_get_url(
  _ out: UnsafeMutablePointer<satchel_buffer>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  getBytes(out, settings, key, .url)
}

@implementation @_cdecl("satchel_settings_get_value")
public func satchel_settings_get_value(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  out?.pointee = nil
  return get(out, settings, key) { store, key, count in
    var bytes: [UInt8] = []
    if let code = store.readEncoded(key, count, &bytes) { return code }
    do throws(SatchelError) {
      out.unsafelyUnwrapped.pointee = ValueBox(try CBOR.decode(bytes)).owned
      return nil
    } catch { return error.codeOfStored }
  }
}

@implementation @_cdecl("satchel_settings_copy_bytes")
public func satchel_settings_copy_bytes(
  _ buffer: UnsafeMutableRawPointer?, _ capacity: Int, _ needed: UnsafeMutablePointer<Int>?, _ settings: OpaquePointer?,
  _ key: UnsafePointer<CChar>?
) -> Int32 {
  copy(buffer, capacity, needed, settings, key) { store, key, count, body in
    store.readBytes(key, count, as: nil, body)
  }
}

@implementation @_cdecl("satchel_settings_copy_cbor")
public func satchel_settings_copy_cbor(
  _ buffer: UnsafeMutableRawPointer?, _ capacity: Int, _ needed: UnsafeMutablePointer<Int>?, _ settings: OpaquePointer?,
  _ key: UnsafePointer<CChar>?
) -> Int32 {
  copy(buffer, capacity, needed, settings, key) { store, key, count, body in store.lendEncoded(key, count, body) }
}

/// Copies what `read` lends into the caller's buffer.
@inline(__always)
private func copy(
  _ buffer: UnsafeMutableRawPointer?, _ capacity: Int, _ needed: UnsafeMutablePointer<Int>?, _ settings: OpaquePointer?,
  _ key: UnsafePointer<CChar>?,
  _ read: (StorePointer, UnsafeRawPointer, Int, (UnsafeRawBufferPointer) -> SatchelError.Code?) -> SatchelError.Code?
) -> Int32 {
  guard let needed else { return invalid("needed is NULL") }
  needed.pointee = 0
  guard buffer != nil || capacity == 0 else { return invalid("buffer is NULL") }
  return get(needed, settings, key, .copying) { store, key, count in
    read(store, key, count) { bytes in
      needed.pointee = bytes.count
      guard UInt(bytes.count) <= UInt(bitPattern: capacity) else { return .range }
      if let buffer, let start = bytes.baseAddress { memcpy(buffer, start, bytes.count) }
      return nil
    }
  }
}

@implementation @_cdecl("satchel_settings_contains")
public func satchel_settings_contains(_ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> Int32 {
  guard let key else { return invalid("key is NULL") }
  return withStore(settings) { store in
    guard let code = store.contains(UnsafeRawPointer(key), strlen(key)) else { return 1 }
    let result = absent(store, code, key)
    return result == SATCHEL_ENOTFOUND ? 0 : result
  }
}

@implementation @_cdecl("satchel_settings_get_info")
public func satchel_settings_get_info(
  _ out: UnsafeMutablePointer<satchel_settings_info>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  guard out.pointee.struct_size >= Struct.firstInfo else { return invalid("struct_size of info") }
  return get(out, settings, key) { store, key, count in
    var info: KeyInfo?
    if let code = store.info(key, count, &info) { return code }
    if let info { write(satchel_settings_info(info), to: out) }
    return nil
  }
}

extension satchel_settings_info {
  init(_ info: KeyInfo) {
    self.init()
    struct_size = MemoryLayout<satchel_settings_info>.size
    revision = info.revision
    time = info.time.date
    uid = info.uid
    pid = info.pid
    type = info.type.rawValue
    size = UInt32(clamping: info.size)
    withUnsafeMutableBytes(of: &program) { room in
      room.copyBytes(from: info.program.utf8.prefix(room.count - 1))
    }
  }
}

@implementation @_cdecl("satchel_settings_set_bool")
public func satchel_settings_set_bool(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: Bool
) -> Int32 {
  set(settings, key, room: 8) { CBOR.writeBool(value, to: $0) }
}

@implementation @_cdecl("satchel_settings_set_int64")
public func satchel_settings_set_int64(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: Int64
) -> Int32 {
  set(settings, key, room: 16) { CBOR.writeInt64(value, to: $0) }
}

@implementation @_cdecl("satchel_settings_set_uint64")
public func satchel_settings_set_uint64(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: UInt64
) -> Int32 {
  set(settings, key, room: 16) { CBOR.writeUInt64(value, to: $0) }
}

@implementation @_cdecl("satchel_settings_set_double")
public func satchel_settings_set_double(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: Double
) -> Int32 {
  set(settings, key, room: 16) { CBOR.writeDouble(value, to: $0) }
}

@implementation @_cdecl("satchel_settings_set_uuid")
public func satchel_settings_set_uuid(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ uuid: satchel_uuid
) -> Int32 {
  set(settings, key, room: 24) { CBOR.writeUniqueID(UniqueID(uuid), to: $0) }
}

@implementation @_cdecl("satchel_settings_set_date")
public func satchel_settings_set_date(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ date: satchel_date
) -> Int32 {
  guard let time = Timestamp(date) else { return invalid("nanoseconds are 0 to 999,999,999") }
  return set(settings, key, room: 32) { CBOR.writeTimestamp(time, to: $0) }
}

@implementation @_cdecl("satchel_settings_set_string")
public func satchel_settings_set_string(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ text: satchel_bytes
) -> Int32 {
  // A value is at most 16 MiB: what is larger, and all that is wrong, is answered by the way of the other types.
  if text.size > 1 << 12, text.isPlausible, !Memory.hasRoom(for: 3 * text.size) { return failed(.noMemory) }
  guard text.isPlausible, text.size <= 16 << 20, let bytes = text.buffer, text.text != nil else {
    return setValue(settings, key) { () throws(SatchelError) in .string(try checkedText(text)) }
  }
  return set(settings, key, room: bytes.count + 16) { room in
    let head = CBOR.writeTextHeader(count: bytes.count, to: room)
    if let start = bytes.baseAddress { memcpy(room + head, start, bytes.count) }
    return head + bytes.count
  }
}

@implementation @_cdecl("satchel_settings_set_data")
public func satchel_settings_set_data(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ data: satchel_bytes
) -> Int32 {
  setValue(settings, key) { () throws(SatchelError) in .data(try checkedData(data)) }
}

@implementation @_cdecl("satchel_settings_set_url")
public func satchel_settings_set_url(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ text: satchel_bytes
) -> Int32 {
  setValue(settings, key) { () throws(SatchelError) in try checkedURL(text) }
}

@implementation @_cdecl("satchel_settings_set_value")
public func satchel_settings_set_value(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: OpaquePointer?
) -> Int32 {
  guard let value else { return invalid("value is NULL") }
  return setValue(settings, key) { ValueBox.from(value).value }
}

private func setValue(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ make: () throws(SatchelError) -> Value
) -> Int32 {
  guard let key else { return invalid("key is NULL") }
  return withRetainedStore(settings) { store in
    var bytes: [UInt8] = []
    let code = attempt { () throws(SatchelError) in bytes = try store.encoded(try make(), key: key.shown) }
    return code != SATCHEL_OK ? code : bytes.withUnsafeBytes { write(store, key, $0) }
  }
}
