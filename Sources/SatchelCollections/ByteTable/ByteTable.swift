import CSatchelSystem
import Glibc
import SatchelSystem

/// An ordered table from bytes to tagged values, all of it in raw memory: what a `satchel_dict *` points to. For the C interface
/// only, and public because the compiler inlines nothing else into another module; Swift has `OrderedDictionary`.
///
/// Entries stand in an array in the order in which their keys came; a `LiveMap` says which places are taken, a `SlotTable` where a
/// key is. Up to eight entries need no slots: they are looked through. `OrderedDictionary` is made of the same parts, for keys and
/// values of any type; here memory may be refused, keys are hashed without calling anybody, and cursors are told of changes.
///
/// Values may be destroyed by functions of the caller's, which may call back: they run when a change is complete, as the last
/// thing of it, and nothing of the table is touched after them.
///
/// One thread at a time. A struct behind a pointer and not a class, whose stored properties would be checked at each access.
public struct ByteTable {
  /// Entries at most, and bytes of a key.
  public static var limit: Int { Int(Int32.max) - 1 }
  public static var keyLimit: Int { 1 << 28 - 2 }
  static var nestingLimit: Int { 64 }
  static var fewest: Int { 8 }

  var entries: UnsafeMutablePointer<ByteEntry>
  var live: LiveMap
  var slots = SlotTable()
  var seed: UInt64
  #if DEBUG || SATCHEL_CHECKS
  /// For tests: few bits make keys collide.
  public var tagMask = UInt32.max
  #endif

  /// Changes when a place may hold another entry than it did; no two tables have the same.
  public internal(set) var epoch: UInt64
  /// The first place that no entry has had in this epoch.
  var untouched = 0

  var cursors: ByteCursorPointer?
  /// What most pointers are destroyed with: the first that was named.
  var owner: ByteOwner?
  /// The table of the entry that this one is nested in.
  public internal(set) var parent: ByteTablePointer?
  var nestedCount = 0
  var isDying = false

  public var count: Int { live.count }
}
public typealias ByteTablePointer = UnsafeMutablePointer<ByteTable>

/// One place: a key, which is NUL-terminated and never moves, and what belongs to it.
struct ByteEntry {
  var key: UnsafeMutableRawPointer
  /// [length:28][kind:4].
  var meta: UInt32
  /// Of the key's hash; not set while there are no slots.
  var tag: UInt32
  var word: UInt64

  /// No key is as long.
  static let dead = UInt32.max

  init(key: UnsafeMutableRawPointer, count: Int, tag: UInt32, value: ByteValue) {
    self.key = key
    meta = UInt32(truncatingIfNeeded: count) << 4 | value.kind.rawValue
    self.tag = tag
    word = value.word
  }

  var count: Int { Int(meta >> 4) }

  var value: ByteValue {
    get { ByteValue(kind: ByteValue.Kind(rawValue: meta & 15).unsafelyUnwrapped, word: word) }
    set {
      meta = meta & ~15 | newValue.kind.rawValue
      word = newValue.word
    }
  }

  @inline(__always)
  func hasKey(_ bytes: UnsafeRawPointer, _ size: Int) -> Bool { count == size && scs_equal(key, bytes, size) }
}
