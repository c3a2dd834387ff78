import SatchelSystem

/// Why a view cannot be brought up to date.
struct Refusal: Error {
  let code: SatchelError.Code

  static var noMemory: Refusal { Refusal(code: .noMemory) }
}
