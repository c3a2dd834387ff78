import CSatchelSystem

/// How long a wait may take. The clock is read only once there is something to wait for.
public struct Deadline {
  private let timeout: Int64
  private var end: Int64 = 0

  /// Nanoseconds from the first time it is asked; 0 or less does not wait, `.max` waits for ever.
  public init(timeout: Int64) { self.timeout = timeout }

  public static var never: Deadline { Deadline(timeout: .max) }

  public var hasPassed: Bool {
    mutating get {
      if timeout == .max { return false }
      let now = scs_monotonic_ns()
      if end == 0 {
        let (sum, overflow) = now.addingReportingOverflow(max(timeout, 0))
        end = overflow ? .max : sum
      }
      return now >= end
    }
  }
}
