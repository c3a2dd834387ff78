/// How a record lies in a ring: a fixed head, then segments of text and values. It is complete in itself: whoever reads it needs
/// nothing of the process that wrote it, which may be gone. docs/formats.md has the bytes.
@usableFromInline
package enum RecordLayout {
  /// u32: of the whole record, a multiple of 8.
  @usableFromInline package static let size = 0
  /// u8 severity, u8 kind, u8 category (a row of the log's table), u8 0.
  @usableFromInline package static let severity = 4
  @usableFromInline package static let kind = 5
  /// In the kind: written to a file only when something bad happens.
  @usableFromInline package static let forRecorder: UInt8 = 0x80
  @usableFromInline package static let category = 6
  /// u64: when it was complete, in ticks of the log's clock.
  @usableFromInline package static let tick = 8
  /// u32 pid, u32 tid.
  @usableFromInline package static let pidTid = 16
  /// u32: where the segments end.
  @usableFromInline package static let end = 24
  /// u32, atomic: 0; 1 taken out by its writer; 3 and skipped by a leader.
  @usableFromInline package static let mark = 28
  /// u32: the line of the source file.
  @usableFromInline package static let line = 32
  /// u32: numbers the losses of a ring; 0 in a record that is none.
  @usableFromInline package static let number = 36
  /// 16 bytes, NUL-padded.
  @usableFromInline package static let threadName = 40
  @usableFromInline package static let body = 56

  /// The longest that goes into a ring. What is longer goes to the direct file.
  @usableFromInline package static let longest = 32 << 10
}

/// What a record tells of.
public enum RecordKind: UInt8, CaseIterable, Sendable {
  case message = 0
  /// An assertion that failed: shown with the marker of a fatal one.
  case assertion = 1
  /// Records that could not be kept: how many, and why.
  case loss = 2
  /// The clock of the machine was set.
  case clockStep = 3
  /// Of the life of a program: no header on a console.
  case lifecycle = 4
  /// A value, described: a label, and from the next line on what it is. Strings in it have their escapes already.
  case dump = 5
}

/// What follows in a record. Texts begin with a u32, the tag in its lowest byte and the count of bytes in the others; numbers are
/// the tag and eight bytes.
@usableFromInline
package enum Segment: UInt8 {
  /// Text of the program itself: its line breaks are line breaks.
  case literal = 0
  case int = 1
  case double = 2
  /// Text from anywhere: what would break a line is shown as an escape.
  case text = 3
  case uint = 4
  case bool = 5
  case bytes = 6
  case pointer = 7
  /// Nanoseconds since 1970.
  case time = 8
  /// A value that nobody may read: eight bytes by which equal ones can be told.
  case secret = 9
  /// Where the call stands.
  case file = 16
  case function = 17
  /// Where the table of the log has no room for it.
  case category = 18
  /// The name of a field, whose value is the next segment.
  case field = 19
  /// A field without a value, which is nil.
  case null = 20
}
