import Satchel

/// The error that the body throws; nil when it throws none. Every error of the library is a `SatchelError`.
public func failure(_ body: () throws -> Void) -> SatchelError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SatchelError
  }
}

/// The code of the error that the body throws; nil when it throws none.
public func code(_ body: () throws -> Void) -> SatchelError.Code? { failure(body)?.code }
