import CSatchelSystem

/// Room for what a caller, a text or a file makes large. Swift ends the process where an allocation fails, and a library must not
/// end its host: so whatever has no limit of its own is claimed before it is allocated, and may be refused.
///
/// A claim holds nothing: another thread may take what was there. What is left over for that, and for the small allocations that
/// nobody claims, is a mebibyte.
public enum Memory {
  /// Small amounts are added up; the allocator is asked once they are worth it, or after it has refused.
  @inlinable
  public static func hasRoom(for bytes: Int) -> Bool { scs_has_memory(bytes) }

  @inlinable
  public static func claim(_ bytes: Int) throws(SatchelError) {
    guard hasRoom(for: bytes) else { throw SatchelError(.noMemory, "out of memory") }
  }

  /// For what is mapped, not allocated. It may be asked in a signal handler.
  public static func canMap(_ bytes: Int) -> Bool { scs_can_map(bytes + spare) }
  private static var spare: Int { 1 << 20 }
}

extension Array {
  /// Claims what appending `more` elements will allocate.
  @inlinable
  public func claimRoom(for more: Int = 1) throws(SatchelError) {
    guard hasRoom(for: more) else { throw SatchelError(.noMemory, "out of memory") }
  }

  /// The same as an answer.
  @inlinable
  public func hasRoom(for more: Int = 1) -> Bool {
    if count + more <= capacity { return true }
    // It grows by doubling, and has a header.
    return Memory.hasRoom(for: Swift.max(capacity * 2, count + more) * MemoryLayout<Element>.stride + 64)
  }
}
