// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Satchel
import SatchelCollections

// Positions, and changes of the order.

/// Lends the entry at a place.
@inline(__always)
func lend(
  _ place: Int, of table: ByteTablePointer, _ key: UnsafeMutablePointer<satchel_bytes>?,
  _ value: UnsafeMutablePointer<satchel_dict_value>?
) {
  key?.pointee = satchel_bytes(table.key(at: place))
  value?.pointee = satchel_dict_value(table.value(at: place))
}

@inline(__always)
private func withPlace(_ dict: OpaquePointer?, _ index: Int, _ body: (ByteTablePointer, Int) -> Int32) -> Int32 {
  guard let dict else { return invalid("dict is NULL") }
  let table = ByteTablePointer(dict)
  guard index >= 0, index < table.pointee.count else { return failed(.range, "there is no entry with this index") }
  return body(table, table.place(at: index))
}

@implementation @_cdecl("satchel_dict_at")
public func satchel_dict_at(
  _ key: UnsafeMutablePointer<satchel_bytes>?, _ value: UnsafeMutablePointer<satchel_dict_value>?,
  _ dict: OpaquePointer?, _ index: Int
) -> Int32 {
  withPlace(dict, index) { table, place in
    lend(place, of: table, key, value)
    return SATCHEL_OK
  }
}

@implementation @_cdecl("satchel_dict_index_of")
public func satchel_dict_index_of(_ out: UnsafeMutablePointer<Int>?, _ dict: OpaquePointer?, _ key: satchel_bytes)
  -> Int32
{
  guard let out else { return invalid("out is NULL") }
  return withEntry(dict, key) { table, place in
    out.pointee = table.position(of: place)
    return SATCHEL_OK
  }
}

@implementation @_cdecl("satchel_dict_insert_at")
public func satchel_dict_insert_at(
  _ dict: OpaquePointer?, _ index: Int, _ key: satchel_bytes, _ value: UnsafePointer<satchel_dict_value>?
) -> Int32 {
  guard let value else { return invalid("value is NULL") }
  return withKey(dict, key) { table, start, count in
    guard index >= 0, index <= table.pointee.count else { return failed(.range, "the index is beyond the end") }
    let code = give(made(value.pointee, for: table)) { table.insert(at: index, start, count, $0) }
    return code == SATCHEL_EEXISTS ? failed(.exists, "the key is there already", key: key) : code
  }
}

@implementation @_cdecl("satchel_dict_remove_at")
public func satchel_dict_remove_at(_ dict: OpaquePointer?, _ index: Int) -> Int32 {
  withPlace(dict, index) { table, place in
    table.remove(place)
    return SATCHEL_OK
  }
}

@implementation @_cdecl("satchel_dict_move_to_end")
public func satchel_dict_move_to_end(_ dict: OpaquePointer?, _ key: satchel_bytes) -> Int32 {
  withKey(dict, key) { table, key, count in result(table.moveToEnd(key, count)) }
}

@implementation @_cdecl("satchel_dict_move_to_front")
public func satchel_dict_move_to_front(_ dict: OpaquePointer?, _ key: satchel_bytes) -> Int32 {
  withKey(dict, key) { table, key, count in result(table.moveToFront(key, count)) }
}
