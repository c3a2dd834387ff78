import CSatchel
import CSatchelSystem
import Glibc
import Satchel
import SatchelSystem
import Synchronization

/// What a `satchel_settings *` points to. The memory of a closed handle stays readable and is used again only after many
/// others have been closed, so that a call on a closed handle gets an answer, not a crash.
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

/// Closed handles, oldest first.
private struct ClosedHandles: ~Copyable {
  private static let most = 1024
  private var handles: [HandlePointer] = []
  private var next = 0

  mutating func put(_ handle: HandlePointer) { handles.append(handle) }

  /// One that has been closed long enough, or a new one.
  mutating func take() -> HandlePointer {
    guard handles.count - next > ClosedHandles.most else { return ClosedHandles.make() }
    defer {
      next += 1
      if next == ClosedHandles.most {
        handles.removeFirst(next)
        next = 0
      }
    }
    return handles[next]
  }

  private static func make() -> HandlePointer {
    let handle = HandlePointer.allocate(capacity: 1)
    handle.initialize(to: Handle(state: Atomic(0), epoch: Epoch.now, store: nil, domain: nil, path: nil))
    return handle
  }
}
private nonisolated(unsafe) var closed = ClosedHandles()
private struct HandleLock: @unchecked Sendable { let word = Word.allocate() }
private let handleLock = HandleLock()

extension UnsafeMutablePointer where Pointee == Handle {
  static func make(_ store: StorePointer, domain: String, path: String) -> HandlePointer {
    ProcessLock.acquire(handleLock.word)
    let handle = closed.take()
    ProcessLock.release(handleLock.word)
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
    ProcessLock.acquire(handleLock.word)
    closed.put(self)
    ProcessLock.release(handleLock.word)
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
  ProcessLock.acquire(handleLock.word)
  closed.put(closed.take())
  ProcessLock.release(handleLock.word)
  LastError.prepare()
}
