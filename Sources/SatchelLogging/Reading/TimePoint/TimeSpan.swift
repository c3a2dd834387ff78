/// How long something is, as people write it: `10m`, `1h30m`, `2.5s` is `2s500ms`.
package enum TimeSpan {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ns", 1), ("us", 1000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000), ("w", 604_800_000_000_000),
  ]

  /// For messages.
  package static let explanation = "numbers and units: 90s, 10m, 1h30m, 7d, 2w"

  /// In nanoseconds; nil for what is none, or more than there are.
  package static func parse(_ text: String) -> Int64? {
    var rest = text.utf8[...]
    var sum: Int64 = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix(while: \.isDigit)
      guard let number = Int64(ascii: digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { !$0.isDigit }
      rest = rest.dropFirst(name.count)
      guard let unit = units.first(where: { $0.name.utf8.elementsEqual(name) }) else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit.nanoseconds)
      let (next, overflows) = sum.addingReportingOverflow(product)
      if isTooLarge || overflows { return nil }
      sum = next
    }
    return sum
  }
}
