import SatchelValues

/// Who wrote what a key holds, and when.
public struct KeyInfo: Sendable, Equatable {
  /// The revision that set it.
  public var revision: UInt64
  /// By the kernel's coarse clock, as the times of files are: the tick before it, 1 to 10 ms.
  public var time: Timestamp
  /// The writer's effective user, and its process id in its own pid namespace.
  public var uid: UInt32
  public var pid: UInt32
  /// The writer's program; at most 63 bytes.
  public var program: String
  public var type: ValueType
  /// Bytes of the value as stored.
  public var size: Int

  init(_ frame: Frame) {
    revision = frame.revision
    let (seconds, rest) = frame.time.quotientAndRemainder(dividingBy: 1_000_000_000)
    let isBefore = rest < 0
    time =
      (try? Timestamp(
        seconds: isBefore ? seconds - 1 : seconds, nanoseconds: UInt32(isBefore ? rest + 1_000_000_000 : rest)))
      ?? Timestamp(seconds: seconds)
    uid = frame.userID
    pid = frame.processID
    program = String(decoding: frame.program, as: UTF8.self)
    type = CBOR.type(of: frame.value, frame.valueLength) ?? .null
    size = frame.valueLength
  }
}
