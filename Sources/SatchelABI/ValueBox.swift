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
    /// Made when asked for; they live until the value is changed or freed.
    var bytes: [Int: Lent] = [:]
    var children: [Int: ValueBox] = [:]
  }
  private struct Lent: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
  }
  private var state: State
  private let lock = Word.allocate()

  init(_ value: Value) { state = State(value: value) }

  deinit {
    dropLent()
    lock.deallocate()
  }

  var value: Value { withState { $0.value } }

  private func withState<R>(_ body: (inout State) -> R) -> R {
    ProcessLock.acquire(lock)
    defer { ProcessLock.release(lock) }
    return body(&state)
  }

  private func dropLent() {
    withState { state in
      for lent in state.bytes.values { lent.memory.deallocate() }
      state.bytes = [:]
      state.children = [:]
    }
  }

  /// Changes the value in place; what was lent is gone.
  func change(_ body: (inout Value) throws(SatchelError) -> Void) throws(SatchelError) {
    dropLent()
    let result = withState { state -> Result<Void, SatchelError> in
      do throws(SatchelError) { return .success(try body(&state.value)) } catch { return .failure(error) }
    }
    try result.get()
  }

  /// Lends bytes, NUL-terminated. `index` tells the value's own (-1) from its entries' keys.
  func lend(_ index: Int, _ content: some Collection<UInt8>) -> satchel_bytes {
    let count = content.count
    let copy = withState { state -> Lent in
      if let known = state.bytes[index] { return known }
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 1, alignment: 1)
      memory.copyBytes(from: content)
      memory[count] = 0
      let lent = Lent(memory: memory)
      state.bytes[index] = lent
      return lent
    }
    return satchel_bytes(data: UnsafeRawPointer(copy.memory.baseAddress), size: count)
  }

  func child(_ index: Int, _ value: Value) -> ValueBox {
    withState { state in
      if let known = state.children[index] { return known }
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
