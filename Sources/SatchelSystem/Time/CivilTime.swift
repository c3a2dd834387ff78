/// A time of day: hours, minutes and seconds. Leap seconds do not exist in it.
package struct CivilTime: Hashable, Sendable {
  package let hour: Int
  package let minute: Int
  package let second: Int

  package static let secondsInDay: Int64 = 86_400

  /// `secondOfDay` is 0 … 86,399.
  package init(secondOfDay: Int) {
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
  }
}

extension Int64 {
  /// Division that rounds down, below 0 too, as clocks need it. The divisor is positive.
  @inline(__always)
  package func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
