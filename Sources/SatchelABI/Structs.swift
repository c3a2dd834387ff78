import CSatchel
import Glibc
import Satchel

// Structs that grow: a program's may be older or newer than the library's, and says how large it is.

protocol Growing {
  var struct_size: Int { get set }
}
extension satchel_settings_options: Growing {}
extension satchel_settings_info: Growing {}
extension satchel_cache_options: Growing {}
extension satchel_settings_health: Growing {}
extension satchel_dict_options: Growing {}
extension satchel_log_options: Growing {}

/// The sizes of version 0.1, below which there is none.
enum Struct {
  static let firstOptions = 40
  static let firstInfo = 112
  static let firstHealth = 72
  static let firstDictOptions = 24
  static let firstCacheOptions = 48
  static let firstLogOptions = 48
}

/// What a program hears whose options `read` does not take.
func unreadableOptions() -> SatchelError {
  SatchelError(.version, "the options are those of a newer library, or struct_size is wrong")
}

/// Takes what both sides know of it; the rest is 0. False where the size is none, or where the program asks for something that
/// this library does not know.
func read<T: Growing>(_ given: UnsafePointer<T>, into out: inout T, first: Int) -> Bool {
  let size = given.pointee.struct_size
  let known = MemoryLayout<T>.size
  guard size >= first, size <= 4096 else { return false }
  let bytes = UnsafeRawPointer(given)
  if size > known, !(known..<size).allSatisfy({ bytes.load(fromByteOffset: $0, as: UInt8.self) == 0 }) { return false }
  withUnsafeMutableBytes(of: &out) { target in
    target.initializeMemory(as: UInt8.self, repeating: 0)
    target.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: min(size, known)))
  }
  return true
}

/// Fills what both sides know of it. `struct_size` stays the program's; what only a newer program knows stays as it is.
func write<T: Growing>(_ result: T, to out: UnsafeMutablePointer<T>) {
  var result = result
  result.struct_size = out.pointee.struct_size
  let count = min(result.struct_size, MemoryLayout<T>.size)
  withUnsafeBytes(of: &result) { _ = memcpy(out, $0.baseAddress.unsafelyUnwrapped, count) }
}
