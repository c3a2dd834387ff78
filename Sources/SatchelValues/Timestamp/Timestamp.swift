import Glibc
import SatchelSystem

/// A point in time: seconds since 1970-01-01T00:00:00Z, and nanoseconds after them. Leap seconds do not exist in it.
public struct Timestamp: Sendable, Hashable, Comparable {
  public let seconds: Int64
  /// 0 … 999,999,999, also before 1970: half a second before it is -1 s and 500,000,000 ns.
  public let nanoseconds: UInt32

  /// A whole second.
  public init(seconds: Int64) {
    self.seconds = seconds
    self.nanoseconds = 0
  }

  /// Throws `.invalid` for more than 999,999,999 nanoseconds.
  public init(seconds: Int64, nanoseconds: UInt32) throws(SatchelError) {
    guard nanoseconds < Timestamp.nanosecondsPerSecond else {
      throw SatchelError(.invalid, "\(nanoseconds) nanoseconds are a second or more")
    }
    self.init(seconds: seconds, checked: nanoseconds)
  }

  @inlinable init(seconds: Int64, checked nanoseconds: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The time of the system's clock.
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), checked: UInt32(truncatingIfNeeded: time.tv_nsec))
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  @inlinable static var nanosecondsPerSecond: UInt32 { 1_000_000_000 }
}
