/// Looks whether the description of a type holds together, so far that reading a value by it ends, and stays within the value.
struct TypeCheck<Described: DescribedType> {
  /// What nothing that is worth a dump goes beyond.
  private static var largest: Int { 1 << 30 }
  private static var deepest: Int { 64 }
  private static var steps: Int { 100_000 }

  private var left = TypeCheck.steps

  /// nil where it does.
  static func problem(_ type: Described) -> StaticString? {
    var check = TypeCheck()
    return check.problem(type, depth: 0)
  }

  private mutating func problem(_ type: Described, depth: Int) -> StaticString? {
    left -= 1
    guard depth < TypeCheck.deepest else { return "a type contains itself, or nearly" }
    guard left > 0 else { return "a type has too many parts" }
    guard let kind = type.kind else { return "a type has no kind that is known" }
    guard 0...TypeCheck.largest ~= type.size, 0...TypeCheck.largest ~= type.count else {
      return "a type has an absurd size or count"
    }
    switch kind {
    case .bool, .character: return type.size == 1 ? nil : "a bool or char is one byte"
    case .int, .uint, .enumeration: return wordProblem(type, kind)
    case .float: return type.size == 4 || type.size == 8 ? nil : "a floating-point number has 4 or 8 bytes"
    case .text, .pointer, .function: return type.size == MemoryLayout<UInt>.size ? nil : "a pointer has the size of one"
    case .bytes: return type.size == 2 * MemoryLayout<UInt>.size ? nil : "bytes are a pointer and a size"
    case .characters, .union, .opaque: return nil
    case .array: return arrayProblem(type, depth)
    case .structure: return structureProblem(type, depth)
    }
  }

  private mutating func wordProblem(_ type: Described, _ kind: DescribedKind) -> StaticString? {
    guard [1, 2, 4, 8].contains(type.size) else { return "an integer has 1, 2, 4 or 8 bytes" }
    guard kind == .enumeration else { return nil }
    left -= type.count
    guard left > 0 else { return "a type has too many parts" }
    return (0..<type.count).allSatisfy { type.enumerator($0) != nil } ? nil : "an enumerator has no name"
  }

  private mutating func arrayProblem(_ type: Described, _ depth: Int) -> StaticString? {
    guard let element = type.element else { return "an array has no type of its elements" }
    if let problem = problem(element, depth: depth + 1) { return problem }
    guard element.size * type.count == type.size else { return "an array is not as large as its elements" }
    return nil
  }

  private mutating func structureProblem(_ type: Described, _ depth: Int) -> StaticString? {
    for index in 0..<type.count {
      guard let member = type.member(index) else { return "a member has no name or no type" }
      if let problem = problem(member.type, depth: depth + 1) { return problem }
      guard member.offset >= 0, member.offset <= type.size - member.type.size else {
        return "a member does not lie in its struct"
      }
    }
    return nil
  }
}
