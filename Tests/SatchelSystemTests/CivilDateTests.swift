import Testing

@testable import SatchelSystem

@Suite struct CivilDateTests {
  @Test func eachDayFollowsTheOneBefore() {
    let first = CivilDate(year: 1, month: 1, day: 1).daysSince1970
    let last = CivilDate(year: 9999, month: 12, day: 31).daysSince1970
    #expect(first == -719_162)
    #expect(last == 2_932_896)
    var expected = CivilDate(year: 1, month: 1, day: 1)
    var wrong = 0
    for number in first...last {
      let date = CivilDate(daysSince1970: number)
      if date != expected || date.daysSince1970 != number { wrong += 1 }
      expected = dayAfter(expected)
    }
    #expect(wrong == 0)
  }

  /// As people count.
  private func dayAfter(_ date: CivilDate) -> CivilDate {
    if date.day < CivilDate.days(in: date.month, of: date.year) {
      return CivilDate(year: date.year, month: date.month, day: date.day + 1)
    }
    if date.month < 12 { return CivilDate(year: date.year, month: date.month + 1, day: 1) }
    return CivilDate(year: date.year + 1, month: 1, day: 1)
  }

  @Test func daysThatDoNotExist() {
    #expect(CivilDate(existing: 2024, 2, 29) != nil)
    #expect(CivilDate(existing: 2000, 2, 29) != nil)
    for (year, month, day) in [
      (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0), (2024, 1, 32), (0, 1, 1),
      (10_000, 1, 1), (2024, 1, -1),
    ] {
      #expect(CivilDate(existing: year, month, day) == nil)
    }
  }

  @Test func daysOfTheWeek() {
    #expect(CivilDate(year: 1970, month: 1, day: 1).weekday == 4)
    #expect(CivilDate(year: 1969, month: 12, day: 27).weekday == 6)
    #expect(CivilDate(year: 2024, month: 2, day: 29).weekday == 4)
    #expect(CivilDate(year: 1, month: 1, day: 1).weekday == 1)
  }

  @Test func theyAreInOrderOfTime() {
    let dates = [-719_162, -1, 0, 30, 31, 365, 20_000, 2_932_896].map(CivilDate.init(daysSince1970:))
    #expect(dates.shuffled().sorted() == dates)
  }
}
