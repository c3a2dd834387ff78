// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Glibc
import Satchel
import SatchelCollections

// Entries by their keys.

@inline(__always)
func result(_ code: SatchelError.Code?) -> Int32 { code.map(refused) ?? SATCHEL_OK }

/// Why a table has not done what it was asked to.
@inline(never)
private func refused(_ code: SatchelError.Code) -> Int32 {
  switch code {
  case .notFound: code.rawValue
  case .invalid: failed(code, freedDictionary)
  case .full: failed(code, "the dictionary holds as many entries as one can")
  default: failed(code)
  }
}

let freedDictionary: StaticString = "the dictionary has been freed"

/// Runs `body` with the table and the key, which has a start even where it is empty.
@inline(__always)
func withKey(
  _ dict: OpaquePointer?, _ key: satchel_bytes, _ body: (ByteTablePointer, UnsafeRawPointer, Int) -> Int32
) -> Int32 {
  guard let dict else { return invalid("dict is NULL") }
  guard key.size >= 0, key.size <= ByteTable.keyLimit else { return failed(.range, "the key is too long") }
  guard let start = key.data ?? (key.size == 0 ? UnsafeRawPointer(dict) : nil) else {
    return invalid("the key is NULL with a size")
  }
  return body(ByteTablePointer(dict), start, key.size)
}

@inline(__always)
func withEntry(_ dict: OpaquePointer?, _ key: satchel_bytes, _ body: (ByteTablePointer, Int) -> Int32) -> Int32 {
  withKey(dict, key) { table, start, count in
    let place = table.index(of: start, count)
    return place < 0 ? SATCHEL_ENOTFOUND : body(table, place)
  }
}

// MARK: Values

extension satchel_dict_value {
  init(_ value: ByteValue) {
    self.init()
    switch value.kind {
    case .bytes:
      type = UInt32(SATCHEL_DICT_BYTES)
      `as`.bytes = satchel_bytes(value.bytes)
    case .int64:
      type = UInt32(SATCHEL_DICT_INT64)
      `as`.int64 = value.int64
    case .double:
      type = UInt32(SATCHEL_DICT_DOUBLE)
      `as`.real = value.double
    case .bool:
      type = UInt32(SATCHEL_DICT_BOOL)
      `as`.boolean = value.bool
    case .table:
      type = UInt32(SATCHEL_DICT_DICT)
      `as`.dict = value.table?.handle
    default:
      type = UInt32(SATCHEL_DICT_POINTER)
      `as`.pointer = value.pointer
    }
  }
}

extension satchel_bytes {
  init(_ bytes: UnsafeRawBufferPointer) { self.init(data: bytes.baseAddress, size: bytes.count) }
}

/// What a caller wants to put in, as the table holds it; or why not.
enum Made {
  case value(ByteValue)
  case refused(SatchelError.Code, StaticString? = nil)
}

private func made(_ bytes: satchel_bytes) -> Made {
  guard bytes.isPlausible else { return .refused(.range, "the value is too long") }
  guard let buffer = bytes.buffer else { return .refused(.invalid, "the value is NULL with a size") }
  return ByteValue(copying: buffer).map { .value($0) } ?? .refused(.noMemory)
}

private func made(_ nested: OpaquePointer?, for table: ByteTablePointer) -> Made {
  guard let nested else { return .refused(.invalid, "the nested dictionary is NULL") }
  switch table.refusal(toNest: ByteTablePointer(nested)) {
  case nil: return .value(ByteValue(ByteTablePointer(nested)))
  case .range: return .refused(.range, "the dictionaries would be nested too deep")
  case let code?: return .refused(code, "the dictionary is nested already, has been freed, or would contain itself")
  }
}

func made(_ value: satchel_dict_value, for table: ByteTablePointer) -> Made {
  switch Int32(bitPattern: value.type) {
  case SATCHEL_DICT_BYTES: made(value.`as`.bytes)
  case SATCHEL_DICT_INT64: .value(ByteValue(value.`as`.int64))
  case SATCHEL_DICT_DOUBLE: .value(ByteValue(value.`as`.real))
  case SATCHEL_DICT_BOOL: .value(ByteValue(value.`as`.boolean))
  case SATCHEL_DICT_POINTER: .value(ByteValue(unowned: value.`as`.pointer))
  case SATCHEL_DICT_DICT: made(value.`as`.dict, for: table)
  default: .refused(.invalid, "the type of the value is none that can be put in")
  }
}

/// Has `put` take a value over. Where it does not, what was made for it is gone, and the caller keeps what was the caller's.
@inline(__always)
func give(_ made: Made, _ put: (ByteValue) -> SatchelError.Code?) -> Int32 {
  switch made {
  case .refused(let code, let why): return failed(code, why)
  case .value(let value):
    guard let code = put(value) else { return SATCHEL_OK }
    value.discard()
    return result(code)
  }
}

// MARK: Setting

@implementation @_cdecl("satchel_dict_set")
public func satchel_dict_set(_ dict: OpaquePointer?, _ key: satchel_bytes, _ value: UnsafePointer<satchel_dict_value>?)
  -> Int32
{
  guard let value else { return invalid("value is NULL") }
  return withKey(dict, key) { table, key, count in give(made(value.pointee, for: table)) { table.set(key, count, $0) } }
}

@implementation @_cdecl("satchel_dict_set_bytes")
public func satchel_dict_set_bytes(_ dict: OpaquePointer?, _ key: satchel_bytes, _ value: satchel_bytes) -> Int32 {
  withKey(dict, key) { table, key, count in give(made(value)) { table.set(key, count, $0) } }
}

@implementation @_cdecl("satchel_dict_set_int64")
public func satchel_dict_set_int64(_ dict: OpaquePointer?, _ key: satchel_bytes, _ value: Int64) -> Int32 {
  withKey(dict, key) { table, key, count in result(table.set(key, count, ByteValue(value))) }
}

@implementation @_cdecl("satchel_dict_set_double")
public func satchel_dict_set_double(_ dict: OpaquePointer?, _ key: satchel_bytes, _ value: Double) -> Int32 {
  withKey(dict, key) { table, key, count in result(table.set(key, count, ByteValue(value))) }
}

@implementation @_cdecl("satchel_dict_set_bool")
public func satchel_dict_set_bool(_ dict: OpaquePointer?, _ key: satchel_bytes, _ value: Bool) -> Int32 {
  withKey(dict, key) { table, key, count in result(table.set(key, count, ByteValue(value))) }
}

@implementation @_cdecl("satchel_dict_set_pointer")
public func satchel_dict_set_pointer(
  _ dict: OpaquePointer?, _ key: satchel_bytes, _ pointer: UnsafeMutableRawPointer?,
  _ destroy: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void)?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  withKey(dict, key) { table, key, count in
    guard let destroy else { return result(table.set(key, count, ByteValue(unowned: pointer))) }
    guard let value = table.value(owning: pointer, ByteOwner(destroy: destroy, context: context)) else {
      return failed(.noMemory)
    }
    return give(.value(value)) { table.set(key, count, $0) }
  }
}

@implementation @_cdecl("satchel_dict_set_dict")
public func satchel_dict_set_dict(_ dict: OpaquePointer?, _ key: satchel_bytes, _ nested: OpaquePointer?) -> Int32 {
  withKey(dict, key) { table, key, count in give(made(nested, for: table)) { table.set(key, count, $0) } }
}

// MARK: Getting

/// Runs `body` with the word of an entry where it holds that kind.
@inline(__always)
private func withWord(
  _ dict: OpaquePointer?, _ key: satchel_bytes, _ kind: ByteValue.Kind, _ body: (UInt64) -> Void
) -> Int32 {
  withKey(dict, key) { table, start, count in
    guard let value = table.value(of: start, count) else { return SATCHEL_ENOTFOUND }
    guard value.kind == kind else { return wrongType(key) }
    body(value.word)
    return SATCHEL_OK
  }
}

private func wrongType(_ key: satchel_bytes) -> Int32 { failed(.type, "the entry holds another type", key: key) }

@implementation @_cdecl("satchel_dict_get")
public func satchel_dict_get(
  _ out: UnsafeMutablePointer<satchel_dict_value>?, _ dict: OpaquePointer?, _ key: satchel_bytes
) -> Int32 {
  withEntry(dict, key) { table, place in
    out?.pointee = satchel_dict_value(table.value(at: place))
    return SATCHEL_OK
  }
}

@implementation @_cdecl("satchel_dict_get_bytes")
public func satchel_dict_get_bytes(
  _ out: UnsafeMutablePointer<satchel_bytes>?, _ dict: OpaquePointer?, _ key: satchel_bytes
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  return withWord(dict, key, .bytes) { out.pointee = satchel_bytes(ByteValue.bytes($0)) }
}

@implementation @_cdecl("satchel_dict_get_int64")
public func satchel_dict_get_int64(
  _ out: UnsafeMutablePointer<Int64>?, _ dict: OpaquePointer?, _ key: satchel_bytes
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  return withWord(dict, key, .int64) { out.pointee = Int64(bitPattern: $0) }
}

@implementation @_cdecl("satchel_dict_get_double")
public func satchel_dict_get_double(
  _ out: UnsafeMutablePointer<Double>?, _ dict: OpaquePointer?, _ key: satchel_bytes
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  return withWord(dict, key, .double) { out.pointee = Double(bitPattern: $0) }
}

@implementation @_cdecl("satchel_dict_get_bool")
public func satchel_dict_get_bool(_ out: UnsafeMutablePointer<Bool>?, _ dict: OpaquePointer?, _ key: satchel_bytes)
  -> Int32
{
  guard let out else { return invalid("out is NULL") }
  return withWord(dict, key, .bool) { out.pointee = $0 != 0 }
}

@implementation @_cdecl("satchel_dict_get_pointer")
public func satchel_dict_get_pointer(
  _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ dict: OpaquePointer?, _ key: satchel_bytes
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  return withKey(dict, key) { table, start, count in
    guard let value = table.value(of: start, count) else { return SATCHEL_ENOTFOUND }
    guard value.kind.isPointer else { return wrongType(key) }
    out.pointee = value.pointer
    return SATCHEL_OK
  }
}

@implementation @_cdecl("satchel_dict_get_dict")
public func satchel_dict_get_dict(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ dict: OpaquePointer?, _ key: satchel_bytes
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  return withWord(dict, key, .table) { out.pointee = OpaquePointer(bitPattern: UInt($0)) }
}

@implementation @_cdecl("satchel_dict_copy_bytes")
public func satchel_dict_copy_bytes(
  _ buffer: UnsafeMutableRawPointer?, _ capacity: Int, _ needed: UnsafeMutablePointer<Int>?, _ dict: OpaquePointer?,
  _ key: satchel_bytes
) -> Int32 {
  needed?.pointee = 0
  guard buffer != nil || capacity == 0 else { return invalid("buffer is NULL") }
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  let code = withWord(dict, key, .bytes) { bytes = ByteValue.bytes($0) }
  guard code == SATCHEL_OK else { return code }
  needed?.pointee = bytes.count
  guard UInt(bitPattern: capacity) >= bytes.count else { return failed(.range, "the buffer is too small") }
  if let buffer, let start = bytes.baseAddress { memcpy(buffer, start, bytes.count) }
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_dict_contains")
public func satchel_dict_contains(_ dict: OpaquePointer?, _ key: satchel_bytes) -> Int32 {
  withKey(dict, key) { table, start, count in table.index(of: start, count) >= 0 ? 1 : 0 }
}

// MARK: Removing

@implementation @_cdecl("satchel_dict_remove")
public func satchel_dict_remove(_ dict: OpaquePointer?, _ key: satchel_bytes) -> Int32 {
  withEntry(dict, key) { table, place in
    table.remove(place)
    return SATCHEL_OK
  }
}

@implementation @_cdecl("satchel_dict_swap_remove")
public func satchel_dict_swap_remove(_ dict: OpaquePointer?, _ key: satchel_bytes) -> Int32 {
  withEntry(dict, key) { table, place in
    table.swapRemove(place)
    return SATCHEL_OK
  }
}
