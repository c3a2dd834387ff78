import SatchelSystem

/// The code of the error that the body throws; nil when it throws none.
func code(_ body: () throws -> Void) -> SatchelError.Code? { failure(body)?.code }

/// The error that the body throws; nil when it throws none. Every error of the module is a `SatchelError`.
func failure(_ body: () throws -> Void) -> SatchelError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SatchelError
  }
}

/// Bytes from hexadecimal text; spaces do not count.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
