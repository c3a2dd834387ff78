import SatchelSystem

/// `<app>-YYYY-MM-DD.log`, which goes on in `<app>-YYYY-MM-DD.N.log`; and `<app>-YYYY-MM-DD.direct.N.log`, for the lines that did
/// not get into these. N counts from 1.
///
/// A name has one meaning only, whatever the app is called: it is read from its end, where all but the app has a fixed form.
package struct LogFileName: Hashable, Sendable {
  package let app: String
  package let date: CivilDate
  package let isDirect: Bool
  /// 0 is the one without a number.
  package let number: Int

  /// So that the longest name of all is one that a file can have: 255 bytes.
  package static let longestApp = 255 - ("-YYYY-MM-DD".utf8.count + direct.utf8.count + digits + suffix.utf8.count)

  private static let suffix = ".log"
  private static let direct = ".direct."
  private static let digits = 9

  /// `number` is 0 … 999,999,999, and not 0 where the file is a direct one.
  package init(app: String, date: CivilDate, number: Int = 0, isDirect: Bool = false) {
    self.app = app
    self.date = date
    self.isDirect = isDirect
    self.number = number
  }

  /// Whether a program's log may be called that: as domains are, `A-Z a-z 0-9 . _ -` without a leading dot.
  package static func isApp(_ name: String) -> Bool { isApp(Array(name.utf8)[...]) }

  private static func isApp(_ name: ArraySlice<UInt8>) -> Bool {
    1...longestApp ~= name.count && name.first != UInt8(ascii: ".") && name.allSatisfy(isInApps)
  }

  private static func isInApps(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: isDigit(byte) || "._-".utf8.contains(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension LogFileName {
  /// The name itself.
  package var text: String {
    let kind = isDirect ? LogFileName.direct : "."
    return app + "-" + date.text + (number == 0 ? "" : kind + String(number)) + LogFileName.suffix
  }

  /// nil for every name that `text` would not write: with a day that does not exist, a number with zeros before it, ...
  package init?(_ text: String) { self.init(bytes: Array(text.utf8)[...]) }

  private init?(bytes: ArraySlice<UInt8>) {
    guard var rest = LogFileName.cut(LogFileName.suffix, from: bytes) else { return nil }
    var number: Int?
    var isDirect = false
    let count = rest.reversed().prefix(while: LogFileName.isDigit).count
    let head = rest.dropLast(count)
    if let head = LogFileName.cut(LogFileName.direct, from: head) {
      (isDirect, number, rest) = (true, LogFileName.number(rest.suffix(count)), head)
    } else if let head = LogFileName.cut(".", from: head) {
      (number, rest) = (LogFileName.number(rest.suffix(count)), head)
    } else {
      number = 0
    }
    guard let number, let date = LogFileName.date(rest.suffix(10)) else { return nil }
    guard let app = LogFileName.cut("-", from: rest.dropLast(10)), LogFileName.isApp(app) else { return nil }
    self.init(app: String(decoding: app, as: UTF8.self), date: date, number: number, isDirect: isDirect)
  }

  /// What is before it; nil where it does not end so.
  private static func cut(_ end: String, from bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let count = end.utf8.count
    return bytes.suffix(count).elementsEqual(end.utf8) ? bytes.dropLast(count) : nil
  }

  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    guard 1...digits ~= text.count, text.first != UInt8(ascii: "0") else { return nil }
    return value(text)
  }

  private static func date(_ text: ArraySlice<UInt8>) -> CivilDate? {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(isDigit) else { return nil }
    return CivilDate(existing: value(parts[0]), value(parts[1]), value(parts[2]))
  }

  private static func value(_ digits: ArraySlice<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

extension LogFileName: Comparable {
  /// As they were written: by date, then number; the direct ones of a day after the others of that day.
  package static func < (a: LogFileName, b: LogFileName) -> Bool {
    if a.app != b.app { return a.app < b.app }
    if a.date != b.date { return a.date < b.date }
    if a.isDirect != b.isDirect { return b.isDirect }
    return a.number < b.number
  }
}
