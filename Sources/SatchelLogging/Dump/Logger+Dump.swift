import CSatchelSystem

extension Logger {
  /// Writes what a value is, in as many lines as that takes: its fields, its entries, and theirs. A value that nobody wants to see is
  /// not even evaluated. Fields whose names say that they are secret are not shown.
  ///
  ///     log.dump(playlist, label: "what is next")
  public func dump<Value>(
    _ value: @autoclosure () -> Value, label: @autoclosure () -> String = "<No label>", severity: Severity = .trace,
    limits: DumpLimits = DumpLimits(), file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isEnabled(severity) else { return }
    let text = Dumps.describe(value(), label: label(), limits, hidesSecrets: hidesSecrets)
    CallSite.with(file, function, line) { _ = write(text, severity, $0) }
  }

  var hidesSecrets: Bool { directory.redacts.load(ordering: .relaxed) }
}

enum Dumps {
  /// A description may dump in its turn, itself even.
  private static let deepest = 8

  static func describe(_ value: Any, label: String, _ limits: DumpLimits, hidesSecrets: Bool) -> DumpWriter {
    let depths = scs_my_depths().unsafelyUnwrapped
    depths.pointee.dumps += 1
    defer { depths.pointee.dumps -= 1 }
    var dump = MirrorDump(limits, hidesSecrets: hidesSecrets)
    dump.out.plain(label)
    dump.out.line()
    if depths.pointee.dumps <= deepest {
      dump.value(value)
    } else {
      dump.out.word("... dumped while it is being dumped")
    }
    return dump.out
  }
}
