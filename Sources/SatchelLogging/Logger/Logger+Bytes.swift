import CSatchelSystem
import SatchelSystem
import Synchronization

/// Where a call stands, for callers that are not Swift.
public struct CallSite {
  public var file: UnsafeRawBufferPointer
  public var function: UnsafeRawBufferPointer
  public var line: UInt32

  @inlinable
  public init(file: UnsafeRawBufferPointer, function: UnsafeRawBufferPointer, line: UInt32) {
    self.file = file
    self.function = function
    self.line = line
  }

  /// Nowhere.
  @inlinable
  public static var none: CallSite {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    return CallSite(file: nothing, function: nothing, line: 0)
  }
}

extension Logger {
  /// What has become of a record.
  public enum Answer: Sendable {
    /// In memory that outlives the process, or, where it is urgent, in a file.
    case logged
    /// Nobody wants it.
    case disabled
    /// There was no room in any file: it is kept, and will be written. Not to be tried again.
    case queued
    /// There was no room for it for too long. That is counted, and told in the log.
    case lost
  }

  /// A record from bytes. Line breaks in the message are line breaks.
  @inline(__always)
  public func log(
    _ severity: Severity, bytes message: UnsafeRawBufferPointer, at site: CallSite = .none,
    kind: RecordKind = .message, fields: (inout RecordWriter) -> Void = { _ in }
  ) -> Answer {
    guard state.pointee.isEnabled(severity) else { return .disabled }
    guard let view = Producer.begin(state.pointee.owner, severity) else { return .lost }
    var writer = RecordWriter(view)
    if !site.file.isEmpty { writer.text(.file, site.file.baseAddress, site.file.count) }
    if !site.function.isEmpty { writer.text(.function, site.function.baseAddress, site.function.count) }
    if state.pointee.longCategory != nil { writer.resume(writeCategory(view, writer.at)) }
    writer.foreign(.literal, message)
    fields(&writer)
    if severity.isUrgent || isSpecial(severity) {
      return finishLoudly(view, writer.at, severity, site.line, kind.rawValue)
    }
    let category = state.pointee.category
    return Producer.finish(view, writer.at, severity, category, kind: kind.rawValue, line: site.line) ? .logged : .lost
  }
}
