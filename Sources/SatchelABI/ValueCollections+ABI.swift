// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Glibc
import Satchel
import SatchelSystem

// Arrays, dictionaries and codecs of values.

@implementation @_cdecl("satchel_value_count")
public func satchel_value_count(_ out: UnsafeMutablePointer<Int>?, _ value: OpaquePointer?) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = 0
  guard let value else { return invalid("value is NULL") }
  return attempt { () throws(SatchelError) in
    out.pointee = try ValueBox.from(value).look { (value) throws(SatchelError) in
      switch value {
      case .array(let items): items.count
      case .dictionary(let entries): entries.count
      default: throw SatchelError(.type, "only arrays and dictionaries have a count")
      }
    }
  }
}

@implementation @_cdecl("satchel_value_at")
public func satchel_value_at(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ value: OpaquePointer?, _ index: Int)
  -> Int32
{
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  guard let value else { return invalid("value is NULL") }
  let box = ValueBox.from(value)
  return attempt { () throws(SatchelError) in
    let element = try box.look { (value) throws(SatchelError) in
      switch value {
      case .array(let items) where items.indices.contains(index): items[index]
      case .dictionary(let entries) where entries.indices.contains(index): entries[index].value
      case .array(let items): throw outside(index, items.count)
      case .dictionary(let entries): throw outside(index, entries.count)
      default: throw SatchelError(.type, "only arrays and dictionaries have elements")
      }
    }
    out.pointee = try box.child(index, element).lent
  }
}

private func outside(_ index: Int, _ count: Int) -> SatchelError {
  SatchelError(.range, "index \(UInt(bitPattern: index)) of \(count)")
}

@implementation @_cdecl("satchel_value_key_at")
public func satchel_value_key_at(_ out: UnsafeMutablePointer<satchel_bytes>?, _ value: OpaquePointer?, _ index: Int)
  -> Int32
{
  guard let out else { return invalid("out is NULL") }
  out.pointee = satchel_bytes(data: nil, size: 0)
  guard let value else { return invalid("value is NULL") }
  let box = ValueBox.from(value)
  return attempt { () throws(SatchelError) in
    let key = try box.look { (value) throws(SatchelError) in
      let entries = try value.asDictionary()
      guard entries.indices.contains(index) else { throw outside(index, entries.count) }
      return entries[index].key
    }
    out.pointee = try box.lend(index, key.utf8)
  }
}

@implementation @_cdecl("satchel_value_find")
public func satchel_value_find(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ value: OpaquePointer?, _ key: satchel_bytes
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  guard let value else { return invalid("value is NULL") }
  let box = ValueBox.from(value)
  return attempt { () throws(SatchelError) in
    let (index, element) = try box.look { (value) throws(SatchelError) in
      let entries = try value.asDictionary()
      guard let index = entries.position(of: try checkedText(key)) else { throw SatchelError(.notFound, "no such key") }
      return (index, entries[index].value)
    }
    out.pointee = try box.child(index, element).lent
  }
}

@implementation @_cdecl("satchel_value_append")
public func satchel_value_append(_ array: OpaquePointer?, _ item: OpaquePointer?) -> Int32 {
  guard let array, let item else { return invalid("value is NULL") }
  return attempt { () throws(SatchelError) in
    let item = try nestable(item)
    try ValueBox.from(array).change { (value, isShared) throws(SatchelError) in
      guard case .array(var items) = value else { throw SatchelError(.type, "not an array") }
      if isShared {
        try Memory.claim((items.count + 1) * 2 * MemoryLayout<Value>.stride)
      } else {
        try items.claimRoom()
      }
      value = .null  // the only reference, so that appending copies nothing
      items.append(item)
      value = .array(items)
    }
  }
}

@implementation @_cdecl("satchel_value_put")
public func satchel_value_put(_ dictionary: OpaquePointer?, _ key: satchel_bytes, _ item: OpaquePointer?) -> Int32 {
  guard let dictionary, let item else { return invalid("value is NULL") }
  return attempt { () throws(SatchelError) in
    let item = try nestable(item)
    let key = try checkedText(key)
    try ValueBox.from(dictionary).change { (value, isShared) throws(SatchelError) in
      guard case .dictionary(var entries) = value else { throw SatchelError(.type, "not a dictionary") }
      try entries.claimRoom(isShared: isShared)
      value = .null
      _ = entries.updateValue(item, forKey: key)
      value = .dictionary(entries)
    }
  }
}

/// A copy of what goes one level deeper.
private func nestable(_ handle: OpaquePointer) throws(SatchelError) -> Value {
  let value = ValueBox.from(handle).value
  if value.isNested(deeperThan: Value.nestingLimit - 1) {
    throw SatchelError(.range, "nested deeper than \(Value.nestingLimit)")
  }
  return value
}

// MARK: Codecs

private func encode(
  _ out: UnsafeMutablePointer<satchel_buffer>?, _ value: OpaquePointer?,
  _ body: (Value) throws(SatchelError) -> [UInt8]
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = satchel_buffer(data: nil, size: 0)
  guard let value else { return invalid("value is NULL") }
  return attempt { () throws(SatchelError) in
    try fill(out, try body(ValueBox.from(value).value))
  }
}

@implementation @_cdecl("satchel_value_to_json")
public func satchel_value_to_json(_ out: UnsafeMutablePointer<satchel_buffer>?, _ value: OpaquePointer?) -> Int32 {
  encode(out, value) { (value) throws(SatchelError) in try JSON.utf8(value, pretty: false) }
}

@implementation @_cdecl("satchel_value_to_cbor")
public func satchel_value_to_cbor(_ out: UnsafeMutablePointer<satchel_buffer>?, _ value: OpaquePointer?) -> Int32 {
  encode(out, value) { (value) throws(SatchelError) in try CBOR.encode(value) }
}

@implementation @_cdecl("satchel_value_from_json")
public func satchel_value_from_json(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ json: satchel_bytes) -> Int32 {
  make(out) { () throws(SatchelError) in try JSON.parse(try checkedData(json)) }
}

@implementation @_cdecl("satchel_value_from_cbor")
public func satchel_value_from_cbor(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ cbor: satchel_bytes) -> Int32 {
  make(out) { () throws(SatchelError) in try CBOR.decode(try checkedData(cbor)) }
}

@implementation @_cdecl("satchel_value_to_dotenv")
public func satchel_value_to_dotenv(_ out: UnsafeMutablePointer<satchel_buffer>?, _ value: OpaquePointer?) -> Int32 {
  encode(out, value) { (value) throws(SatchelError) in Array(try Dotenv.format(try value.asDictionary()).utf8) }
}

@implementation @_cdecl("satchel_value_from_dotenv")
public func satchel_value_from_dotenv(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ dotenv: satchel_bytes) -> Int32 {
  make(out) { () throws(SatchelError) in .dictionary(try Dotenv.dictionary(try checkedData(dotenv))) }
}

@implementation @_cdecl("satchel_value_to_text")
public func satchel_value_to_text(_ out: UnsafeMutablePointer<satchel_buffer>?, _ value: OpaquePointer?) -> Int32 {
  encode(out, value) { (value) throws(SatchelError) in
    let text = try value.text
    try Memory.claim(text.utf8.count)
    return Array(text.utf8)
  }
}

@implementation @_cdecl("satchel_value_from_text")
public func satchel_value_from_text(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ text: satchel_bytes, _ type: Int32
) -> Int32 {
  make(out) { () throws(SatchelError) in try Value(text: try checkedText(text), as: try checkedType(type)) }
}
