import CSatchelSystem
import Glibc

/// What the file system below a file can do.
package enum FileSystem {
  /// Local file systems on which all maps of a file, by any process of this machine, are the same memory.
  ///
  /// An allow-list, since to a second machine every lock owner of the first would look like one of an earlier boot. ZFS is not
  /// on it: nothing can be allocated there ahead of its use, and a store into a map of a full disk is SIGBUS.
  /// The numbers are those of statfs(2).
  private static func isLocal(_ type: UInt) -> Bool {
    switch type {
    case 0xEF53,  // ext2, ext3, ext4
      0x5846_5342,  // XFS
      0x9123_683E,  // Btrfs
      0x0102_1994,  // tmpfs
      0x8584_58F6,  // ramfs
      0x794C_7630,  // overlayfs
      0xF2F5_2010,  // F2FS
      0xCA45_1A4E,  // bcachefs
      0x4D44,  // FAT
      0x2011_BAB0,  // exFAT
      0x3153_464A,  // JFS
      0x5265_4973:  // ReiserFS
      true
    default: false
    }
  }

  package static func hasSharedMaps(_ descriptor: Int32) -> Bool {
    var info = statfs()
    guard fstatfs(descriptor, &info) == 0 else { return false }
    return isLocal(UInt(truncatingIfNeeded: UInt64(bitPattern: Int64(info.f_type)) & 0xFFFF_FFFF))
  }

  /// Allocates [from, to), so that storing there cannot meet a full disk. 0 or an errno.
  package static func allocate(_ descriptor: Int32, from: Int, to: Int) -> Int32 {
    // Nothing is missing; fallocate would call a length of 0 invalid.
    guard to > from else { return 0 }
    guard scs_within_file_limit(Int64(to)) else { return EFBIG }
    let error = scs_fallocate(descriptor, Int64(from), Int64(to - from))
    guard error == EOPNOTSUPP || error == ENOSYS else { return error }
    return scs_write_zeros(descriptor, Int64(from), Int64(to - from))
  }

  /// Blocks kept beyond the end of a file, for a compaction on a full disk.
  package static let reserve = 128 << 10

  /// Lengthens a file by allocated room, and moves its reserve along: where only the reserve is left, it stays. 0 or an errno.
  package static func extend(_ descriptor: Int32, from: Int, to: Int) -> Int32 {
    guard scs_within_file_limit(Int64(to)) else { return EFBIG }
    let error = scs_reserve(descriptor, Int64(from), Int64(to + reserve - from))
    if error == ENOSPC || error == EDQUOT { return error }
    return allocate(descriptor, from: from, to: to)
  }

  /// What a file takes on its disk, its reserve included.
  package static func allocatedBytes(_ descriptor: Int32) -> Int {
    var info = stat()
    return fstat(descriptor, &info) == 0 ? Int(info.st_blocks) * 512 : 0
  }

  /// Gives the reserve back to the disk.
  package static func releaseReserve(_ descriptor: Int32) {
    var info = stat()
    if fstat(descriptor, &info) == 0 { ftruncate(descriptor, info.st_size) }
  }

  /// Owner, mode, ACL and extended attributes of one file for another. 0 or an errno.
  package static func copyMetadata(from source: Int32, to target: Int32) -> Int32 {
    var old = stat()
    var new = stat()
    guard fstat(source, &old) == 0, fstat(target, &new) == 0 else { return errno }
    if old.st_uid != new.st_uid || old.st_gid != new.st_gid {
      guard fchown(target, old.st_uid, old.st_gid) == 0 else { return errno }
    }
    guard fchmod(target, old.st_mode & 0o7777) == 0 else { return errno }
    return copyAttributes(from: source, to: target)
  }

  private static func copyAttributes(from source: Int32, to target: Int32) -> Int32 {
    let size = flistxattr(source, nil, 0)
    if size <= 0 { return 0 }
    var names = [CChar](repeating: 0, count: size)
    guard flistxattr(source, &names, size) == size else { return errno }
    for name in names.split(separator: 0) {
      let terminated = Array(name) + [0]
      let count = fgetxattr(source, terminated, nil, 0)
      guard count >= 0 else { continue }
      var value = [UInt8](repeating: 0, count: max(count, 1))
      guard fgetxattr(source, terminated, &value, count) == count else { return errno }
      // Some names (security.selinux) are the system's to set.
      if fsetxattr(target, terminated, value, count, 0) != 0, errno != EPERM, errno != EOPNOTSUPP { return errno }
    }
    return 0
  }
}
