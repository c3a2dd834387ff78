import CSatchelSystem
import Glibc

/// The three standard descriptors.
enum Descriptors {
  /// Where one of them is closed, the next file to be opened would take its number, and what is meant for standard
  /// output would go into a domain. Something takes its place that fails to be read or written, as a closed one would.
  static func fillGaps() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      _ = scs_open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY, 0)
    }
  }
}
