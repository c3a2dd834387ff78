import Glibc

/// Standard error: words for people.
enum Diagnostics {
  /// One line behind `satchel: `. Control characters, which a key or a path may hold, are written as escapes.
  static func say(_ line: String) { write("satchel: " + Escape.controls(in: line) + "\n") }

  static func write(_ text: String) { _ = Output.write(Array(text.utf8), to: STDERR_FILENO) }
}
