extension Logger {
  /// What is wrong with the description of a type.
  public struct UnusableType: Error {
    public let reason: StaticString
  }

  /// Writes what is in memory, by the description of its type. nil: there is no value.
  public func dump<Described: DescribedType>(
    _ value: UnsafeRawPointer?, as type: Described, label: String, severity: Severity,
    limits: DumpLimits = DumpLimits(),
    at site: CallSite
  ) throws(UnusableType) -> Answer {
    guard isEnabled(severity) else { return .disabled }
    if let reason = TypeCheck.problem(type) { throw UnusableType(reason: reason) }
    var out = DumpWriter(limits)
    out.plain(label)
    out.line()
    guard let value else {
      out.type(type.shownName)
      out.word("NULL")
      return write(out, severity, site)
    }
    var dump = MemoryDump<Described>(
      out, UnsafeRawBufferPointer(start: value, count: type.size), hidesSecrets: hidesSecrets)
    dump.value(type, value)
    return write(dump.out, severity, site)
  }

  /// One that another language has described by the same rules: what it is, without its label.
  public func dump(described text: UnsafeRawBufferPointer, label: String, severity: Severity, at site: CallSite)
    -> Answer
  {
    guard isEnabled(severity) else { return .disabled }
    var out = DumpWriter(DumpLimits())
    out.plain(label)
    out.line()
    out.verbatim(text)
    return write(out, severity, site)
  }

  func write(_ text: DumpWriter, _ severity: Severity, _ site: CallSite) -> Answer {
    text.bytes.withUnsafeBytes { log(severity, bytes: $0, at: site, kind: .dump) }
  }
}
