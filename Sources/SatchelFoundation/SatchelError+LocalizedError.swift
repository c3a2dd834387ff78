import Foundation
import Satchel

extension SatchelError: LocalizedError {
  /// The whole sentence, for `localizedDescription`.
  public var errorDescription: String? { description }
}
