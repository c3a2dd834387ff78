// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Glibc
import Satchel
import SatchelCollections

@implementation @_cdecl("satchel_dict_cursor_open")
public func satchel_dict_cursor_open(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ dict: OpaquePointer?) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  guard let dict else { return invalid("dict is NULL") }
  guard let memory = malloc(MemoryLayout<ByteCursor>.size) else { return failed(.noMemory) }
  let cursor = memory.initializeMemory(as: ByteCursor.self, to: ByteCursor())
  if let code = cursor.open(ByteTablePointer(dict)) {
    free(memory)
    return result(code)
  }
  out.pointee = OpaquePointer(cursor)
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_dict_cursor_close")
public func satchel_dict_cursor_close(_ cursor: OpaquePointer?) {
  guard let cursor else { return }
  ByteCursorPointer(cursor).close()
  free(UnsafeMutableRawPointer(cursor))
}

/// Runs `body` with a cursor whose dictionary is there.
@inline(__always)
private func withCursor(_ cursor: OpaquePointer?, _ body: (ByteCursorPointer, ByteTablePointer) -> Int32) -> Int32 {
  guard let cursor else { return invalid("cursor is NULL") }
  let pointer = ByteCursorPointer(cursor)
  guard let table = pointer.pointee.table else { return failed(.invalid, freedDictionary) }
  return body(pointer, table)
}

/// Lends the entry that a step has reached: 1, or 0 where there is none.
@inline(__always)
private func reached(
  _ place: Int?, of table: ByteTablePointer, _ key: UnsafeMutablePointer<satchel_bytes>?,
  _ value: UnsafeMutablePointer<satchel_dict_value>?
) -> Int32 {
  guard let place else { return 0 }
  lend(place, of: table, key, value)
  return 1
}

@implementation @_cdecl("satchel_dict_cursor_next")
public func satchel_dict_cursor_next(
  _ key: UnsafeMutablePointer<satchel_bytes>?, _ value: UnsafeMutablePointer<satchel_dict_value>?,
  _ cursor: OpaquePointer?
) -> Int32 {
  withCursor(cursor) { cursor, table in reached(cursor.advance(table), of: table, key, value) }
}

@implementation @_cdecl("satchel_dict_cursor_prev")
public func satchel_dict_cursor_prev(
  _ key: UnsafeMutablePointer<satchel_bytes>?, _ value: UnsafeMutablePointer<satchel_dict_value>?,
  _ cursor: OpaquePointer?
) -> Int32 {
  withCursor(cursor) { cursor, table in reached(cursor.retreat(table), of: table, key, value) }
}

@implementation @_cdecl("satchel_dict_cursor_remove")
public func satchel_dict_cursor_remove(_ cursor: OpaquePointer?) -> Int32 {
  withCursor(cursor) { cursor, table in
    guard let place = cursor.present else { return SATCHEL_ENOTFOUND }
    table.remove(place)
    return SATCHEL_OK
  }
}

@implementation @_cdecl("satchel_dict_next")
public func satchel_dict_next(
  _ key: UnsafeMutablePointer<satchel_bytes>?, _ value: UnsafeMutablePointer<satchel_dict_value>?,
  _ dict: OpaquePointer?, _ position: UnsafeMutablePointer<satchel_dict_position>?
) -> Int32 {
  guard let dict else { return invalid("dict is NULL") }
  guard let position else { return invalid("position is NULL") }
  let table = ByteTablePointer(dict)
  var at = BytePosition(ordinal: position.pointee.ordinal, epoch: position.pointee.epoch)
  var isThere = false
  let code = attempt { () throws(SatchelError) in
    guard let place = try table.next(&at) else { return }
    lend(place, of: table, key, value)
    isThere = true
  }
  if code < 0 { return code }
  position.pointee = satchel_dict_position(ordinal: at.ordinal, epoch: at.epoch)
  return isThere ? 1 : 0
}

@implementation @_cdecl("satchel_dict_foreach")
public func satchel_dict_foreach(
  _ dict: OpaquePointer?,
  _ visit: (
    @convention(c) (satchel_bytes, UnsafePointer<satchel_dict_value>, UnsafeMutableRawPointer?) -> Int32
  )?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let dict else { return invalid("dict is NULL") }
  guard let visit else { return invalid("visit is NULL") }
  var cursor = ByteCursor()
  return withUnsafeMutablePointer(to: &cursor) { cursor in
    if let code = cursor.open(ByteTablePointer(dict)) { return result(code) }
    defer { cursor.close() }
    return walk(cursor, visit, context)
  }
}

private func walk(
  _ cursor: ByteCursorPointer,
  _ visit: @convention(c) (satchel_bytes, UnsafePointer<satchel_dict_value>, UnsafeMutableRawPointer?) -> Int32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  while let table = cursor.pointee.table {
    guard let place = cursor.advance(table) else { return SATCHEL_OK }
    var value = satchel_dict_value(table.value(at: place))
    let answer = visit(satchel_bytes(table.key(at: place)), &value, context)
    if answer != 0 { return answer }
  }
  return failed(.invalid, freedDictionary)
}
