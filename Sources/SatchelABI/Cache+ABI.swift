// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import CSatchelSystem
import Satchel
import SatchelSystem
import Synchronization

/// What a `satchel_cache *` points to.
struct CacheHandle: ~Copyable {
  /// `live`, or anything else.
  let state = Atomic<UInt64>(0)
  var cache: ByteCache?

  static let live: UInt64 = 0x0000_4548_4341_4357  // "WCACHE"
  static let closed = ClosedHandles<CacheHandle>()

  static func prepare() {
    _ = closed
    ByteCache.prepare()
  }
}

/// The callbacks of a program, and what it wants them to be given.
private final class CacheCallbacks: ByteCache.Events {
  private let options: satchel_cache_options

  init(_ options: satchel_cache_options) { self.options = options }

  deinit { options.release?(options.context) }

  override func evicted(_ key: UnsafeRawBufferPointer, _ payload: UnsafeMutableRawPointer?, _ reason: ByteCache.Reason)
  {
    options.evicted?(satchel_bytes(data: key.baseAddress, size: key.count), payload, reason.rawValue, options.context)
  }

  override func destroy(_ payload: UnsafeMutableRawPointer?) { options.destroy?(payload, options.context) }
}

/// The cache of a handle that has not been freed.
@inline(__always)
private func live(_ cache: OpaquePointer?) -> ByteCache? {
  guard let cache else { return nil }
  let handle = UnsafeMutablePointer<CacheHandle>(cache)
  return handle.pointee.state.load(ordering: .acquiring) == CacheHandle.live ? handle.pointee.cache : nil
}

@inline(never)
private func invalidCache() -> Int32 { invalid("cache is NULL or has been freed") }
@inline(never)
private func refused(_ key: satchel_bytes) -> Int32 {
  key.isPlausible ? invalid("the key is NULL with a size") : failed(.range, "the key is too long")
}

@implementation @_cdecl("satchel_cache_new")
public func satchel_cache_new(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ options: UnsafePointer<satchel_cache_options>?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  var wanted = satchel_cache_options()
  if let options, !read(options, into: &wanted, first: Struct.firstCacheOptions) {
    return answer(.version, unreadableOptions)
  }
  if wanted.seed == 0 { wanted.seed = scs_fresh_seed() }
  let handle = CacheHandle.closed.take { CacheHandle() }
  handle.pointee.cache = ByteCache(seed: wanted.seed, events: CacheCallbacks(wanted))
  handle.pointee.state.store(CacheHandle.live, ordering: .releasing)
  out.pointee = OpaquePointer(handle)
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_cache_free")
public func satchel_cache_free(_ cache: OpaquePointer?) {
  guard let cache else { return }
  let handle = UnsafeMutablePointer<CacheHandle>(cache)
  let (isMine, _) = handle.pointee.state.compareExchange(
    expected: CacheHandle.live, desired: 0, ordering: .sequentiallyConsistent)
  guard isMine else { return }
  handle.pointee.cache?.close()
  handle.pointee.cache = nil
  CacheHandle.closed.put(handle)
}

// MARK: Entries

@implementation @_cdecl("satchel_cache_get")
public func satchel_cache_get(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ cache: OpaquePointer?, _ key: satchel_bytes
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  guard let cache = live(cache) else { return invalidCache() }
  guard let bytes = key.buffer else { return refused(key) }
  guard let object = cache.get(bytes) else { return SATCHEL_ENOTFOUND }
  out.pointee = object.handle
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_cache_put")
public func satchel_cache_put(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ cache: OpaquePointer?, _ key: satchel_bytes,
  _ pointer: UnsafeMutableRawPointer?
) -> Int32 {
  out?.pointee = nil
  guard let cache = live(cache) else { return invalidCache() }
  guard let bytes = key.buffer else { return refused(key) }
  guard let pointer else {
    _ = cache.remove(bytes)
    return SATCHEL_OK
  }
  guard let out else { return invalid("out is NULL") }
  guard let object = cache.put(bytes, pointer, .replace) else { return failed(.noMemory) }
  out.pointee = object.handle
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_cache_get_or_create")
public func satchel_cache_get_or_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ cache: OpaquePointer?, _ key: satchel_bytes,
  _ make: (
    @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, satchel_bytes, UnsafeMutableRawPointer?) -> Int32
  )?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  guard let cache = live(cache) else { return invalidCache() }
  guard let bytes = key.buffer else { return refused(key) }
  guard let make else { return invalid("make is NULL") }
  if let object = cache.get(bytes) {
    out.pointee = object.handle
    return SATCHEL_OK
  }
  return cache.keeping(bytes) {
    var made: UnsafeMutableRawPointer?
    let code = make(&made, key, context)
    if code != 0 { return code }
    guard let made else { return invalid("make has made NULL") }
    guard let object = cache.put(bytes, made, .keep) else {
      // It has nobody else who would free it.
      cache.destroy(made)
      return failed(.noMemory)
    }
    out.pointee = object.handle
    return SATCHEL_OK
  }
}

@implementation @_cdecl("satchel_cache_remove")
public func satchel_cache_remove(_ cache: OpaquePointer?, _ key: satchel_bytes) -> Int32 {
  guard let cache = live(cache) else { return invalidCache() }
  guard let bytes = key.buffer else { return refused(key) }
  return cache.remove(bytes) ? SATCHEL_OK : SATCHEL_ENOTFOUND
}

@implementation @_cdecl("satchel_cache_clear")
public func satchel_cache_clear(_ cache: OpaquePointer?) -> Int32 {
  guard let cache = live(cache) else { return invalidCache() }
  cache.removeAll()
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_cache_count")
public func satchel_cache_count(_ out: UnsafeMutablePointer<Int>?, _ cache: OpaquePointer?) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = 0
  guard let cache = live(cache) else { return invalidCache() }
  out.pointee = cache.count
  return SATCHEL_OK
}

// MARK: Objects

@implementation @_cdecl("satchel_object_retain")
public func satchel_object_retain(_ object: OpaquePointer?) -> OpaquePointer? {
  if let object { ByteObject(object).retain() }
  return object
}

@implementation @_cdecl("satchel_object_release")
public func satchel_object_release(_ object: OpaquePointer?) {
  if let object { ByteObject(object).release() }
}

@implementation @_cdecl("satchel_object_pointer")
public func satchel_object_pointer(_ object: OpaquePointer?) -> UnsafeMutableRawPointer? {
  object.flatMap { ByteObject($0).payload }
}

@implementation @_cdecl("satchel_object_key")
public func satchel_object_key(_ object: OpaquePointer?) -> satchel_bytes {
  guard let key = object.map({ ByteObject($0).key }) else { return satchel_bytes(data: nil, size: 0) }
  return satchel_bytes(data: key.baseAddress, size: key.count)
}
