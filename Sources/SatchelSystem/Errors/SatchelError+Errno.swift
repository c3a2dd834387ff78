import CSatchelSystem
import Glibc

extension SatchelError.Code {
  /// The class of failure behind an `errno`. ENOENT is none of `notFound`: whether what is missing is what was asked for, only the
  /// caller knows.
  package init(errno error: Int32) {
    switch error {
    case ENOSPC, EDQUOT, EFBIG: self = .full
    case EACCES, EPERM: self = .denied
    case EROFS: self = .readOnly
    case EEXIST: self = .exists
    case ENOMEM: self = .noMemory
    case EOPNOTSUPP, ENOSYS: self = .unsupported
    default: self = .io
    }
  }
}

extension SatchelError {
  /// A failed system call: what was being done, to which file, and what the system said.
  package init(errno error: Int32, _ action: String, path: String? = nil) {
    let words = scs_errno_text(error).map { String(cString: $0) } ?? "error \(error)"
    let subject = path.map { " \($0)" } ?? ""
    self.init(Code(errno: error), "\(action)\(subject): \(words)", systemError: error, path: path)
  }
}
