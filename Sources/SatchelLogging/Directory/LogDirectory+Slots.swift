import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension LogDirectory {
  /// A slot nobody owns, which is this process's from now on. An owner is known by the lock of a byte, which the kernel gives back
  /// with the process: no process number, no judgement. A new owner goes on where the old one's head stands; what that one has
  /// left is drained in its turn. Called under the lock of `forked`.
  func claim(_ slots: Range<Int>, first: Int = 0) -> Int? {
    joinIfNeeded()
    for step in 0..<slots.count {
      let slot = slots.lowerBound + (first + step) % slots.count
      // The kernel would grant it again: it is our description's.
      if forked.has(slot) { continue }
      let descriptor = slotsDescriptor.load(ordering: .relaxed)
      guard scs_ofd_lock(descriptor, LockByte.slot(slot), true) == 0 else { continue }
      guard isUsable(slot) else {
        _ = scs_ofd_unlock(descriptor, LockByte.slot(slot))
        continue
      }
      forked.take(slot)
      return slot
    }
    return nil
  }

  /// A cell holds one record; a ring is better used by one who finds it nearly empty.
  private func isUsable(_ slot: Int) -> Bool {
    let head = control.head(slot).pointee.load(ordering: .acquiring)
    let waiting = head &- control.committedTail(slot)
    return slot >= ControlLayout.rings ? waiting == 0 : waiting <= UInt64(ControlLayout.ringSize / 4)
  }

  /// Called under the lock of `forked`.
  func giveBack(_ slot: Int) {
    forked.give(slot)
    let descriptor = slotsDescriptor.load(ordering: .relaxed)
    // Closed by the program: it stays ours until the process ends.
    if isOurs(descriptor) { _ = scs_ofd_unlock(descriptor, LockByte.slot(slot)) }
  }

  /// The memory of a ring; nil where it cannot be had.
  func mapRing(_ slot: Int, creating: Bool) -> UnsafeMutableRawPointer? {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (creating ? O_CREAT : 0)
    // Without allocating: a signal handler may be here, and the allocator in the middle of something.
    let descriptor = scs_open_numbered(ringPrefix, Int32(slot), flags, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var identity = scs_file_identity()
    guard scs_identify(descriptor, nil, &identity) == 0 else { return nil }
    if identity.size < UInt64(ControlLayout.ringSize) {
      guard creating, FileSystem.allocate(descriptor, from: 0, to: ControlLayout.ringSize) == 0 else { return nil }
    }
    return scs_map_twice(descriptor, ControlLayout.ringSize)
  }

  static func unmapRing(_ start: UnsafeMutableRawPointer) { munmap(start, 2 * ControlLayout.ringSize) }
}
