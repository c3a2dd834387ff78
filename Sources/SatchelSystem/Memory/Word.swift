import CSatchelSystem
import Synchronization

/// Eight bytes that several threads or processes change; over plain or mapped memory.
public typealias Word = UnsafeMutablePointer<Atomic<UInt64>>
/// Four such bytes: what a futex sleeps on.
public typealias HalfWord = UnsafeMutablePointer<Atomic<UInt32>>

extension UnsafeRawPointer {
  @inlinable @inline(__always)
  public func word(at offset: Int) -> Word {
    UnsafeMutableRawPointer(mutating: self + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  @inlinable @inline(__always)
  public func halfWord(at offset: Int) -> HalfWord {
    UnsafeMutableRawPointer(mutating: self + offset).assumingMemoryBound(to: Atomic<UInt32>.self)
  }
}

extension UnsafeMutablePointer where Pointee == Atomic<UInt64> {
  /// A word on a cache line of its own.
  public static func allocate(_ value: UInt64 = 0) -> Word {
    let word = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64).assumingMemoryBound(
      to: Atomic<UInt64>.self)
    word.initialize(to: Atomic(value))
    return word
  }
}

/// Named points at which a test may kill the process. Nothing at all in any other build.
@inlinable @inline(__always)
public func faultPoint(_ name: StaticString) {
  #if SATCHEL_FAULTS
  scs_fault_point(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
  #endif
}
