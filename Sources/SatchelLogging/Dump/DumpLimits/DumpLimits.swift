/// How much of a value a dump shows. Where it ends before the value does, it says so.
public struct DumpLimits: Sendable {
  /// Values inside values.
  public var depth = 16
  /// Of one collection, or one struct.
  public var entries = 1000
  /// Bytes of one string.
  public var text = 4096
  /// Bytes of all.
  public var size = 256 << 10

  public init() {}
}
