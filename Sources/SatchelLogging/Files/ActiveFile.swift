import CSatchelSystem
import Glibc
import SatchelSystem

/// The file that the leader appends to. It is found by its name at each batch: one that was renamed or deleted gets a successor,
/// one that was cut is gone on with.
struct ActiveFile: ~Copyable {
  private unowned let directory: LogDirectory
  private(set) var descriptor: Int32 = -1
  /// As of the last time it was opened or looked at; its size is where the next batch begins.
  private(set) var identity = scs_file_identity()
  /// Day and number of its name.
  var place: FilePlace?
  /// Where the descriptor was opened.
  private var openedPlace: FilePlace?
  /// Another one was begun.
  var isNew = false

  init(_ directory: LogDirectory) { self.directory = directory }

  private mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  private func path(_ place: FilePlace) -> String {
    directory.path + "/" + LogFileName(app: directory.app, place).text
  }

  /// Ready for a batch of that day and size. Where it cannot be opened this waits, or gives up where the leader is temporary.
  mutating func open(day: Int32, adding bytes: Int, in format: FileFormat, isTemporary: Bool) -> Bool {
    while true {
      choose(day)
      if let place, open(at: place) {
        if identity.size == 0 { directory.configuration.formatOfFile = format }
        guard isFull(adding: bytes) || directory.configuration.formatOfFile != format else { return true }
        self.place = FilePlace(day: place.day, number: freeNumber(after: place))
        continue
      }
      if isTemporary { return false }
      usleep(20_000)
    }
  }

  /// The last file of the day.
  private mutating func choose(_ day: Int32) {
    if let place, place.day == day { return }
    var chosen = FilePlace(day: day, number: 0)
    while exists(FilePlace(day: day, number: chosen.number + 1)) { chosen.number += 1 }
    place = chosen
  }

  private func freeNumber(after place: FilePlace) -> UInt32 {
    var next = FilePlace(day: place.day, number: place.number + 1)
    while exists(next) { next.number += 1 }
    return next.number
  }

  private func exists(_ place: FilePlace) -> Bool { access(path(place), F_OK) == 0 }

  private func isFull(adding bytes: Int) -> Bool {
    let most = directory.configuration.maximumSize
    return most > 0 && identity.size > 0 && identity.size + UInt64(bytes) > most
  }

  private mutating func open(at place: FilePlace) -> Bool {
    let path = path(place)
    // The program may have closed every descriptor, and have a file of its own under this number: nothing is written into that.
    if descriptor >= 0, !isStillOpen { descriptor = -1 }
    if descriptor >= 0 {
      if openedPlace == place, leadsHere(path) { return true }
      Glibc.close(descriptor)
      descriptor = -1
      directory.control.count(.reopened)
    }
    return openAnew(path, place)
  }

  private var isStillOpen: Bool {
    var present = scs_file_identity()
    return scs_identify(descriptor, nil, &present) == 0 && present.inode == identity.inode
      && present.birth == identity.birth
  }

  private mutating func leadsHere(_ path: String) -> Bool {
    var named = scs_file_identity()
    guard scs_identify(-1, path, &named) == 0, named.isSame(as: identity) else { return false }
    identity.size = named.size
    return true
  }

  private mutating func openAnew(_ path: String, _ place: FilePlace) -> Bool {
    let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    descriptor = scs_open(path, flags, 0o600)
    // Somebody has deleted the folder.
    if descriptor == -ENOENT, (try? Folders.create(directory.path)) != nil { descriptor = scs_open(path, flags, 0o600) }
    guard descriptor >= 0, scs_identify(descriptor, nil, &identity) == 0 else {
      close()
      return false
    }
    openedPlace = place
    isNew = true
    return true
  }

  /// The very file that a batch was announced for, under whatever name it has in the folder now. False where it is not there.
  mutating func open(as wanted: scs_file_identity, named place: FilePlace) -> Bool {
    if open(path(place), as: wanted) {
      self.place = place
      openedPlace = place
      return true
    }
    guard let folder = opendir(directory.path) else { return false }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      guard entry.pointee.d_ino == wanted.inode else { continue }
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if open(directory.path + "/" + name, as: wanted) {
        self.place = place
        return true
      }
    }
    return false
  }

  private mutating func open(_ path: String, as wanted: scs_file_identity) -> Bool {
    let found = scs_open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0)
    guard found >= 0 else { return false }
    var identity = scs_file_identity()
    guard scs_identify(found, nil, &identity) == 0, identity.isSame(as: wanted) else {
      Glibc.close(found)
      return false
    }
    close()
    descriptor = found
    self.identity = identity
    openedPlace = nil
    return true
  }

  /// How many of the file's bytes from `start` on are those at `bytes`.
  func matches(_ bytes: UnsafeMutableRawPointer, _ count: Int, at start: UInt64) -> Int {
    let step = 16 << 10
    let read = UnsafeMutableRawPointer.allocate(byteCount: step, alignment: 16)
    defer { read.deallocate() }
    var same = 0
    while same < count {
      let wanted = min(step, count - same)
      let got = pread(descriptor, read, wanted, off_t(start) + off_t(same))
      guard got > 0 else { return same }
      var index = 0
      while index < got,
        read.load(fromByteOffset: index, as: UInt8.self) == bytes.load(fromByteOffset: same + index, as: UInt8.self)
      {
        index += 1
      }
      same += index
      if index < got { return same }
    }
    return same
  }

  /// It still has a name. Where that cannot be found out, it counts as having one.
  var isLinked: Bool {
    var present = scs_file_identity()
    return scs_identify(descriptor, nil, &present) != 0 || present.links > 0
  }

  var presentSize: UInt64? {
    var present = scs_file_identity()
    return scs_identify(descriptor, nil, &present) == 0 ? present.size : nil
  }
}

extension scs_file_identity {
  func isSame(as other: scs_file_identity) -> Bool {
    inode == other.inode && birth == other.birth && device == other.device
  }
}
