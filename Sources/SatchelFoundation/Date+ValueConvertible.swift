import Foundation
import Satchel

extension Date: ValueConvertible {
  /// A `Date` is a `Double` of seconds: near today it tells apart steps of 119 ns, and finer ones are rounded.
  /// A program that needs every nanosecond reads a `Timestamp`.
  public init(value: Value) throws(SatchelError) {
    let time = try value.asTimestamp()
    // Counted from 2001, as Date counts, so that no digit is spent on the thirty years before.
    let (seconds, overflows) = time.seconds.subtractingReportingOverflow(Self.epochDistance)
    guard !overflows else { throw SatchelError(.range, "\(time.seconds) seconds from 1970 do not fit a Date") }
    self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(time.nanoseconds) / 1e9)
  }

  /// Rounded to the nanosecond. Throws `.invalid` for a date that holds NaN or an infinity, `.range` beyond 64 bits.
  public func makeValue() throws(SatchelError) -> Value {
    let interval = timeIntervalSinceReferenceDate
    guard interval.isFinite else { throw SatchelError(.invalid, "a date that is \(interval) is no point in time") }
    let whole = interval.rounded(.down)
    guard let counted = Int64(exactly: whole) else { throw Self.misfit(interval) }
    var (seconds, overflows) = counted.addingReportingOverflow(Self.epochDistance)
    var nanoseconds = UInt32(((interval - whole) * 1e9).rounded())
    if nanoseconds == 1_000_000_000 {
      nanoseconds = 0
      let (next, carries) = seconds.addingReportingOverflow(1)
      overflows = overflows || carries
      seconds = next
    }
    guard !overflows else { throw Self.misfit(interval) }
    return .date(try Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  /// Seconds from 1970 to 2001.
  private static let epochDistance: Int64 = 978_307_200

  private static func misfit(_ interval: Double) -> SatchelError {
    SatchelError(.range, "a date \(interval) seconds from 2001 does not fit 64 bits")
  }
}
