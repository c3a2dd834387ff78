import SatchelSystem
import SatchelValues

/// What was asked for, as far as the reason of a refusal depends on it.
package enum Request {
  case reading(ValueType)
  /// Into the caller's own buffer.
  case copying
  /// A CBOR item of so many bytes.
  case writing(Int)
  case adding(Int64)
}

extension StorePointer {
  /// Why `key` cannot be read or written as it was asked for, in more than the code says; nil where there is no more to say.
  func reason(of code: SatchelError.Code, _ key: String, _ request: Request?) -> String? {
    if code == .range, key.utf8.count > Frame.keyLimit {
      return "a key has up to \(Frame.keyLimit) bytes, and this one has more"
    }
    guard code == .range || code == .type, let request else { return nil }
    switch request {
    case .writing(let bytes):
      return bytes > Frame.valueLimit ? "a value has up to 16 MiB as stored, and this one has \(bytes) bytes" : nil
    case .adding(let delta): return stored(key)?.refusal(adding: delta).message
    case .copying:
      if code == .range { return "the value is larger than the buffer" }
      return stored(key).map { "is \($0.type.phrase), and neither text nor data" }
    case .reading(let type):
      // It may have been written again since.
      guard let value = stored(key), value.type != type else { return nil }
      return value.mismatch(type, code).message
    }
  }

  /// The value, or where it may be large an empty one: of these the sentence says the type only.
  private func stored(_ key: String) -> Value? {
    var key = key
    var value: Value?
    key.withUTF8 { text in
      guard let start = text.baseAddress else { return }
      _ = lendEncoded(UnsafeRawPointer(start), text.count) { item in
        value = item.baseAddress.flatMap { known(CBOR.type(of: $0, item.count)) } ?? (try? CBOR.decode(item))
        return nil
      }
    }
    return value
  }

  private func known(_ type: ValueType?) -> Value? {
    switch type {
    case .string: .string("")
    case .data: .data([])
    case .array: .array([])
    case .dictionary: .dictionary([:])
    default: nil
    }
  }

  /// Who has the lock at this moment, for people: "; process 123 (player) has it now". Nothing where that is not known.
  var holder: String {
    let generation = retainGeneration()
    defer { generation.release() }
    // 0 in portable mode.
    let owner = generation.word(Header.lock).pointee.load(ordering: .relaxed)
    return Identity.description(of: owner).map { "; \($0) has it now" } ?? ""
  }
}
