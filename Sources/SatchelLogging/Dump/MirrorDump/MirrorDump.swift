/// Describes any Swift value by what its mirror shows. The value may do whatever it likes meanwhile: describe itself, log, show
/// another mirror than one would think, go round in circles.
struct MirrorDump {
  var out: DumpWriter
  /// Objects that are being described, from outside in.
  var objects: [ObjectIdentifier] = []
  let hidesSecrets: Bool

  init(_ limits: DumpLimits, hidesSecrets: Bool) {
    out = DumpWriter(limits)
    self.hidesSecrets = hidesSecrets
  }

  /// `(Int) 3`
  mutating func value(_ value: Any) {
    guard !out.isFull else { return }
    out.type(String(describing: type(of: value)))
    body(value)
  }

  /// The same without the type.
  mutating func body(_ value: Any) {
    if out.isFull || scalar(value) { return }
    if type(of: value) is AnyClass { object(value as AnyObject) } else { parts(Mirror(reflecting: value), of: value) }
  }

  mutating func parts(_ mirror: Mirror, of value: Any) {
    switch mirror.displayStyle {
    case .optional: optional(mirror)
    case .collection: collection(mirror, of: value)
    case .set: set(mirror, of: value)
    case .dictionary: dictionary(mirror, of: value)
    case .tuple: fields(mirror)
    case .enum: enumeration(mirror, of: value)
    default: structure(mirror, of: value)
    }
  }

  private mutating func optional(_ mirror: Mirror) {
    if let child = mirror.children.first { body(child.value) } else { out.word("nil") }
  }

  /// One that describes itself says what matters; of others, all fields.
  private mutating func structure(_ mirror: Mirror, of value: Any) {
    if let said = MirrorDump.description(of: value) {
      out.description(said)
    } else if mirror.children.isEmpty && mirror.superclassMirror == nil && mirror.displayStyle == nil {
      out.description(String(describing: value))
    } else {
      fields(mirror)
    }
  }

  private static func description(of value: Any) -> String? {
    if let value = value as? any CustomStringConvertible { return value.description }
    return (value as? any CustomDebugStringConvertible)?.debugDescription
  }

  private mutating func enumeration(_ mirror: Mirror, of value: Any) {
    if let said = MirrorDump.description(of: value) { return out.description(said) }
    guard let payload = mirror.children.first else { return out.description("." + String(describing: value)) }
    out.word(".")
    out.plain(payload.label ?? "")
    let inner = Mirror(reflecting: payload.value)
    if inner.displayStyle == .tuple {
      out.word(" ")
      fields(inner)
    } else {
      out.word(": ")
      self.value(payload.value)
    }
  }

  private mutating func object(_ object: AnyObject) {
    let identity = ObjectIdentifier(object)
    out.word("<")
    out.address(UInt(bitPattern: identity))
    out.word("> ")
    guard !objects.contains(identity) else { return out.word("(shown above)") }
    objects.append(identity)
    parts(Mirror(reflecting: object), of: object)
    objects.removeLast()
  }
}
