// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Glibc
import Satchel
import SatchelCollections

// Entries that leave their dictionary.

private var emptyItem: satchel_dict_item { satchel_dict_item() }

/// Hands an entry over.
private func hand(_ place: Int, of table: ByteTablePointer, to out: UnsafeMutablePointer<satchel_dict_item>) {
  let size = table.key(at: place).count
  let owner = table.owner(of: table.value(at: place))
  let (key, value) = table.take(place)
  out.pointee = satchel_dict_item(
    key: satchel_bytes(data: key, size: size), value: satchel_dict_value(value), destroy: owner?.destroy,
    context: owner?.context)
  value.handOver()
}

@implementation @_cdecl("satchel_dict_take")
public func satchel_dict_take(
  _ out: UnsafeMutablePointer<satchel_dict_item>?, _ dict: OpaquePointer?, _ key: satchel_bytes
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = emptyItem
  return withEntry(dict, key) { table, place in
    hand(place, of: table, to: out)
    return SATCHEL_OK
  }
}

private func pop(
  _ out: UnsafeMutablePointer<satchel_dict_item>?, _ dict: OpaquePointer?, _ place: (ByteTablePointer) -> Int
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = emptyItem
  guard let dict else { return invalid("dict is NULL") }
  let table = ByteTablePointer(dict)
  guard table.pointee.count > 0 else { return SATCHEL_ENOTFOUND }
  hand(place(table), of: table, to: out)
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_dict_pop_first")
public func satchel_dict_pop_first(_ out: UnsafeMutablePointer<satchel_dict_item>?, _ dict: OpaquePointer?) -> Int32 {
  pop(out, dict) { $0.firstPlace }
}

@implementation @_cdecl("satchel_dict_pop_last")
public func satchel_dict_pop_last(_ out: UnsafeMutablePointer<satchel_dict_item>?, _ dict: OpaquePointer?) -> Int32 {
  pop(out, dict) { $0.lastPlace }
}

@implementation @_cdecl("satchel_dict_item_free")
public func satchel_dict_item_free(_ item: UnsafeMutablePointer<satchel_dict_item>?) {
  guard let item else { return }
  let held = item.pointee
  item.pointee = emptyItem
  free(UnsafeMutableRawPointer(mutating: held.key.data))
  switch Int32(bitPattern: held.value.type) {
  case SATCHEL_DICT_BYTES: ByteValue.freeBytes(held.value.`as`.bytes.data)
  case SATCHEL_DICT_POINTER: held.destroy?(held.value.`as`.pointer, held.context)
  case SATCHEL_DICT_DICT: satchel_dict_free(held.value.`as`.dict)
  default: break
  }
}
