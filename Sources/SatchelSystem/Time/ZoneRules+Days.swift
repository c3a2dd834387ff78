extension ZoneRules {
  /// A date, and a span of time in which the clocks of the place show it: a day, or a part of one in which they are changed.
  package struct Day: Sendable, Equatable {
    package let date: CivilDate
    /// Seconds since 1970.
    package let from: Int64
    /// The first second after it.
    package let until: Int64

    package func contains(_ second: Int64) -> Bool { from <= second && second < until }
  }

  /// The date at an instant. Beyond the years 0001 … 9999 it stays at their first or last day.
  package func day(at second: Int64) -> Day {
    let range = CivilDate.secondsInText
    let day = CivilTime.secondsInDay
    let second = min(max(second, range.lowerBound + day), range.upperBound - day)
    let span = span(at: second)
    let number = (second + Int64(span.offset)).floored(by: day).quotient
    let midnight = number * day - Int64(span.offset)
    return Day(
      date: CivilDate(daysSince1970: Int(number)), from: max(midnight, span.from),
      until: min(midnight + day, span.until))
  }
}
