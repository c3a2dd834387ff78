import Satchel

/// The error that the body throws; nil when it throws none. Every error of the library is a `SatchelError`.
func failure(_ body: () throws -> Void) -> SatchelError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SatchelError
  }
}

func code(_ body: () throws -> Void) -> SatchelError.Code? { failure(body)?.code }
