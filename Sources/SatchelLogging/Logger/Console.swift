import CSatchelSystem

// placeholder until the console's layout is here
enum Console {
  static func show(
    _ view: UnsafeMutablePointer<scs_log_view>, _ record: UnsafeMutableRawPointer, _ end: UnsafeMutableRawPointer,
    _ severity: Severity, _ category: UInt8, _ line: UInt32, _ kind: UInt8
  ) {}
}
