import CSatchelSystem
import Glibc
import SatchelSystem
import SatchelValues
import Synchronization

/// When an acknowledged write is safe.
public enum Durability: Sendable {
  /// It survives the death of any process.
  case process
  /// It survives a power cut too: every write waits for the disk, together with its neighbours.
  case disk
}

/// One open domain of this process, behind a raw pointer: nothing on the way of a read or write is counted or checked.
///
/// Two private locks, always in this order: `writerLock`, held by the one thread that may wait for the domain's lock, and
/// `indexLock`, held for catching up only and never while waiting for another process.
package struct Store: ~Copyable {
  struct Options {
    var isReadOnly = false
    var creates = true
    var isPortable = false
    var durability = Durability.process
    var lockTimeout: Int64 = 5_000_000_000
    var program = ""
  }

  /// How often it is looked, at most, whether the name leads elsewhere.
  static let lookInterval: Int64 = 100_000_000
  /// How long a sleeper sleeps at most before it looks.
  static let sleepSlice: Int64 = 1_000_000_000

  let view: Atomic<UInt>
  let epoch: Word
  let indexLock: Word
  let writerLock: Word
  let syncLock: Word
  /// Handles and sleepers; the last one frees.
  let references: Word
  /// The monotonic time of the readers' last look at what the name leads to.
  let lastLook: Atomic<Int64>
  /// The same of the writers. Belongs to the writer lock.
  var writersLook: Int64
  /// The number of the thread that is inside a transaction, or 0.
  let transactionThread: Atomic<UInt64>
  /// Held by the one thread that compacts.
  let compactionLock: Word
  /// There are views, and with them maybe whole files, that could not be freed when they were retired.
  let hasRetired: Atomic<Bool>
  /// The log is long enough for a compaction, but was written in a hurry.
  let owesCompaction: Atomic<Bool>
  /// A failed fdatasync is never retried: what it was to write may be gone from memory.
  let hasFailedToSync: Atomic<Bool>

  let domain: String
  let path: String
  let options: Options
  let program: UnsafeRawBufferPointer
  let userID: UInt32
  /// Why nothing can be written, though it was asked for.
  var readOnlyReason: SatchelError.Code?
  /// The file was empty and has been put aside, by this process.
  var hasSetAside = false
  /// Views that a reader may still hold. Belongs to the index lock.
  var retired: [(epoch: UInt64, view: ViewPointer)] = []

  init(domain: String, path: String, options: Options) {
    view = Atomic(0)
    epoch = Epoch.now
    indexLock = .allocate()
    writerLock = .allocate()
    syncLock = .allocate()
    compactionLock = .allocate()
    hasRetired = Atomic(false)
    references = .allocate(1)
    let now = scs_coarse_ns()
    lastLook = Atomic(now)
    writersLook = now
    transactionThread = Atomic(0)
    owesCompaction = Atomic(false)
    hasFailedToSync = Atomic(false)
    self.domain = domain
    self.path = path
    self.options = options
    program = Store.copyProgram(options.program)
    userID = geteuid()
    readOnlyReason = options.isReadOnly ? .readOnly : nil
  }

  /// At most 63 bytes, cut between characters.
  private static func copyProgram(_ name: String) -> UnsafeRawBufferPointer {
    let name = (name.isEmpty ? scs_program_name().map { String(cString: $0) } ?? "" : name).cut(toBytes: 63)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(name.utf8.count, 1), alignment: 1)
    copy.copyBytes(from: name.utf8)
    return UnsafeRawBufferPointer(start: copy.baseAddress, count: name.utf8.count)
  }
}
package typealias StorePointer = UnsafeMutablePointer<Store>

extension UnsafeMutablePointer where Pointee == Store {
  @inline(__always)
  var current: ViewPointer {
    ViewPointer(bitPattern: pointee.view.load(ordering: .acquiring)).unsafelyUnwrapped
  }

  func locked<R, E: Error>(_ lock: Word, _ body: () throws(E) -> R) throws(E) -> R {
    ProcessLock.acquire(lock)
    defer { ProcessLock.release(lock) }
    return try body()
  }

  func failure(_ code: SatchelError.Code, _ message: String) -> SatchelError {
    SatchelError(code, message, domain: pointee.domain, path: pointee.path)
  }

  /// The same error, said of this domain and of `key`.
  package func failure(_ error: SatchelError, key: String? = nil) -> SatchelError {
    var error = error
    error.domain = pointee.domain
    if error.path == nil { error.path = pointee.path }
    if let key { error.key = key }
    return error
  }

  /// The stored form of a value. Null alone is no setting.
  package func encoded(_ value: Value, key: @autoclosure () -> String) throws(SatchelError) -> [UInt8] {
    do throws(SatchelError) {
      if value == .null { throw SatchelError(.type, "null can only stand inside arrays and dictionaries") }
      return try CBOR.encode(value)
    } catch { throw failure(error, key: key()) }
  }

  // MARK: Ending

  package func retain() { pointee.references.pointee.add(1, ordering: .relaxed) }

  package func release() {
    if pointee.references.pointee.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { destroy() }
  }

  /// Ends the handle: compacts where writes have put that off, waits for readers and writers that are inside, then lets go.
  package func close() {
    if pointee.owesCompaction.load(ordering: .relaxed) { compactOnClosing() }
    Epoch.waitForReaders()
    release()
  }

  /// Also of a store whose opening has failed.
  func destroy() {
    for item in pointee.retired { item.view.destroy() }
    ViewPointer(bitPattern: pointee.view.load(ordering: .acquiring))?.destroy()
    for word in [
      pointee.indexLock, pointee.writerLock, pointee.syncLock, pointee.compactionLock, pointee.references,
    ] { word.deallocate() }
    pointee.program.deallocate()
    deinitialize(count: 1)
    deallocate()
  }

  // MARK: Reclaiming (index lock held)

  /// One store makes the new view everybody's; the old one goes when no reader can hold it.
  func publish(_ new: ViewPointer) {
    let old = pointee.view.exchange(UInt(bitPattern: new), ordering: .sequentiallyConsistent)
    guard let old = ViewPointer(bitPattern: old) else { return }
    pointee.retired.append((pointee.epoch.pointee.load(ordering: .sequentiallyConsistent), old))
    reclaim()
  }

  /// The list comes first: a child forked in the middle frees nothing a second time.
  private func reclaim() {
    let oldest = Epoch.advance()
    let free = pointee.retired.filter { $0.epoch < oldest }
    pointee.retired = pointee.retired.filter { $0.epoch >= oldest }
    pointee.hasRetired.store(!pointee.retired.isEmpty, ordering: .relaxed)
    for item in free { item.view.destroy() }
  }

  /// Once more for what its own publisher, which was reading then, held back.
  @inline(never)
  func reclaimRetired() { locked(pointee.indexLock) { reclaim() } }

  /// Keeps a generation (not a table) alive over a sleep, without holding every later retirement back as an epoch would.
  func retainGeneration() -> GenerationPointer {
    locked(pointee.indexLock) {
      let generation = current.pointee.generation
      generation.retain()
      return generation
    }
  }
}
