import Glibc

/// What an entry holds: a kind, and a word that is the value itself or leads to it.
public struct ByteValue {
  public enum Kind: UInt32 {
    /// The word points to a copy, NUL-terminated, with its size before it.
    case bytes
    case int64
    case double
    case bool
    /// Not owned.
    case pointer
    case table
    /// Destroyed by the owner of the table.
    case owned
    /// Destroyed by an owner of its own; the word points to a `Box`.
    case boxed

    public var isPointer: Bool { self == .pointer || self == .owned || self == .boxed }
    /// Letting go of it takes nothing.
    @inline(__always)
    var isPlain: Bool { self != .bytes && rawValue <= Kind.pointer.rawValue }
  }

  public let kind: Kind
  public let word: UInt64

  init(kind: Kind, word: UInt64) {
    self.kind = kind
    self.word = word
  }

  public init(_ number: Int64) { self.init(kind: .int64, word: UInt64(bitPattern: number)) }
  public init(_ number: Double) { self.init(kind: .double, word: number.bitPattern) }
  public init(_ flag: Bool) { self.init(kind: .bool, word: flag ? 1 : 0) }
  public init(_ table: ByteTablePointer) { self.init(kind: .table, word: UInt64(UInt(bitPattern: table))) }
  public init(unowned pointer: UnsafeMutableRawPointer?) {
    self.init(kind: .pointer, word: UInt64(UInt(bitPattern: pointer)))
  }

  /// A copy; nil where there is no memory for it.
  public init?(copying bytes: UnsafeRawBufferPointer) {
    guard let block = malloc(8 + bytes.count + 1) else { return nil }
    block.storeBytes(of: bytes.count, as: Int.self)
    let start = block + 8
    if let source = bytes.baseAddress { memcpy(start, source, bytes.count) }
    start.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    self.init(kind: .bytes, word: UInt64(UInt(bitPattern: start)))
  }

  private var address: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: UInt(word)) }

  // MARK: Reading, each where the kind is so

  public var int64: Int64 { Int64(bitPattern: word) }
  public var double: Double { Double(bitPattern: word) }
  public var bool: Bool { word != 0 }
  public var table: ByteTablePointer? { address?.assumingMemoryBound(to: ByteTable.self) }
  public var pointer: UnsafeMutableRawPointer? { kind == .boxed ? box?.pointee.pointer : address }
  public var bytes: UnsafeRawBufferPointer { ByteValue.bytes(word) }

  public static func bytes(_ word: UInt64) -> UnsafeRawBufferPointer {
    let start = UnsafeRawPointer(bitPattern: UInt(word)).unsafelyUnwrapped
    return UnsafeRawBufferPointer(start: start, count: (start - 8).load(as: Int.self))
  }
}

/// Who destroys a pointer.
public struct ByteOwner {
  public typealias Destroy =
    @convention(c) (_ pointer: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?) -> Void

  public let destroy: Destroy
  public let context: UnsafeMutableRawPointer?

  public init(destroy: @escaping Destroy, context: UnsafeMutableRawPointer?) {
    self.destroy = destroy
    self.context = context
  }

  func isSame(as other: ByteOwner) -> Bool {
    context == other.context && unsafeBitCast(destroy, to: UInt.self) == unsafeBitCast(other.destroy, to: UInt.self)
  }
}

extension ByteValue {
  struct Box {
    let pointer: UnsafeMutableRawPointer?
    let owner: ByteOwner
  }
  private var box: UnsafeMutablePointer<Box>? { address?.assumingMemoryBound(to: Box.self) }

  init?(boxing pointer: UnsafeMutableRawPointer?, _ owner: ByteOwner) {
    guard let memory = malloc(MemoryLayout<Box>.size) else { return nil }
    memory.initializeMemory(as: Box.self, to: Box(pointer: pointer, owner: owner))
    self.init(kind: .boxed, word: UInt64(UInt(bitPattern: memory)))
  }

  /// Who destroys it, given who destroys what the table owns.
  func owner(_ common: ByteOwner?) -> ByteOwner? {
    switch kind {
    case .owned: common
    case .boxed: box?.pointee.owner
    default: nil
    }
  }

  /// Frees what the library made for it, and destroys nothing.
  public func discard() {
    switch kind {
    case .bytes: free(address.unsafelyUnwrapped - 8)
    case .boxed: free(address)
    default: break
    }
  }

  /// The value leaves its table for good: a pointer with its owner, a table with its own life.
  public func handOver() {
    if kind == .boxed { free(address) }
    if kind == .table { table?.pointee.parent = nil }
  }

  /// What `bytes` of a value handed over were made with.
  public static func freeBytes(_ start: UnsafeRawPointer?) {
    if let start { free(UnsafeMutableRawPointer(mutating: start) - 8) }
  }

  /// Lets go of it. Calls the caller's own functions: the last thing that is done.
  @inline(__always)
  func release(_ common: ByteOwner?) {
    if !kind.isPlain { releaseOwned(common) }
  }

  @inline(never)
  private func releaseOwned(_ common: ByteOwner?) {
    let (pointer, owner) = (pointer, owner(common))
    discard()
    if kind == .table {
      table?.pointee.parent = nil
      table?.destroy()
    } else {
      owner?.destroy(pointer, owner?.context)
    }
  }
}
