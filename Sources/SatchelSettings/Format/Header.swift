import CSatchelSystem
import Glibc
import SatchelSystem

/// The first page of a domain file. Offsets are those of docs/formats.md, 1.1.
enum Header {
  static let size = 4096
  static let copy = 2048
  static let fields = 80
  static let magic: UInt64 = 0x314C_4548_4354_4153  // "SATCHEL1"
  static let version: UInt32 = 1
  // One cache line for each word that changes.
  static let committed = 128
  static let lock = 192
  static let sleep = 256
  static let boot = 320
  static let durable = 384
}

/// The part of the header that never changes, stored twice so that no single damaged byte can hide the log.
struct HeaderFields {
  var generation: UInt64 = 1
  var baseRevision: UInt64 = 0
  var hashSeed: UInt64
  var salt: UInt32
  var isPortable = false
  var snapshotEnd = Header.size
  var historyEnd = Header.size
  var created: Int64

  enum Failure: Error { case notOurs, newerVersion(UInt32) }

  init(generation: UInt64 = 1, baseRevision: UInt64 = 0, hashSeed: UInt64, isPortable: Bool) {
    self.generation = generation
    self.baseRevision = baseRevision
    self.hashSeed = hashSeed
    self.isPortable = isPortable
    var salt: UInt32 = 0
    if scs_random(&salt, 4) != 0 { salt = UInt32(truncatingIfNeeded: scs_monotonic_ns()) }
    self.salt = salt | 1
    created = scs_now_ns()
  }

  /// Reads whichever copy is sound.
  init(page: UnsafeRawPointer) throws(Failure) {
    guard let p = [page, page + Header.copy].first(where: HeaderFields.isSound) else { throw .notOurs }
    let version = p.load(fromByteOffset: 8, as: UInt32.self)
    guard version == Header.version else { throw .newerVersion(version) }
    generation = p.load(fromByteOffset: 16, as: UInt64.self)
    baseRevision = p.load(fromByteOffset: 24, as: UInt64.self)
    hashSeed = p.load(fromByteOffset: 32, as: UInt64.self)
    salt = p.load(fromByteOffset: 40, as: UInt32.self)
    isPortable = p.load(fromByteOffset: 44, as: UInt32.self) != 0
    snapshotEnd = Int(truncatingIfNeeded: p.load(fromByteOffset: 48, as: UInt64.self))
    historyEnd = Int(truncatingIfNeeded: p.load(fromByteOffset: 56, as: UInt64.self))
    created = p.load(fromByteOffset: 64, as: Int64.self)
    guard snapshotEnd >= Header.size, historyEnd >= snapshotEnd, historyEnd <= Generation.reserve,
      snapshotEnd & 7 == 0, historyEnd & 7 == 0, baseRevision < Frame.revisionLimit, generation < 1 << 62
    else { throw .notOurs }
  }

  private static func isSound(_ p: UnsafeRawPointer) -> Bool {
    p.load(as: UInt64.self) == Header.magic && scs_crc32c(0, p, 76) == p.load(fromByteOffset: 76, as: UInt32.self)
  }

  /// The whole page of a file whose records end at `end`, all of them on disk before anybody can see it.
  func write(page: UnsafeMutableRawPointer, end: Int) {
    memset(page, 0, Header.size)
    for p in [page, page + Header.copy] {
      p.storeBytes(of: Header.magic, as: UInt64.self)
      p.storeBytes(of: Header.version, toByteOffset: 8, as: UInt32.self)
      p.storeBytes(of: UInt32(Header.size), toByteOffset: 12, as: UInt32.self)
      p.storeBytes(of: generation, toByteOffset: 16, as: UInt64.self)
      p.storeBytes(of: baseRevision, toByteOffset: 24, as: UInt64.self)
      p.storeBytes(of: hashSeed, toByteOffset: 32, as: UInt64.self)
      p.storeBytes(of: salt, toByteOffset: 40, as: UInt32.self)
      p.storeBytes(of: isPortable ? 1 : 0, toByteOffset: 44, as: UInt32.self)
      p.storeBytes(of: UInt64(snapshotEnd), toByteOffset: 48, as: UInt64.self)
      p.storeBytes(of: UInt64(historyEnd), toByteOffset: 56, as: UInt64.self)
      p.storeBytes(of: created, toByteOffset: 64, as: Int64.self)
      p.storeBytes(of: scs_crc32c(0, p, 76), toByteOffset: 76, as: UInt32.self)
    }
    let word = CommitWord.pack(end, salt: salt)
    page.storeBytes(of: word, toByteOffset: Header.committed, as: UInt64.self)
    page.storeBytes(of: word, toByteOffset: Header.durable, as: UInt64.self)
    page.storeBytes(of: isPortable ? 0 : Identity.boot, toByteOffset: Header.boot, as: UInt64.self)
  }
}
