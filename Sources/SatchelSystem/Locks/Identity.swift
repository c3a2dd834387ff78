import CSatchelSystem
import Glibc
import Synchronization

/// Who a lock's owner is, in one word, and whether that owner is dead. The bits are those of docs/formats.md, 1.1.
public enum Identity {
  @inlinable public static var waiters: UInt64 { 1 << 31 }

  /// Kept on a page that the kernel zeroes in a forked child: the child finds 0 and works out who it is, with no atfork handler.
  @inlinable @inline(__always)
  public static var mine: UInt64 {
    let known = scs_known_identity()
    return known != 0 ? known : workedOut()
  }

  @inlinable @inline(__always)
  public static var processID: UInt32 { UInt32(mine & 0x3F_FFFF) }

  @inline(never) @usableFromInline
  static func workedOut() -> UInt64 {
    let me = current()
    scs_keep_identity(me)
    return me
  }

  private static func current() -> UInt64 {
    let pid = getpid()
    let start = procIsOurs ? ProcessStatus(of: pid).map { max($0.startTicks & 0x3FFF, 1) } ?? 0 : 0
    let namespace = namespace
    return UInt64(UInt32(bitPattern: pid)) & 0x3F_FFFF | (namespace & 0x1FF) << 22 | (namespace >> 9) << 32
      | (boot & 0x3FFF) << 36 | start << 50
  }

  /// Of the present boot. Odd, so that a flipped bit in a free lock word never looks like an owner of this boot.
  public static let boot: UInt64 = {
    var text = [UInt8](repeating: 0, count: 36)
    let descriptor = scs_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return 1 }
    defer { close(descriptor) }
    guard scs_pread_all(descriptor, &text, 36, 0) == 0 else { return 1 }
    return scs_hash(0, text, 36) | 1
  }()

  /// Not remembered: a forked child may be in another one.
  private static var namespace: UInt64 {
    var info = stat()
    return stat("/proc/self/ns/pid", &info) == 0 ? UInt64(info.st_ino) & 0x1FFF : 0
  }

  /// A /proc of another pid namespace numbers processes in its own way.
  private static var procIsOurs: Bool {
    var text = [CChar](repeating: 0, count: 32)
    return readlink("/proc/self", &text, 31) > 0 && atoi(text) == getpid()
  }

  private static func namespace(of owner: UInt64) -> UInt64 { (owner >> 22) & 0x1FF | ((owner >> 32) & 0xF) << 9 }

  /// The byte of a domain file on which that owner holds an open-file-description lock.
  public static func lockByte(of owner: UInt64) -> Int64 {
    1 << 40 + Int64(owner & 0x3F_FFFF | namespace(of: owner) << 22)
  }

  public enum Verdict { case alive, dead, unknown }

  /// `.dead` only when no instruction of that owner can still run. In doubt the kernel's byte lock on `descriptor` tells.
  public static func judge(_ owner: UInt64, descriptor: Int32) -> Verdict {
    if (owner >> 36) & 0x3FFF != boot & 0x3FFF { return .dead }
    let ours = namespace(of: mine)
    guard namespace(of: owner) == ours, ours != 0 else { return judgeByByte(owner, descriptor) }
    let pid = pid_t(owner & 0x3F_FFFF)
    if kill(pid, 0) != 0, errno == ESRCH { return .dead }
    guard procIsOurs, let status = ProcessStatus(of: pid) else { return judgeByByte(owner, descriptor) }
    if status.isOver { return .dead }
    let start = owner >> 50
    return start != 0 && start != max(status.startTicks & 0x3FFF, 1) ? .dead : .alive
  }

  /// Who that is, for people: "process 123 (player)". nil where it cannot be seen from here, or is gone.
  package static func description(of owner: UInt64) -> String? {
    let owner = owner & ~waiters
    if owner == mine { return "this process" }
    guard owner != 0, namespace(of: owner) == namespace(of: mine), procIsOurs else { return nil }
    let pid = pid_t(owner & 0x3F_FFFF)
    guard let status = ProcessStatus(of: pid), !status.isOver, owner >> 50 == max(status.startTicks & 0x3FFF, 1) else {
      return nil
    }
    return "process \(pid) (\(status.name))"
  }

  private static func judgeByByte(_ owner: UInt64, _ descriptor: Int32) -> Verdict {
    scs_ofd_held(descriptor, lockByte(of: owner)) ? .unknown : .dead
  }
}

/// What /proc/<pid>/stat says of a process.
struct ProcessStatus {
  let name: String
  let startTicks: UInt64
  /// A zombie whose other threads still run is not over: they may still store.
  let isOver: Bool

  /// nil where it cannot be read: no such process, no /proc, hidden from this user.
  init?(of pid: pid_t) {
    let descriptor = scs_open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &text, text.count)
    // The program's name stands in parentheses and may itself contain spaces and parentheses.
    guard count > 0, let end = text[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let begin = text[..<end].firstIndex(of: UInt8(ascii: "(")) ?? end - 1
    name = String(decoding: text[(begin + 1)..<end], as: UTF8.self)
    let fields = text[(end + 1)..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 19, let state = fields[0].first else { return nil }
    func number(_ index: Int) -> UInt64 {
      fields[index].reduce(0) { $0 &* 10 &+ UInt64($1 &- UInt8(ascii: "0")) }
    }
    startTicks = number(19)
    isOver = (state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")) && number(17) <= 1
  }
}
