// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import CSatchelSystem
import Glibc
import Satchel
import SatchelSettings

// Opening, closing, conditional writes, waiting, upkeep.

@implementation @_cdecl("satchel_settings_open")
public func satchel_settings_open(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ domain: UnsafePointer<CChar>?,
  _ options: UnsafePointer<satchel_settings_options>?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  guard let domain else { return invalid("domain is NULL") }
  return attemptOpening { () throws(SatchelError) in
    guard let name = try domain.text() else { throw SatchelError(.invalid, "the domain's name is not UTF-8") }
    let store = try StorePointer.open(domain: name, options: try Settings.Options(options))
    out.pointee = OpaquePointer(HandlePointer.make(store, domain: store.domain, path: store.path))
  }
}

extension Settings.Options {
  init(_ options: UnsafePointer<satchel_settings_options>?) throws(SatchelError) {
    self.init()
    guard let options else { return }
    var given = satchel_settings_options()
    guard read(options, into: &given, first: Struct.firstOptions) else {
      throw unreadableOptions()
    }
    guard given.flags & ~7 == 0 else { throw SatchelError(.invalid, "unknown flags") }
    guard given.durability <= SATCHEL_DURABILITY_DISK else { throw SatchelError(.invalid, "unknown durability") }
    readOnly = given.flags & SATCHEL_SETTINGS_READ_ONLY != 0
    create = given.flags & SATCHEL_SETTINGS_NO_CREATE == 0
    portable = given.flags & SATCHEL_SETTINGS_PORTABLE != 0
    durability = given.durability == SATCHEL_DURABILITY_DISK ? .disk : .process
    if given.lock_timeout_ns != 0 { lockTimeout = .nanoseconds(max(given.lock_timeout_ns, 0)) }
    directory = try given.directory.map(Self.directory)
    program = try given.program.map { (text) throws(SatchelError) in try Self.checked(text, "program") }
  }

  static func directory(_ text: UnsafePointer<CChar>) throws(SatchelError) -> String {
    try checked(text, "directory")
  }

  private static func checked(_ text: UnsafePointer<CChar>, _ what: String) throws(SatchelError) -> String {
    guard let text = try text.text(), !text.isEmpty else {
      throw SatchelError(.invalid, "the \(what) is empty or not UTF-8")
    }
    return text
  }
}

@implementation @_cdecl("satchel_settings_close")
public func satchel_settings_close(_ settings: OpaquePointer?) {
  guard let settings else { return }
  HandlePointer(settings).close()
}

@implementation @_cdecl("satchel_settings_domain")
public func satchel_settings_domain(_ settings: OpaquePointer?) -> UnsafePointer<CChar> {
  lent(settings) { $0.domain }
}

@implementation @_cdecl("satchel_settings_path")
public func satchel_settings_path(_ settings: OpaquePointer?) -> UnsafePointer<CChar> {
  lent(settings) { $0.path }
}

private func lent(
  _ settings: OpaquePointer?, _ field: (borrowing Handle) -> UnsafeMutablePointer<CChar>?
) -> UnsafePointer<CChar> {
  guard let settings else { return Handle.empty.pointer }
  let handle = HandlePointer(settings)
  guard handle.pointee.state.load(ordering: .acquiring) == Handle.live, let text = field(handle.pointee) else {
    return Handle.empty.pointer
  }
  return UnsafePointer(text)
}

// MARK: Conditional writes

@implementation @_cdecl("satchel_settings_remove")
public func satchel_settings_remove(_ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> Int32 {
  guard let key else { return invalid("key is NULL") }
  return withRetainedStore(settings) { store in
    let code = store.remove(key.bytes)
    return answer(code) { store.failure(code ?? .io, key: key.shown) }
  }
}

@implementation @_cdecl("satchel_settings_add")
public func satchel_settings_add(
  _ result: UnsafeMutablePointer<Int64>?, _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ delta: Int64
) -> Int32 {
  result?.pointee = 0
  guard let key else { return invalid("key is NULL") }
  return withRetainedStore(settings) { store in
    var sum: Int64 = 0
    let code = store.add(key.bytes, delta, &sum)
    if code == nil { result?.pointee = sum }
    return answer(code) { store.failure(code ?? .io, key: key.shown, .adding(delta)) }
  }
}

@implementation @_cdecl("satchel_settings_compare_and_set")
public func satchel_settings_compare_and_set(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ expected: OpaquePointer?, _ desired: OpaquePointer?
) -> Int32 {
  guard let key else { return invalid("key is NULL") }
  return compare(settings, key, desired) { (store, action) throws(SatchelError) in
    guard let expected else { return store.compareAndSet(key.bytes, expected: nil, action) }
    return store.compareAndSet(
      key.bytes, expected: try store.encoded(ValueBox.from(expected).value, key: key.shown), action)
  }
}

@implementation @_cdecl("satchel_settings_compare_revision_and_set")
public func satchel_settings_compare_revision_and_set(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ revision: UInt64, _ desired: OpaquePointer?
) -> Int32 {
  guard let key else { return invalid("key is NULL") }
  return compare(settings, key, desired) { store, action in
    store.compareAndSet(key.bytes, revision: revision, action)
  }
}

private func compare(
  _ settings: OpaquePointer?, _ key: UnsafePointer<CChar>, _ desired: OpaquePointer?,
  _ body: (StorePointer, [UInt8]?) throws(SatchelError) -> SatchelError.Code?
) -> Int32 {
  withRetainedStore(settings) { store in
    attempt { () throws(SatchelError) in
      let bytes = try desired.map { (value) throws(SatchelError) in
        try store.encoded(ValueBox.from(value).value, key: key.shown)
      }
      if let code = try body(store, bytes) {
        throw store.failure(code, key: key.shown, bytes.map { .writing($0.count) })
      }
    }
  }
}

// MARK: The domain as a whole

@implementation @_cdecl("satchel_settings_revision")
public func satchel_settings_revision(_ out: UnsafeMutablePointer<UInt64>?, _ settings: OpaquePointer?) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = 0
  return withStore(settings) { store in
    let code = store.revision(&out.pointee)
    return answer(code) { store.failure(code ?? .io) }
  }
}

@implementation @_cdecl("satchel_settings_wait")
public func satchel_settings_wait(
  _ revision: UnsafeMutablePointer<UInt64>?, _ settings: OpaquePointer?, _ since: UInt64, _ timeout_ns: Int64
) -> Int32 {
  guard let revision else { return invalid("revision is NULL") }
  revision.pointee = 0
  return withRetainedStore(settings) { store in
    let code = store.wait(since: since, timeout: timeout_ns, revision: &revision.pointee)
    return answer(code) {
      guard code == .timeout else { return store.failure(code ?? .io) }
      return SatchelError(.timeout, "nothing changed", domain: store.domain, path: store.path)
    }
  }
}

@implementation @_cdecl("satchel_settings_sync")
public func satchel_settings_sync(_ settings: OpaquePointer?) -> Int32 {
  withRetainedStore(settings) { store in
    let code = store.sync()
    return answer(code) { store.failure(code ?? .io) }
  }
}

@implementation @_cdecl("satchel_settings_compact")
public func satchel_settings_compact(_ settings: OpaquePointer?) -> Int32 {
  withRetainedStore(settings) { store in attempt { () throws(SatchelError) in try store.compact() } }
}

@implementation @_cdecl("satchel_settings_health_check")
public func satchel_settings_health_check(
  _ out: UnsafeMutablePointer<satchel_settings_health>?, _ settings: OpaquePointer?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  guard out.pointee.struct_size >= Struct.firstHealth else { return invalid("struct_size of health") }
  return withRetainedStore(settings) { store in
    attempt { () throws(SatchelError) in write(satchel_settings_health(try store.health()), to: out) }
  }
}

extension satchel_settings_health {
  init(_ health: Health) {
    self.init(
      struct_size: MemoryLayout<satchel_settings_health>.size, damaged_records: UInt64(health.damagedRecords),
      corrupt_keys: UInt64(health.corruptKeys.count), dropped_bytes: UInt64(health.droppedBytes),
      file_bytes: UInt64(health.fileBytes), log_bytes: UInt64(health.logBytes), generation: health.generation,
      keys: UInt64(health.keys), degraded: health.isDegraded ? 1 : 0, portable: health.isPortable ? 1 : 0,
      disk_bytes: UInt64(health.diskBytes))
  }
}

@implementation @_cdecl("satchel_settings_accept")
public func satchel_settings_accept(_ settings: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> Int32 {
  withRetainedStore(settings) { store in
    // No key is longer than this, and nothing longer is copied.
    let code = store.accept(key.map { Array($0.bytes.prefix(Key.limit + 1)) })
    return answer(code) { store.failure(code ?? .io, key: key?.shown) }
  }
}

@implementation @_cdecl("satchel_settings_import_json")
public func satchel_settings_import_json(_ settings: OpaquePointer?, _ json: satchel_bytes) -> Int32 {
  withRetainedStore(settings) { store in
    attempt { () throws(SatchelError) in
      let entries = try JSON.parse(try checkedData(json)).asDictionary()
      let transaction = try Transaction(store)
      for (key, value) in entries { try transaction.set(value, for: key) }
      _ = try transaction.commit()
    }
  }
}

@implementation @_cdecl("satchel_settings_get_all")
public func satchel_settings_get_all(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ settings: OpaquePointer?) -> Int32
{
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  return withRetainedStore(settings) { store in
    make(out) { () throws(SatchelError) in .dictionary(try all(store)) }
  }
}

private func all(_ store: StorePointer) throws(SatchelError) -> ValueDictionary {
  let entries = try store.entries()
  var all = ValueDictionary()
  for (key, value) in entries {
    try all.claimRoom()
    all.updateValue(value, forKey: key)
  }
  return all
}

@implementation @_cdecl("satchel_settings_export_json")
public func satchel_settings_export_json(_ out: UnsafeMutablePointer<satchel_buffer>?, _ settings: OpaquePointer?)
  -> Int32
{
  guard let out else { return invalid("out is NULL") }
  out.pointee = satchel_buffer(data: nil, size: 0)
  return withRetainedStore(settings) { store in
    attempt { () throws(SatchelError) in
      try fill(out, try JSON.utf8(.dictionary(try all(store)), pretty: false))
    }
  }
}
