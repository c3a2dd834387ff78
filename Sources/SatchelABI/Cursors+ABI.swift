// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Glibc
import Satchel
import SatchelSettings

// Cursors and transactions.

/// Names, each NUL-terminated, one behind the other.
private struct NameList {
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []

  mutating func add(_ name: some Collection<UInt8>) throws(SatchelError) {
    try bytes.claimRoom(for: name.count + 1)
    try ends.claimRoom()
    bytes += name
    ends.append(bytes.count)
    bytes.append(0)
  }
}

/// The names of one instant.
final class CursorBox {
  private let bytes: UnsafeMutableRawPointer
  private let ends: [Int]
  private var next = 0

  fileprivate init(_ names: NameList) throws(SatchelError) {
    guard let copy = malloc(names.bytes.count + 1) else { throw SatchelError(.noMemory, "out of memory") }
    UnsafeMutableRawBufferPointer(start: copy, count: names.bytes.count).copyBytes(from: names.bytes)
    bytes = copy
    ends = names.ends
  }

  deinit { free(bytes) }

  var owned: OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

  func advance() -> satchel_bytes? {
    guard next < ends.count else { return nil }
    let start = next == 0 ? 0 : ends[next - 1] + 1
    defer { next += 1 }
    return satchel_bytes(data: UnsafeRawPointer(bytes) + start, size: ends[next] - start)
  }
}

@implementation @_cdecl("satchel_settings_keys")
public func satchel_settings_keys(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ settings: OpaquePointer?) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  return withRetainedStore(settings) { store in
    attempt { () throws(SatchelError) in
      var names = NameList()
      try store.forEachKey { (name) throws(SatchelError) in try names.add(name) }
      out.pointee = try CursorBox(names).owned
    }
  }
}

@implementation @_cdecl("satchel_settings_domains")
public func satchel_settings_domains(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ directory: UnsafePointer<CChar>?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  return attemptOpening { () throws(SatchelError) in
    var names = NameList()
    for name in try Settings.domains(in: try directory.map(Settings.Options.directory)) { try names.add(name.utf8) }
    out.pointee = try CursorBox(names).owned
  }
}

@implementation @_cdecl("satchel_cursor_next")
public func satchel_cursor_next(_ key: UnsafeMutablePointer<satchel_bytes>?, _ cursor: OpaquePointer?) -> Int32 {
  guard let key else { return invalid("key is NULL") }
  key.pointee = satchel_bytes(data: nil, size: 0)
  guard let cursor else { return invalid("cursor is NULL") }
  let box = Unmanaged<CursorBox>.fromOpaque(UnsafeRawPointer(cursor)).takeUnretainedValue()
  guard let next = box.advance() else { return 0 }
  key.pointee = next
  return 1
}

@implementation @_cdecl("satchel_cursor_free")
public func satchel_cursor_free(_ cursor: OpaquePointer?) {
  guard let cursor else { return }
  Unmanaged<CursorBox>.fromOpaque(UnsafeRawPointer(cursor)).release()
}

// MARK: Transactions

private func box(_ transaction: OpaquePointer) -> Transaction {
  Unmanaged<Transaction>.fromOpaque(UnsafeRawPointer(transaction)).takeUnretainedValue()
}

private func within(
  _ transaction: OpaquePointer?, _ key: UnsafePointer<CChar>?,
  _ body: (Transaction, String) throws(SatchelError) -> Void
) -> Int32 {
  guard let transaction else { return invalid("transaction is NULL") }
  guard let key else { return invalid("key is NULL") }
  return attempt { () throws(SatchelError) in
    guard let name = try key.text() else { throw SatchelError(.invalid, "the key is not UTF-8") }
    try body(box(transaction), name)
  }
}

private var notFound: SatchelError { SatchelError(.notFound, "there is no such key") }

@implementation @_cdecl("satchel_settings_begin")
public func satchel_settings_begin(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ settings: OpaquePointer?) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  return withRetainedStore(settings) { store in
    attempt { () throws(SatchelError) in
      out.pointee = OpaquePointer(Unmanaged.passRetained(try Transaction(store)).toOpaque())
    }
  }
}

@implementation @_cdecl("satchel_transaction_get_value")
public func satchel_transaction_get_value(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ transaction: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  return within(transaction, key) { (transaction, key) throws(SatchelError) in
    guard let value = try transaction.value(for: key) else { throw notFound }
    out.pointee = ValueBox(value).owned
  }
}

@implementation @_cdecl("satchel_transaction_get_int64")
public func satchel_transaction_get_int64(
  _ out: UnsafeMutablePointer<Int64>?, _ transaction: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  return within(transaction, key) { (transaction, key) throws(SatchelError) in
    guard let value = try transaction.get(key, as: Int64.self) else { throw notFound }
    out.pointee = value
  }
}

@implementation @_cdecl("satchel_transaction_set_value")
public func satchel_transaction_set_value(
  _ transaction: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: OpaquePointer?
) -> Int32 {
  guard let value else { return invalid("value is NULL") }
  return within(transaction, key) { (transaction, key) throws(SatchelError) in
    try transaction.set(ValueBox.from(value).value, for: key)
  }
}

@implementation @_cdecl("satchel_transaction_set_int64")
public func satchel_transaction_set_int64(
  _ transaction: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: Int64
) -> Int32 {
  within(transaction, key) { (transaction, key) throws(SatchelError) in try transaction.set(Value.int(value), for: key)
  }
}

@implementation @_cdecl("satchel_transaction_set_string")
public func satchel_transaction_set_string(
  _ transaction: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ text: satchel_bytes
) -> Int32 {
  within(transaction, key) { (transaction, key) throws(SatchelError) in
    try transaction.set(Value.string(try checkedText(text)), for: key)
  }
}

@implementation @_cdecl("satchel_transaction_remove")
public func satchel_transaction_remove(_ transaction: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> Int32 {
  within(transaction, key) { (transaction, key) throws(SatchelError) in
    guard try transaction.remove(key) else { throw notFound }
  }
}

@implementation @_cdecl("satchel_transaction_add")
public func satchel_transaction_add(
  _ result: UnsafeMutablePointer<Int64>?, _ transaction: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ delta: Int64
) -> Int32 {
  result?.pointee = 0
  return within(transaction, key) { (transaction, key) throws(SatchelError) in
    let sum = try transaction.add(key, delta)
    result?.pointee = sum
  }
}

@implementation @_cdecl("satchel_transaction_commit")
public func satchel_transaction_commit(_ revision: UnsafeMutablePointer<UInt64>?, _ transaction: OpaquePointer?)
  -> Int32
{
  revision?.pointee = 0
  guard let transaction else { return invalid("transaction is NULL") }
  let owned = Unmanaged<Transaction>.fromOpaque(UnsafeRawPointer(transaction)).takeRetainedValue()
  return attempt { () throws(SatchelError) in
    let number = try owned.commit()
    revision?.pointee = number
  }
}

@implementation @_cdecl("satchel_transaction_rollback")
public func satchel_transaction_rollback(_ transaction: OpaquePointer?) {
  guard let transaction else { return }
  Unmanaged<Transaction>.fromOpaque(UnsafeRawPointer(transaction)).takeRetainedValue().rollback()
}
