import CSatchel
import CSatchelSystem
import Glibc
import Satchel
import SatchelLogging
import SatchelSystem
import Synchronization

/// What a `satchel_settings *` points to.
struct Handle: ~Copyable {
  /// `live`, or anything else.
  let state: Atomic<UInt64>
  let epoch: Word
  var store: StorePointer?
  var domain: UnsafeMutablePointer<CChar>?
  var path: UnsafeMutablePointer<CChar>?

  static let live: UInt64 = 0x5345_5454_494E_4753  // "SETTINGS"
  static var empty: ConstantText { ConstantText("") }
}
typealias HandlePointer = UnsafeMutablePointer<Handle>

private let closed = ClosedHandles<Handle>()

extension UnsafeMutablePointer where Pointee == Handle {
  static func make(_ store: StorePointer, domain: String, path: String) -> HandlePointer {
    let handle = closed.take { Handle(state: Atomic(0), epoch: Epoch.now, store: nil, domain: nil, path: nil) }
    free(handle.pointee.domain)
    free(handle.pointee.path)
    handle.pointee.store = store
    handle.pointee.domain = strdup(domain)
    handle.pointee.path = strdup(path)
    handle.pointee.state.store(Handle.live, ordering: .releasing)
    return handle
  }

  /// Only the first of several calls closes.
  func close() {
    let (isMine, _) = pointee.state.compareExchange(
      expected: Handle.live, desired: 0, ordering: .sequentiallyConsistent)
    guard isMine, let store = pointee.store else { return }
    store.close()
    pointee.store = nil
    closed.put(self)
  }
}

/// Runs `body` with the store of an open handle, which stays open meanwhile; `SATCHEL_EINVAL` for any other.
@inline(__always)
func withStore(_ settings: OpaquePointer?, _ body: (StorePointer) -> Int32) -> Int32 {
  guard let settings else { return invalid("settings is NULL") }
  let handle = HandlePointer(settings)
  let pin = Epoch.Pin(handle.pointee.epoch)
  defer { pin.leave() }
  guard handle.pointee.state.load(ordering: .acquiring) == Handle.live else { return invalid("settings is closed") }
  return body(handle.pointee.store.unsafelyUnwrapped)
}

/// The same for calls that may sleep long: they hold the store, not an epoch.
func withRetainedStore(_ settings: OpaquePointer?, _ body: (StorePointer) -> Int32) -> Int32 {
  var kept: StorePointer?
  let code = withStore(settings) { store in
    store.retain()
    kept = store
    return SATCHEL_OK
  }
  guard let store = kept else { return code }
  defer { store.release() }
  return body(store)
}

/// Runs as the library is loaded, before there are threads: what is made at its first use is guarded by a lock of the
/// runtime, and a child forked while another thread holds that lock would wait for it for ever. Nothing that hashes may be made
/// here: the runtime may not have chosen its seed yet.
@_cdecl("scs_library_loaded")
func libraryLoaded() {
  _ = Identity.mine
  _ = closed
  CacheHandle.prepare()
  LogDirectory.prepare()
  LastError.prepare()
}
