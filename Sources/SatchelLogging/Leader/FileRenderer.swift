import Glibc
import SatchelSystem

// placeholder until the formats are here
struct FileRenderer {
  init(_ directory: LogDirectory) {}
  static func worstCase(_ size: Int) -> Int { size * 6 + 1024 }
  func day(of time: Int64) -> Int32 { Int32(truncatingIfNeeded: time / 86_400_000_000_000) }
  mutating func clockStep(_ step: Int64, _ clock: TickClock, _ out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer { out }
  mutating func line(_ r: RecordReader, _ time: Int64, _ mark: LineMark, _ out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var p = out
    func put(_ s: String) { var s = s; s.withUTF8 { memcpy(p, $0.baseAddress!, $0.count); p += $0.count } }
    func put(_ b: UnsafeRawBufferPointer) { if b.count > 0 { memcpy(p, b.baseAddress!, b.count); p += b.count } }
    put("\(time) \(mark) \(r.severity.name) \(r.pid)/\(r.tid) ")
    var parts = r.parts
    while let part = parts.next() {
      switch part {
      case .literal(let b), .text(let b): put(b)
      case .int(let v): put("\(v)")
      case .uint(let v): put("\(v)")
      case .double(let v): put("\(v)")
      case .field(let b): put(" "); put(b); put("=")
      default: break
      }
    }
    put("\n")
    return p
  }
}
