/// The release; a test compares it with include/satchel/base.h, where it is decided.
enum Version {
  static let text = "0.1.0"
  /// The day of the man page.
  static let date = "November 30, 2026"
}
