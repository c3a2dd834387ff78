/// Rules that come again each year, as POSIX has them in the variable TZ: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Offsets are seconds east of UTC, less than a day.
package struct PosixZone: Sendable {
  let standard: Int
  let daylight: Daylight?
  /// What it was read from.
  package let text: String

  struct Daylight: Sendable {
    let offset: Int
    /// Read from the clock before the change, as POSIX has it.
    let start: Change
    let end: Change
  }

  /// When in a year a clock is changed.
  struct Change: Sendable {
    enum Day: Sendable {
      /// 1 … 365: never the 29th of February.
      case withoutLeapDay(Int)
      /// 0 … 365, all days counted.
      case ofYear(Int)
      /// The nth such day of a month; the 5th is the last one. 0 is Sunday.
      case weekday(Int, nth: Int, month: Int)
    }

    let day: Day
    /// Seconds after the beginning of the day; may be days before or after it.
    let time: Int

    /// The second that the clock shows when it is changed, counted as if that were UTC.
    func second(in year: Int) -> Int64 { Int64(dayNumber(in: year)) * CivilTime.secondsInDay + Int64(time) }

    private func dayNumber(in year: Int) -> Int {
      let newYear = CivilDate(year: year, month: 1, day: 1).daysSince1970
      switch day {
      case .withoutLeapDay(let number): return newYear + number - (CivilDate.isLeap(year) && number >= 60 ? 0 : 1)
      case .ofYear(let number): return newYear + number
      case .weekday(let weekday, let nth, let month):
        let first = CivilDate(year: year, month: month, day: 1)
        let day = (weekday - first.weekday + 7) % 7 + (nth - 1) * 7
        let excess = day >= CivilDate.days(in: month, of: year) ? 7 : 0
        return first.daysSince1970 + day - excess
      }
    }
  }

  /// What holds at an instant, and from when until when.
  package func span(at second: Int64) -> ZoneRules.Span {
    guard let daylight, CivilDate.secondsInText.contains(second) else { return .always(standard) }
    let year = CivilDate(daysSince1970: Int(second.floored(by: CivilTime.secondsInDay).quotient)).year
    var span = ZoneRules.Span.always(standard)
    // A change may lie a week outside its year, and so may both of a year. Where two are at one instant, the later one of these
    // counts: where the end of a year is the start of the next one, daylight saving time never ends.
    for year in year - 2...year + 2 {
      span.narrow(around: second, at: daylight.end.second(in: year) - Int64(daylight.offset), to: standard)
      span.narrow(around: second, at: daylight.start.second(in: year) - Int64(standard), to: daylight.offset)
    }
    return span
  }
}
