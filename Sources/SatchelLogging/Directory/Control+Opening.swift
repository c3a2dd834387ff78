import CSatchelSystem
import Glibc
import SatchelSystem

extension Control {
  /// Maps the control file; makes it where there is none yet. `lock` is a description of the directory's lock file.
  static func open(_ path: String, lock: Int32) throws(SatchelError) -> Control {
    let descriptor = scs_open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw SatchelError(errno: -descriptor, "cannot open the log's control file", path: path)
    }
    defer { close(descriptor) }
    // By a description of its own: several threads of this process may be here for different directories, but only one of
    // them for this one.
    let error = scs_ofd_lock_waiting(lock, LogDirectory.LockByte.making)
    guard error == 0 else { throw SatchelError(errno: error, "cannot lock", path: path) }
    defer { _ = scs_ofd_unlock(lock, LogDirectory.LockByte.making) }
    try allocate(descriptor, path)
    let room = mmap(nil, ControlLayout.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let room, room != MAP_FAILED else { throw SatchelError(errno: errno, "cannot map", path: path) }
    let control = Control(start: room)
    do throws(SatchelError) {
      try control.prepare(path)
    } catch {
      munmap(room, ControlLayout.size)
      throw error
    }
    return control
  }

  private static func allocate(_ descriptor: Int32, _ path: String) throws(SatchelError) {
    var identity = scs_file_identity()
    var error = scs_identify(descriptor, nil, &identity)
    if error == 0, identity.size < UInt64(ControlLayout.size) {
      error = FileSystem.allocate(descriptor, from: 0, to: ControlLayout.size)
    }
    guard error == 0 else { throw SatchelError(errno: error, "cannot allocate", path: path) }
  }

  private func prepare(_ path: String) throws(SatchelError) {
    let magic = start.load(as: UInt64.self)
    let version = start.load(fromByteOffset: 8, as: UInt32.self)
    if magic == ControlLayout.magic, version > ControlLayout.version {
      throw SatchelError(.version, "the log's control file was made by a newer version", path: path)
    }
    if magic != ControlLayout.magic || !isSound { begin() }
    if !isOfThisBoot { beginBoot() }
  }

  /// After a power cut the pages of the file may be of different ages. What could not be used is made anew: the rings' records
  /// then count as new, and those that make no sense are skipped.
  private var isSound: Bool {
    let state = self.state
    guard state.bits & 3 <= 1, ringCount.pointee.load(ordering: .relaxed) <= UInt64(ControlLayout.rings) else {
      return false
    }
    return !state.isWriting || (0...ControlLayout.batchRoom).contains(commit(state.sequence + 1).bytes)
  }

  private func begin() {
    memset(start, 0, ControlLayout.size)
    start.storeBytes(of: ControlLayout.version, toByteOffset: 8, as: UInt32.self)
    Configuration(control: self).reset()
    recordZone()
    at(0).pointee.store(ControlLayout.magic, ordering: .releasing)
  }

  /// The machine's zone at the time is the log's for ever: all who lead name its files alike.
  private func recordZone() {
    let record = Array(Zone.system().record.utf8.prefix(ControlLayout.zoneLimit))
    start.storeBytes(of: UInt16(record.count), toByteOffset: ControlLayout.zone, as: UInt16.self)
    (start + ControlLayout.zone + 2).copyMemory(from: record, byteCount: record.count)
  }

  var zone: ZoneRules {
    let count = Int(start.load(fromByteOffset: ControlLayout.zone, as: UInt16.self))
    let bytes = UnsafeRawBufferPointer(
      start: start + ControlLayout.zone + 2, count: min(count, ControlLayout.zoneLimit))
    return (Zone(record: String(decoding: bytes, as: UTF8.self)) ?? .utc).rules
  }

  private var isOfThisBoot: Bool {
    let known = (0..<16).map { start.load(fromByteOffset: ControlLayout.bootID + $0, as: UInt8.self) }
    return known == Control.bootID
  }

  /// What an earlier boot has left in the rings keeps its time: by that boot's clock, up to the heads of that boot.
  private func beginBoot() {
    for slot in 0..<ControlLayout.slots {
      headOfEarlierBoot(slot).pointee.store(head(slot).pointee.load(ordering: .relaxed), ordering: .relaxed)
    }
    TickClock.keepAsEarlier(self)
    TickClock.start(self)
    for (index, byte) in Control.bootID.enumerated() {
      start.storeBytes(of: byte, toByteOffset: ControlLayout.bootID + index, as: UInt8.self)
    }
  }

  /// 16 bytes; zeros where the kernel tells none.
  private static var bootID: [UInt8] {
    let descriptor = scs_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return [UInt8](repeating: 0, count: 16) }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = max(read(descriptor, &text, text.count), 0)
    let digits = text[..<count].compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
    guard digits.count == 32 else { return [UInt8](repeating: 0, count: 16) }
    return (0..<16).map { digits[$0 * 2] << 4 | digits[$0 * 2 + 1] }
  }
}
