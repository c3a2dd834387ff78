import CSatchel
import CSatchelSystem
import Satchel
import SatchelSystem

/// The calling thread's last error.
enum LastError {
  private static var none: ConstantText { ConstantText("") }

  static func prepare() { _ = outOfMemory }

  static var pointer: UnsafePointer<satchel_error> {
    guard let room = scs_thread_error(MemoryLayout<satchel_error>.size) else {
      return UnsafePointer(outOfMemory.pointer)
    }
    let error = room.assumingMemoryBound(to: satchel_error.self)
    // Fresh room is zeroed, where `message` would be NULL.
    if error.pointee.code == 0 {
      error.initialize(
        to: satchel_error(code: 0, system_error: 0, message: none.pointer, domain: nil, path: nil, key: nil))
    }
    return UnsafePointer(error)
  }

  static func set(_ error: SatchelError) {
    guard let room = scs_thread_error(MemoryLayout<satchel_error>.size), let texts = scs_thread_error_texts() else {
      return
    }
    let message = copy(error.message, &texts.pointee.message) ?? none.pointer
    room.assumingMemoryBound(to: satchel_error.self).initialize(
      to: satchel_error(
        code: error.code.rawValue, system_error: error.systemError, message: message,
        domain: error.domain.flatMap { copy($0, &texts.pointee.domain) },
        path: error.path.flatMap { copy($0, &texts.pointee.path) },
        key: error.key.flatMap { copy($0, &texts.pointee.key) }))
  }

  /// Cut between characters where it is too long.
  private static func copy<T>(_ text: String, _ room: inout T) -> UnsafePointer<CChar>? {
    withUnsafeMutableBytes(of: &room) { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let text = text.cut(toBytes: bytes.count - 1)
      bytes.copyBytes(from: text.utf8)
      bytes[text.utf8.count] = 0
      return UnsafePointer(start.assumingMemoryBound(to: CChar.self))
    }
  }

  private struct Constant: @unchecked Sendable { let pointer: UnsafeMutablePointer<satchel_error> }
  private static let outOfMemory: Constant = {
    let pointer = UnsafeMutablePointer<satchel_error>.allocate(capacity: 1)
    pointer.initialize(
      to: satchel_error(
        code: SATCHEL_ENOMEM, system_error: 0, message: ConstantText("out of memory").pointer, domain: nil, path: nil,
        key: nil))
    return Constant(pointer: pointer)
  }()
}

/// A text that lives as long as the process.
struct ConstantText: @unchecked Sendable {
  let pointer: UnsafePointer<CChar>

  init(_ text: StaticString) {
    pointer = UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
