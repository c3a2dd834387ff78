import CSatchelSystem

/// Tells this process from those that it was forked from and that are forked from it: only they meet in a private lock.
///
/// It costs no look at /proc, as the `Identity` does, which a process that only reads then never works out.
public enum ProcessMark {
  /// With the bit for waiters clear. A forked child finds none and makes its own.
  @inlinable @inline(__always)
  public static var mine: UInt64 {
    let known = scs_known_mark()
    return known != 0 ? known : made()
  }

  @inline(never) @usableFromInline
  static func made() -> UInt64 {
    let mark = scs_make_mark()
    return mark != 0 ? mark : Identity.mine
  }
}
