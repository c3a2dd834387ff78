import SatchelSystem

extension MirrorDump {
  /// False where it is none.
  mutating func scalar(_ value: Any) -> Bool {
    switch value {
    case let value as any StringProtocol: out.quoted(String(value))
    case let value as StaticString: out.quoted(value.description)
    case let value as Character: character(value)
    case let value as Unicode.Scalar: character(Character(value))
    case let value as Bool: out.ascii(value ? "true" : "false")
    case let value as any BinaryInteger: out.plain(String(describing: value))
    case let value as any BinaryFloatingPoint: out.plain(String(describing: value))
    case let value as any _Pointer: out.address(UInt(bitPattern: Int(bitPattern: value)))
    case let value as OpaquePointer: out.address(UInt(bitPattern: value))
    case let error as SatchelError: self.error(error)
    default: return false
    }
    return true
  }

  private mutating func character(_ value: Character) {
    var text = String(value)
    text.withUTF8 { out.character(UnsafeRawBufferPointer($0), value.unicodeScalars.map(\.value)) }
  }

  /// Its domain and code, and what it is about.
  private mutating func error(_ error: SatchelError) {
    out.ascii("\(error.code.words.name) (code \(error.code.rawValue)) ")
    guard let start = out.open(.named) else { return }
    let about = [("message", error.message), ("domain", error.domain), ("path", error.path), ("key", error.key)]
    for (name, text) in about {
      guard let text else { continue }
      out.name(name)
      out.quoted(text)
    }
    if error.systemError != 0 {
      out.name("errno")
      out.ascii("\(error.systemError)")
    }
    out.close(.named, from: start)
  }
}
