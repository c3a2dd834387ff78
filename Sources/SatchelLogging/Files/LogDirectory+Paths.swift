import CSatchelSystem
import Glibc
import SatchelSystem

extension LogDirectory {
  /// Lends the path of a file: what `LogFileName` says, without allocating, for a signal handler may ask.
  func withPath<Result>(of place: FilePlace, isDirect: Bool, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let length = strlen(filePrefix)
    return withUnsafeTemporaryAllocation(byteCount: length + 64, alignment: 8) { room in
      let start = room.baseAddress.unsafelyUnwrapped
      var out = LineWriter(at: start)
      out.bytes(UnsafeRawBufferPointer(start: filePrefix, count: length))
      LogDirectory.write(CivilDate(daysSince1970: Int(place.day)), &out)
      if place.number > 0 {
        out.word(isDirect ? ".direct." : ".")
        out.decimal(UInt64(place.number))
      }
      out.word(".log\0")
      return body(UnsafePointer(start.assumingMemoryBound(to: CChar.self)))
    }
  }

  private static func write(_ date: CivilDate, _ out: inout LineWriter) {
    out.decimal(UInt64(date.year), width: 4)
    out.byte(UInt8(ascii: "-"))
    out.decimal(UInt64(date.month), width: 2)
    out.byte(UInt8(ascii: "-"))
    out.decimal(UInt64(date.day), width: 2)
  }
}
