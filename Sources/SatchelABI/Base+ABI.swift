// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import CSatchelSystem
import Glibc
import Satchel

@implementation @_cdecl("satchel_last_error")
public func satchel_last_error() -> UnsafePointer<satchel_error> { LastError.pointer }

@implementation @_cdecl("satchel_strerror")
public func satchel_strerror(_ code: Int32) -> UnsafePointer<CChar> {
  CodeTexts.all[code]?.text.pointer ?? (code == SATCHEL_OK ? CodeTexts.ok : CodeTexts.unknown).pointer
}

@implementation @_cdecl("satchel_error_name")
public func satchel_error_name(_ code: Int32) -> UnsafePointer<CChar> {
  CodeTexts.all[code]?.name.pointer ?? (code == SATCHEL_OK ? CodeTexts.okName : CodeTexts.unknownName).pointer
}

@implementation @_cdecl("satchel_version")
public func satchel_version() -> UnsafePointer<CChar> { CodeTexts.version.pointer }

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

/// Texts of codes that live as long as the process.
private enum CodeTexts {
  static let ok = Lasting("ok")
  static let okName = Lasting("SATCHEL_OK")
  static let unknown = Lasting("unknown error")
  static let unknownName = Lasting("SATCHEL_E?")
  static let version = Lasting("\(SATCHEL_VERSION_MAJOR).\(SATCHEL_VERSION_MINOR).\(SATCHEL_VERSION_PATCH)")

  static let all: [Int32: (name: Lasting, text: Lasting)] = Dictionary(
    uniqueKeysWithValues: SatchelError.Code.allCases.map {
      ($0.rawValue, (Lasting("SATCHEL_E" + name(of: $0)), Lasting($0.text)))
    })

  private static func name(of code: SatchelError.Code) -> String {
    switch code {
    case .noMemory: "NOMEM"
    case .invalid: "INVAL"
    default: "\(code)".uppercased()
    }
  }

  struct Lasting: @unchecked Sendable {
    let pointer: UnsafePointer<CChar>
    init(_ text: String) { pointer = UnsafePointer(strdup(text)) }
  }
}
