import Glibc
import SatchelSystem

// Whole tables: copies, equality, nesting.

private var outOfMemory: SatchelError { SatchelError(.noMemory, "out of memory") }

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// A copy of all of it, nested tables too. Throws `.unsupported` for a pointer that is owned, of which there is no copy. O(n).
  public func clone() throws(SatchelError) -> ByteTablePointer {
    guard let copy = ByteTablePointer.make() else { throw outOfMemory }
    do throws(SatchelError) {
      if copy.reserve(pointee.count) != nil { throw outOfMemory }
      var next = firstLive(from: pointee.live.head)
      while let place = next {
        try copy.put(key(at: place), try cloneValue(at: place))
        next = firstLive(from: place + 1)
      }
    } catch {
      copy.destroy()
      throw error
    }
    return copy
  }

  /// A value that the table takes over, or that is gone.
  private func put(_ key: UnsafeRawBufferPointer, _ value: ByteValue) throws(SatchelError) {
    if set(key.baseAddress.unsafelyUnwrapped, key.count, value) == nil { return }
    value.release(nil)
    throw outOfMemory
  }

  private func cloneValue(at place: Int) throws(SatchelError) -> ByteValue {
    let value = value(at: place)
    switch value.kind {
    case .bytes:
      guard let copy = ByteValue(copying: value.bytes) else { throw outOfMemory }
      return copy
    case .table:
      guard let nested = value.table else { return value }
      return ByteValue(try nested.clone())
    case .owned, .boxed:
      let key = String(decoding: key(at: place), as: UTF8.self)
      throw SatchelError(.unsupported, "a pointer with a destroy function cannot be copied", key: key)
    default: return value
    }
  }

  /// The same keys with the same values, and where `inOrder` in the same order. O(n).
  public func isEqual(to other: ByteTablePointer, inOrder: Bool) -> Bool {
    guard self != other else { return true }
    guard pointee.count == other.pointee.count else { return false }
    var mine = firstLive(from: pointee.live.head)
    var theirs = other.firstLive(from: other.pointee.live.head)
    while let place = mine, let sameRank = theirs {
      let key = key(at: place)
      let start = key.baseAddress.unsafelyUnwrapped
      let match = inOrder ? sameRank : other.index(of: start, key.count)
      guard match >= 0, other.pointee.entries[match].hasKey(start, key.count),
        value(at: place).isEqual(to: other.value(at: match), inOrder: inOrder)
      else { return false }
      mine = firstLive(from: place + 1)
      theirs = other.firstLive(from: sameRank + 1)
    }
    return true
  }

  // MARK: Nesting

  /// Why `nested` cannot become part of this table; nil where it can. O(size of what is nested in it).
  public func refusal(toNest nested: ByteTablePointer) -> SatchelError.Code? {
    guard nested.pointee.parent == nil, !nested.pointee.isDying else { return .invalid }
    var depth = 1
    var above: ByteTablePointer? = self
    while let table = above {
      if table == nested { return .invalid }
      depth += 1
      above = table.pointee.parent
    }
    return depth + nested.nestedDepth > ByteTable.nestingLimit ? .range : nil
  }

  private var nestedDepth: Int {
    guard pointee.nestedCount > 0 else { return 0 }
    var depth = 0
    forEachPlace { place in
      let value = value(at: place)
      if value.kind == .table, let nested = value.table { depth = max(depth, nested.nestedDepth + 1) }
    }
    return depth
  }
}

extension ByteValue {
  /// Doubles by their bits, pointers by their addresses whoever owns them.
  fileprivate func isEqual(to other: ByteValue, inOrder: Bool) -> Bool {
    if kind.isPointer, other.kind.isPointer { return pointer == other.pointer }
    guard kind == other.kind else { return false }
    switch kind {
    case .bytes:
      return bytes.elementsEqual(other.bytes)
    case .table:
      guard let mine = table, let theirs = other.table else { return false }
      return mine.isEqual(to: theirs, inOrder: inOrder)
    case .double where double.isNaN: return other.double.isNaN
    default: return word == other.word
    }
  }
}
