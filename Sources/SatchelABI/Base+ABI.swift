// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import CSatchelSystem
import Glibc
import Satchel
import SatchelSystem

@implementation @_cdecl("satchel_last_error")
public func satchel_last_error() -> UnsafePointer<satchel_error> { LastError.pointer }

@implementation @_cdecl("satchel_strerror")
public func satchel_strerror(_ code: Int32) -> UnsafePointer<CChar> {
  let words = SatchelError.Code(rawValue: code)?.words.text
  return ConstantText(words ?? (code == SATCHEL_OK ? "ok" : "unknown error")).pointer
}

@implementation @_cdecl("satchel_error_name")
public func satchel_error_name(_ code: Int32) -> UnsafePointer<CChar> {
  let words = SatchelError.Code(rawValue: code)?.words.name
  return ConstantText(words ?? (code == SATCHEL_OK ? "SATCHEL_OK" : "SATCHEL_E?")).pointer
}

// A literal, so that it lives as long as the process; the conformance test compares it with the macros of the headers.
@implementation @_cdecl("satchel_version")
public func satchel_version() -> UnsafePointer<CChar> { ConstantText("0.1.0").pointer }

@implementation @_cdecl("satchel_version_number")
public func satchel_version_number() -> Int32 {
  SATCHEL_VERSION_MAJOR * 10000 + SATCHEL_VERSION_MINOR * 100 + SATCHEL_VERSION_PATCH
}

@implementation @_cdecl("satchel_buffer_free")
public func satchel_buffer_free(_ buffer: UnsafeMutablePointer<satchel_buffer>?) {
  guard let buffer else { return }
  free(buffer.pointee.data)
  buffer.pointee = satchel_buffer(data: nil, size: 0)
}
