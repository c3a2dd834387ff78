// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Glibc
import Satchel
import SatchelLogging
import SatchelSystem

/// A `satchel_log *` is the state of a logger, of which the header shows the first fields.
private func logger(_ log: UnsafeMutablePointer<satchel_log>) -> Logger { Logger(handle: log) }

private func options(_ given: UnsafePointer<satchel_log_options>?) throws(SatchelError) -> satchel_log_options {
  var wanted = satchel_log_options()
  if let given, !read(given, into: &wanted, first: Struct.firstLogOptions) {
    let isNewer = given.pointee.struct_size > MemoryLayout<satchel_log_options>.size
    throw SatchelError(
      isNewer ? .version : .invalid, "struct_size of the options is none, or they ask for what is not known here")
  }
  return wanted
}

/// What an application asks of a log, in the terms of the engine.
private func settings(_ options: satchel_log_options) throws(SatchelError) -> LogOptions {
  var wanted = LogOptions()
  if let directory = options.directory { wanted.directory = try directory.text() }
  wanted.level = try severity(options.level, "level")
  if options.console == -1 {
    wanted.showsOnConsole = false
  } else {
    wanted.console = try severity(options.console, "console")
  }
  wanted.recorder = try severity(options.recorder, "recorder")
  if options.format != 0 {
    guard (1...3).contains(options.format) else {
      throw SatchelError(.invalid, "format is none of SATCHEL_LOG_FORMAT_...")
    }
    wanted.format = FileFormat(rawValue: UInt8(options.format - 1))
  }
  if options.maximum_size != 0 { wanted.maximumSize = options.maximum_size < 0 ? 0 : UInt64(options.maximum_size) }
  if options.retention_days != 0 { wanted.retentionDays = max(0, Int(options.retention_days)) }
  wanted.standsByToLead = options.flags & SATCHEL_LOG_NO_THREAD == 0
  return wanted
}

private func severity(_ number: Int32, _ what: String) throws(SatchelError) -> Severity? {
  if number == 0 { return nil }
  guard let severity = UInt8(exactly: number).flatMap(Severity.init(rawValue:)) else {
    throw SatchelError(.invalid, "\(what) is no severity")
  }
  return severity
}

@implementation @_cdecl("satchel_log_open")
public func satchel_log_open(
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<satchel_log>?>?, _ app: UnsafePointer<CChar>?,
  _ given: UnsafePointer<satchel_log_options>?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  guard let app else { return invalid("app is NULL") }
  return attemptOpening { () throws(SatchelError) in
    guard let name = try app.text() else { throw SatchelError(.invalid, "the app's name is not UTF-8") }
    out.pointee = try Logger(app: name, options: settings(options(given))).handle(as: satchel_log.self)
  }
}

@implementation @_cdecl("satchel_log_category")
public func satchel_log_category(
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<satchel_log>?>?, _ log: UnsafeMutablePointer<satchel_log>?,
  _ category: UnsafePointer<CChar>?
) -> Int32 {
  guard let out else { return invalid("out is NULL") }
  out.pointee = nil
  guard let log, let category else { return invalid("log or category is NULL") }
  return attempt { () throws(SatchelError) in
    guard let name = try category.text() else { throw SatchelError(.invalid, "the category is not UTF-8") }
    out.pointee = try logger(log).category(name).handle(as: satchel_log.self)
  }
}

@implementation @_cdecl("satchel_log_write")
public func satchel_log_write(
  _ log: UnsafeMutablePointer<satchel_log>?, _ number: Int32, _ site: UnsafePointer<satchel_log_site>?,
  _ message: satchel_bytes, _ fields: UnsafePointer<satchel_log_field>?, _ count: Int
) -> Int32 {
  guard let log else { return invalid("log is NULL") }
  guard let severity = Severity(number: number) else { return invalid("there is no such severity") }
  let logger = logger(log)
  guard logger.isEnabled(severity) else { return SATCHEL_OK }
  guard let bytes = message.buffer else { return invalid("the message is a range without bytes, or of an absurd size") }
  guard count >= 0, count <= 1 << 16, fields != nil || count == 0 else { return invalid("fields is NULL, or too many") }
  if bytes.count > 8192, !Memory.canMap(bytes.count * 2) { return failed(.noMemory) }
  let answer = logger.log(severity, bytes: bytes, at: CallSite(site)) { writer in
    for index in 0..<count { write(fields.unsafelyUnwrapped + index, &writer) }
  }
  return code(answer)
}

extension Severity {
  @inline(__always)
  init?(number: Int32) {
    guard number > 0, number < 256 else { return nil }
    self.init(rawValue: UInt8(truncatingIfNeeded: number))
  }
}

func code(_ answer: Logger.Answer) -> Int32 {
  switch answer {
  case .logged, .disabled: SATCHEL_OK
  case .queued: SATCHEL_LOG_QUEUED
  case .lost: failed(.full, "the log has had no room for too long")
  }
}

extension CallSite {
  @inline(__always)
  init(_ site: UnsafePointer<satchel_log_site>?) {
    guard let site else {
      self = .none
      return
    }
    self.init(
      file: UnsafeRawBufferPointer(
        start: site.pointee.file, count: site.pointee.file == nil ? 0 : Int(site.pointee.file_size)),
      function: UnsafeRawBufferPointer(
        start: site.pointee.function, count: site.pointee.function == nil ? 0 : Int(site.pointee.function_size)),
      line: site.pointee.line)
  }
}

@inline(__always)
private func write(_ field: UnsafePointer<satchel_log_field>, _ writer: inout RecordWriter) {
  let name = field.pointee.name as UnsafePointer<CChar>?
  writer.field(name.map(\.bytes) ?? UnsafeRawBufferPointer(start: nil, count: 0))
  let value = field.pointee.value
  switch Int32(truncatingIfNeeded: field.pointee.type) {
  case SATCHEL_LOG_FIELD_INT: writer.value(value.int64)
  case SATCHEL_LOG_FIELD_UINT: writer.value(value.uint64)
  case SATCHEL_LOG_FIELD_DOUBLE: writer.value(value.real)
  case SATCHEL_LOG_FIELD_BOOL: writer.value(value.int64 != 0)
  case SATCHEL_LOG_FIELD_TEXT: writeBytes(value.bytes) { writer.value(text: $0) }
  case SATCHEL_LOG_FIELD_BYTES: writeBytes(value.bytes) { writer.value(bytes: $0) }
  case SATCHEL_LOG_FIELD_SECRET: writeBytes(value.bytes) { writer.value(secret: $0) }
  default: writer.null()
  }
}

@inline(__always)
private func writeBytes(_ bytes: satchel_bytes, _ body: (UnsafeRawBufferPointer) -> Void) {
  body(bytes.buffer ?? UnsafeRawBufferPointer(start: nil, count: 0))
}

@implementation @_cdecl("satchel_log_post")
public func satchel_log_post(
  _ app: UnsafePointer<CChar>?, _ given: UnsafePointer<satchel_log_options>?, _ category: UnsafePointer<CChar>?,
  _ number: Int32, _ message: satchel_bytes, _ fields: UnsafePointer<satchel_log_field>?, _ count: Int
) -> Int32 {
  guard let app else { return invalid("app is NULL") }
  guard let bytes = message.buffer else { return invalid("the message is a range without bytes, or of an absurd size") }
  guard count >= 0, count <= 1 << 16, fields != nil || count == 0 else { return invalid("fields is NULL, or too many") }
  var result = SATCHEL_OK
  let opened = attemptOpening { () throws(SatchelError) in
    guard let severity = try severity(number, "severity") else { throw SatchelError(.invalid, "severity is 0") }
    guard let name = try app.text() else { throw SatchelError(.invalid, "the app's name is not UTF-8") }
    try Memory.claim(bytes.count * 2)
    let label = if let category { try category.text() } else { "" }
    let answer = try Logger.post(
      app: name, options: settings(options(given)), category: label ?? "", severity, bytes: bytes
    ) { writer in
      for index in 0..<count { write(fields.unsafelyUnwrapped + index, &writer) }
    }
    result = code(answer)
  }
  return opened == SATCHEL_OK ? result : opened
}

@implementation @_cdecl("satchel_log_flush")
public func satchel_log_flush(_ log: UnsafeMutablePointer<satchel_log>?, _ timeout: Int32) -> Int32 {
  guard let log else { return invalid("log is NULL") }
  guard logger(log).flush(patience: Int64(max(timeout, 0)) * 1_000_000) else {
    return failed(.timeout, "not everything is in the file yet")
  }
  return SATCHEL_OK
}
