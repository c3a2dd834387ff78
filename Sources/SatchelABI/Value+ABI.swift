// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Glibc
import Satchel
import SatchelSystem

// Making values, and reading them.

typealias ValueOut = UnsafeMutablePointer<OpaquePointer?>

/// Stores a new handle, or NULL and the answer.
func make(_ out: ValueOut?, _ body: () throws(SatchelError) -> Value) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  return attempt { () throws(SatchelError) in out.pointee = ValueBox(try body()).owned }
}

/// Stores what `body` reads of a value.
private func read<T>(
  _ out: UnsafeMutablePointer<T>?, _ value: OpaquePointer?, _ body: (ValueBox) throws(SatchelError) -> T
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  guard let value else { return invalid("value is NULL") }
  return attempt { () throws(SatchelError) in out.pointee = try body(.from(value)) }
}

func checkedText(_ bytes: satchel_bytes) throws(SatchelError) -> String {
  guard bytes.isPlausible else { throw absurdSize }
  try Memory.claim(bytes.size + 64)
  guard let text = bytes.text else { throw SatchelError(.invalid, "the text is not UTF-8") }
  return text
}

func checkedData(_ bytes: satchel_bytes) throws(SatchelError) -> [UInt8] {
  guard bytes.isPlausible else { throw absurdSize }
  try Memory.claim(bytes.size + 64)
  guard let buffer = bytes.buffer else { throw SatchelError(.invalid, "data is NULL with a size") }
  return Array(buffer)
}

private var absurdSize: SatchelError { SatchelError(.range, "the size is beyond every limit") }

func checkedURL(_ bytes: satchel_bytes) throws(SatchelError) -> Value {
  let text = try checkedText(bytes)
  guard Value.isURL(text) else {
    throw SatchelError(.invalid, "not a URL: empty, or with spaces or control characters")
  }
  return .url(text)
}

func checkedDate(_ date: satchel_date) throws(SatchelError) -> Timestamp {
  guard let time = Timestamp(date) else { throw SatchelError(.invalid, "nanoseconds are 0 to 999,999,999") }
  return time
}

func checkedType(_ number: Int32) throws(SatchelError) -> ValueType {
  guard let type = ValueType(rawValue: number) else { throw SatchelError(.invalid, "no such type: \(number)") }
  return type
}

@implementation @_cdecl("satchel_value_new_null")
public func satchel_value_new_null(_ out: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 { make(out) { .null } }

@implementation @_cdecl("satchel_value_new_array")
public func satchel_value_new_array(_ out: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 { make(out) { .array([]) } }

@implementation @_cdecl("satchel_value_new_dictionary")
public func satchel_value_new_dictionary(_ out: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 {
  make(out) { .dictionary(ValueDictionary()) }
}

@implementation @_cdecl("satchel_value_new_bool")
public func satchel_value_new_bool(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ value: Bool) -> Int32 {
  make(out) { .bool(value) }
}

@implementation @_cdecl("satchel_value_new_int64")
public func satchel_value_new_int64(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ value: Int64) -> Int32 {
  make(out) { .int(value) }
}

@implementation @_cdecl("satchel_value_new_uint64")
public func satchel_value_new_uint64(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ value: UInt64) -> Int32 {
  make(out) { Value(value) }
}

@implementation @_cdecl("satchel_value_new_double")
public func satchel_value_new_double(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ value: Double) -> Int32 {
  make(out) { .double(value) }
}

@implementation @_cdecl("satchel_value_new_string")
public func satchel_value_new_string(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ text: satchel_bytes) -> Int32 {
  make(out) { () throws(SatchelError) in .string(try checkedText(text)) }
}

@implementation @_cdecl("satchel_value_new_data")
public func satchel_value_new_data(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ data: satchel_bytes) -> Int32 {
  make(out) { () throws(SatchelError) in .data(try checkedData(data)) }
}

@implementation @_cdecl("satchel_value_new_date")
public func satchel_value_new_date(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ date: satchel_date) -> Int32 {
  make(out) { () throws(SatchelError) in .date(try checkedDate(date)) }
}

@implementation @_cdecl("satchel_value_new_url")
public func satchel_value_new_url(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ text: satchel_bytes) -> Int32 {
  make(out) { () throws(SatchelError) in try checkedURL(text) }
}

@implementation @_cdecl("satchel_value_new_uuid")
public func satchel_value_new_uuid(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ uuid: satchel_uuid) -> Int32 {
  make(out) { .uuid(UniqueID(uuid)) }
}

@implementation @_cdecl("satchel_value_copy")
public func satchel_value_copy(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ value: OpaquePointer?) -> Int32 {
  guard let value else {
    out?.pointee = nil
    return invalid("value is NULL")
  }
  return make(out) { ValueBox.from(value).value }
}

@implementation @_cdecl("satchel_value_convert")
public func satchel_value_convert(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ value: OpaquePointer?, _ type: Int32
) -> Int32 {
  guard let value else {
    out?.pointee = nil
    return invalid("value is NULL")
  }
  return make(out) { () throws(SatchelError) in try ValueBox.from(value).value.converted(to: try checkedType(type)) }
}

@implementation @_cdecl("satchel_value_free")
public func satchel_value_free(_ value: OpaquePointer?) {
  guard let value else { return }
  Unmanaged<ValueBox>.fromOpaque(UnsafeRawPointer(value)).release()
}

@implementation @_cdecl("satchel_value_type")
public func satchel_value_type(_ value: OpaquePointer?) -> Int32 {
  guard let value else { return invalid("value is NULL") }
  return ValueBox.from(value).look { $0.type.rawValue }
}

@implementation @_cdecl("satchel_value_equal")
public func satchel_value_equal(_ left: OpaquePointer?, _ right: OpaquePointer?) -> Int32 {
  guard let left, let right else { return invalid("value is NULL") }
  return ValueBox.from(left).value == ValueBox.from(right).value ? 1 : 0
}

@implementation @_cdecl("satchel_value_get_bool")
public func satchel_value_get_bool(_ out: UnsafeMutablePointer<Bool>?, _ value: OpaquePointer?) -> Int32 {
  read(out, value) { (box) throws(SatchelError) in try box.value.asBool() }
}

@implementation @_cdecl("satchel_value_get_int64")
public func satchel_value_get_int64(_ out: UnsafeMutablePointer<Int64>?, _ value: OpaquePointer?) -> Int32 {
  read(out, value) { (box) throws(SatchelError) in try box.value.asInt64() }
}

@implementation @_cdecl("satchel_value_get_uint64")
public func satchel_value_get_uint64(_ out: UnsafeMutablePointer<UInt64>?, _ value: OpaquePointer?) -> Int32 {
  read(out, value) { (box) throws(SatchelError) in try box.value.asUInt64() }
}

@implementation @_cdecl("satchel_value_get_double")
public func satchel_value_get_double(_ out: UnsafeMutablePointer<Double>?, _ value: OpaquePointer?) -> Int32 {
  read(out, value) { (box) throws(SatchelError) in try box.value.asDouble() }
}

@implementation @_cdecl("satchel_value_get_string")
public func satchel_value_get_string(_ out: UnsafeMutablePointer<satchel_bytes>?, _ value: OpaquePointer?) -> Int32 {
  read(out, value) { (box) throws(SatchelError) in try box.lend(-1, try box.value.asString().utf8) }
}

@implementation @_cdecl("satchel_value_get_data")
public func satchel_value_get_data(_ out: UnsafeMutablePointer<satchel_bytes>?, _ value: OpaquePointer?) -> Int32 {
  read(out, value) { (box) throws(SatchelError) in try box.lend(-1, try box.value.asData()) }
}

@implementation @_cdecl("satchel_value_get_date")
public func satchel_value_get_date(_ out: UnsafeMutablePointer<satchel_date>?, _ value: OpaquePointer?) -> Int32 {
  read(out, value) { (box) throws(SatchelError) in try box.value.asTimestamp().date }
}

@implementation @_cdecl("satchel_value_get_url")
public func satchel_value_get_url(_ out: UnsafeMutablePointer<satchel_bytes>?, _ value: OpaquePointer?) -> Int32 {
  read(out, value) { (box) throws(SatchelError) in try box.lend(-1, try box.value.asURL().utf8) }
}

@implementation @_cdecl("satchel_value_get_uuid")
public func satchel_value_get_uuid(_ out: UnsafeMutablePointer<satchel_uuid>?, _ value: OpaquePointer?) -> Int32 {
  read(out, value) { (box) throws(SatchelError) in try box.value.asUniqueID().uuid }
}
