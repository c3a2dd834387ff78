import CSatchel

/// The release, as the C headers say it.
enum Version {
  static let text = "\(SATCHEL_VERSION_MAJOR).\(SATCHEL_VERSION_MINOR).\(SATCHEL_VERSION_PATCH)"
  /// The day of the man page.
  static let date = "November 30, 2026"
}
