import SatchelSystem

/// Conversions of numbers that lose nothing or refuse. One set of rules for `Value` and for the bytes on disk.
///
/// Each returns nil when `out` was set; otherwise `.type` (something would be lost) or `.range` (a whole number that
/// the target is too narrow for), and `out` stays as it was.
@usableFromInline enum Lossless {
  @inlinable static func int64(_ number: UInt64, _ out: inout Int64) -> SatchelError.Code? {
    guard let exact = Int64(exactly: number) else { return .range }
    out = exact
    return nil
  }

  @inlinable static func int64(_ number: Double, _ out: inout Int64) -> SatchelError.Code? {
    guard isWhole(number) else { return .type }
    guard let exact = Int64(exactly: number) else { return .range }
    out = exact
    return nil
  }

  @inlinable static func uint64(_ number: Int64, _ out: inout UInt64) -> SatchelError.Code? {
    guard let exact = UInt64(exactly: number) else { return .range }
    out = exact
    return nil
  }

  @inlinable static func uint64(_ number: Double, _ out: inout UInt64) -> SatchelError.Code? {
    guard isWhole(number) else { return .type }
    guard let exact = UInt64(exactly: number) else { return .range }
    out = exact
    return nil
  }

  @inlinable static func double(_ number: Int64, _ out: inout Double) -> SatchelError.Code? {
    guard let exact = Double(exactly: number) else { return .type }
    out = exact
    return nil
  }

  @inlinable static func double(_ number: UInt64, _ out: inout Double) -> SatchelError.Code? {
    guard let exact = Double(exactly: number) else { return .type }
    out = exact
    return nil
  }

  /// Neither a fraction nor NaN, an infinity or -0.0, whose sign an integer would lose.
  @inlinable static func isWhole(_ number: Double) -> Bool {
    guard number.isFinite, number.rounded(.towardZero) == number else { return false }
    return number != 0 || number.sign == .plus
  }
}
