import CSatchel
import Glibc
import Satchel
import SatchelSystem

/// What a `satchel_value *` points to: a value, and what has been lent of it.
///
/// Its lock is Satchel's own: the runtime's remembers thread numbers that are wrong in a forked child.
final class ValueBox: @unchecked Sendable {
  private struct State {
    var value: Value
    /// Somebody else may hold the same storage: changing it makes a copy.
    var isShared = true
    /// Made when asked for; they live until the value is changed or freed.
    var bytes: [Int: Lent] = [:]
    var children: [Int: ValueBox] = [:]
  }
  private struct Lent: @unchecked Sendable {
    let memory: UnsafeMutableRawPointer
  }
  private var state: State
  private let lock = Word.allocate()

  init(_ value: Value) { state = State(value: value) }

  deinit {
    dropLent()
    lock.deallocate()
  }

  /// For whoever keeps it.
  var value: Value {
    withState { state in
      state.isShared = true
      return state.value
    }
  }

  /// Lends it to `body`, which keeps nothing that an appended or a put element would change.
  func look<R, E: Error>(_ body: (Value) throws(E) -> R) throws(E) -> R {
    try withState { (state) throws(E) in try body(state.value) }
  }

  private func withState<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    ProcessLock.acquire(lock)
    defer { ProcessLock.release(lock) }
    return try body(&state)
  }

  private func dropLent() {
    withState { state in
      for lent in state.bytes.values { free(lent.memory) }
      state.bytes = [:]
      state.children = [:]
    }
  }

  /// Changes the value in place; what was lent is gone.
  func change(_ body: (inout Value, _ isShared: Bool) throws(SatchelError) -> Void) throws(SatchelError) {
    dropLent()
    try withState { (state) throws(SatchelError) in
      try body(&state.value, state.isShared)
      state.isShared = false
    }
  }

  /// Lends bytes, NUL-terminated. `index` tells the value's own (-1) from its entries' keys.
  func lend(_ index: Int, _ content: some Collection<UInt8>) throws(SatchelError) -> satchel_bytes {
    let count = content.count
    let lent = try withState { (state) throws(SatchelError) -> Lent in
      if let known = state.bytes[index] { return known }
      try Self.claimRoom(in: state.bytes)
      guard let memory = malloc(count + 1) else { throw SatchelError(.noMemory, "out of memory") }
      let bytes = UnsafeMutableRawBufferPointer(start: memory, count: count + 1)
      bytes.copyBytes(from: content)
      bytes[count] = 0
      let lent = Lent(memory: memory)
      state.bytes[index] = lent
      return lent
    }
    return satchel_bytes(data: UnsafeRawPointer(lent.memory), size: count)
  }

  /// For one more, and for its box.
  private static func claimRoom<Lent>(in known: [Int: Lent]) throws(SatchelError) {
    let grows = known.count >= known.capacity
    try Memory.claim(512 + (grows ? (known.capacity + 1) * 4 * MemoryLayout<(Int, Lent)>.stride : 0))
  }

  func child(_ index: Int, _ value: Value) throws(SatchelError) -> ValueBox {
    try withState { (state) throws(SatchelError) in
      if let known = state.children[index] { return known }
      try Self.claimRoom(in: state.children)
      let box = ValueBox(value)
      state.children[index] = box
      return box
    }
  }

  // MARK: Handles

  /// A handle that the caller owns.
  var owned: OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }
  /// A handle that lives as long as whoever holds the box.
  var lent: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  static func from(_ handle: OpaquePointer) -> ValueBox {
    Unmanaged<ValueBox>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }
}
