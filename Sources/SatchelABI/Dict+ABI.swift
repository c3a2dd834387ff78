// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Satchel
import SatchelCollections

// Life, and whole dictionaries.

extension ByteTablePointer {
  var handle: OpaquePointer { OpaquePointer(self) }
}

@inline(never)
private func tooManyEntries() -> Int32 { failed(.range, "more entries than a dictionary can hold") }

@implementation @_cdecl("satchel_dict_new")
public func satchel_dict_new(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ options: UnsafePointer<satchel_dict_options>?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  var given = satchel_dict_options()
  if let options, !read(options, into: &given, first: Struct.firstDictOptions) {
    return answer(.version, unreadableOptions)
  }
  guard given.capacity <= ByteTable.limit else { return tooManyEntries() }
  guard let table = ByteTablePointer.make(seed: given.seed) else { return failed(.noMemory) }
  if given.capacity > 0, let code = table.reserve(Int(given.capacity)) {
    table.destroy()
    return failed(code)
  }
  out.pointee = table.handle
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_dict_free")
public func satchel_dict_free(_ dict: OpaquePointer?) {
  if let dict { ByteTablePointer(dict).destroy() }
}

@implementation @_cdecl("satchel_dict_clone")
public func satchel_dict_clone(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ dict: OpaquePointer?) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  guard let dict else { return invalid("dict is NULL") }
  return attempt { () throws(SatchelError) in out.pointee = try ByteTablePointer(dict).clone().handle }
}

@implementation @_cdecl("satchel_dict_clear")
public func satchel_dict_clear(_ dict: OpaquePointer?) -> Int32 {
  guard let dict else { return invalid("dict is NULL") }
  return result(ByteTablePointer(dict).clear())
}

@implementation @_cdecl("satchel_dict_count")
public func satchel_dict_count(_ out: UnsafeMutablePointer<Int>?, _ dict: OpaquePointer?) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = 0
  guard let dict else { return invalid("dict is NULL") }
  out.pointee = ByteTablePointer(dict).pointee.count
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_dict_reserve")
public func satchel_dict_reserve(_ dict: OpaquePointer?, _ count: Int) -> Int32 {
  guard let dict else { return invalid("dict is NULL") }
  guard count >= 0, count <= ByteTable.limit else { return tooManyEntries() }
  return result(ByteTablePointer(dict).reserve(count))
}

@implementation @_cdecl("satchel_dict_compact")
public func satchel_dict_compact(_ dict: OpaquePointer?) -> Int32 {
  guard let dict else { return invalid("dict is NULL") }
  return result(ByteTablePointer(dict).compact())
}

private func equal(_ left: OpaquePointer?, _ right: OpaquePointer?, inOrder: Bool) -> Int32 {
  guard let left else { return invalid("left is NULL") }
  guard let right else { return invalid("right is NULL") }
  return ByteTablePointer(left).isEqual(to: ByteTablePointer(right), inOrder: inOrder) ? 1 : 0
}

@implementation @_cdecl("satchel_dict_equal")
public func satchel_dict_equal(_ left: OpaquePointer?, _ right: OpaquePointer?) -> Int32 {
  equal(left, right, inOrder: true)
}

@implementation @_cdecl("satchel_dict_equal_unordered")
public func satchel_dict_equal_unordered(_ left: OpaquePointer?, _ right: OpaquePointer?) -> Int32 {
  equal(left, right, inOrder: false)
}
