import CSatchel
import CSatchelSystem
import Glibc
import Satchel
import SatchelSettings
import SatchelSystem

// How the engine's answers cross to C: codes, the last error, texts, buffers. Named once, here.

/// 0, or the C code of a failure; the last error is set, except for "not found".
@inline(__always)
func answer(_ code: SatchelError.Code?, _ explain: () -> SatchelError) -> Int32 {
  guard let code else { return SATCHEL_OK }
  if code != .notFound { LastError.set(explain()) }
  return code.rawValue
}

/// The code of a failure that no domain has; without a message the code says it all.
@inline(never)
func failed(_ code: SatchelError.Code, _ message: StaticString? = nil, key: satchel_bytes? = nil) -> Int32 {
  let name = key?.buffer.map { String(decoding: $0.prefix(1024), as: UTF8.self) }
  LastError.set(SatchelError(code, "\(message ?? code.words.text)", key: name))
  return code.rawValue
}

/// Runs `body`; what it throws becomes the answer.
func attempt(_ body: () throws(SatchelError) -> Void) -> Int32 {
  do throws(SatchelError) {
    try body()
    return SATCHEL_OK
  } catch {
    if error.code != .notFound { LastError.set(error) }
    return error.code.rawValue
  }
}

/// The same where domains are opened and listed: "not found" is an accident there, and the path stands in the sentence, of which
/// many a program prints nothing else.
func attemptOpening(_ body: () throws(SatchelError) -> Void) -> Int32 {
  do throws(SatchelError) {
    try body()
    return SATCHEL_OK
  } catch {
    var told = error
    told.message = error.sentence
    LastError.set(told)
    return error.code.rawValue
  }
}

/// `SATCHEL_EINVAL`, said of an argument. Never inlined, nor are its like: callers have no use for room on the stack otherwise.
@inline(never)
func invalid(_ what: StaticString) -> Int32 {
  LastError.set(SatchelError(.invalid, "\(what)"))
  return SATCHEL_EINVAL
}

extension satchel_bytes {
  /// nil for NULL with a size.
  var buffer: UnsafeRawBufferPointer? {
    if data == nil, size != 0 { return nil }
    guard isPlausible else { return nil }
    return UnsafeRawBufferPointer(start: data, count: Int(size))
  }

  /// More than a quarter of a gibibyte is a number gone astray, and nothing that could be stored.
  var isPlausible: Bool { size >= 0 && size <= 1 << 28 }

  /// nil unless it is UTF-8.
  var text: String? { buffer.flatMap { String(validating: $0, as: UTF8.self) } }
}

extension UnsafePointer<CChar> {
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: self, count: strlen(self)) }

  /// A key as an error names it: what is too long for one is cut, and still too long.
  var shown: String { String(decoding: bytes.prefix(Key.limit + 1), as: UTF8.self) }

  /// The text, of any length; nil where it is not UTF-8.
  func text() throws(SatchelError) -> String? {
    // Paths and messages are made of it.
    try Memory.claim(bytes.count * 8)
    return String(validatingCString: self)
  }
}

/// Fills a buffer with a copy that the caller frees; a NUL follows it.
func fill(_ out: UnsafeMutablePointer<satchel_buffer>, _ bytes: UnsafeRawBufferPointer) -> SatchelError.Code? {
  guard let copy = malloc(bytes.count + 1) else { return .noMemory }
  if let start = bytes.baseAddress { memcpy(copy, start, bytes.count) }
  copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
  out.pointee = satchel_buffer(data: copy, size: bytes.count)
  return nil
}

func fill(_ out: UnsafeMutablePointer<satchel_buffer>, _ bytes: [UInt8]) throws(SatchelError) {
  let code = bytes.withUnsafeBytes { fill(out, $0) }
  if let code { throw SatchelError(code, code.text) }
}

extension Timestamp {
  init?(_ date: satchel_date) {
    guard let made = try? Timestamp(seconds: date.seconds, nanoseconds: date.nanoseconds) else { return nil }
    self = made
  }
  var date: satchel_date { satchel_date(seconds: seconds, nanoseconds: nanoseconds, reserved: 0) }
}

extension UniqueID {
  init(_ uuid: satchel_uuid) {
    self = withUnsafeBytes(of: uuid) { UniqueID(bytes: Array($0)) } ?? UniqueID(high: 0, low: 0)
  }
  var uuid: satchel_uuid {
    var out = satchel_uuid()
    withUnsafeMutableBytes(of: &out) { $0.copyBytes(from: bytes) }
    return out
  }
}
