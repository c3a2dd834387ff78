import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension UnsafeMutablePointer where Pointee == Store {
  /// Opens the domain file at `path`, or makes it.
  static func open(domain: String, path: String, options: Store.Options) throws(SatchelError) -> StorePointer {
    let resolved = try Folders.resolve(path)
    let store = StorePointer.allocate(capacity: 1)
    store.initialize(to: Store(domain: domain, path: resolved, options: options))
    do throws(SatchelError) {
      try store.openView()
      if store.pointee.hasSetAside { store.append(Note(kind: .headerLost, bytes: 1)) }
      return store
    } catch {
      let failure = store.failure(error)
      store.destroy()
      throw failure
    }
  }

  private func openView() throws(SatchelError) {
    let generation = try openOrCreate()
    do throws(Refusal) {
      publish(try makeView(of: generation))
    } catch {
      generation.destroy()
      throw failure(error.code, "no memory for the index")
    }
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    do throws(Refusal) { try completeView() } catch { throw failure(error.code, "no memory for the index") }
  }

  func openOrCreate() throws(SatchelError) -> GenerationPointer {
    for _ in 0..<20 {
      do {
        return try openGeneration()
      } catch {
        guard error.code == .notFound, !pointee.options.isReadOnly, pointee.options.creates else { throw error }
      }
      try createFile()
    }
    throw failure(.io, "the file keeps disappearing")
  }

  /// A whole file appears under its final name or not at all; whoever loses the race opens the winner's.
  private func createFile() throws(SatchelError) {
    if let folder = Folders.parent(of: pointee.path) { try Folders.create(folder) }
    var seed: UInt64 = 0
    _ = scs_random(&seed, 8)
    let file = try NewFile(for: pointee.path)
    let isPortable = pointee.options.isPortable || !FileSystem.hasSharedMaps(file.descriptor)
    let fields = HeaderFields(hashSeed: seed, isPortable: isPortable)
    try file.writeHeader(fields, end: Header.size, room: NewFile.firstRoom)
    faultPoint("create.written")
    try file.publish(as: pointee.path)
  }

  /// Opens and maps what the name leads to now, and makes its header fit to be believed.
  func openGeneration() throws(SatchelError) -> GenerationPointer {
    let (descriptor, isWritable) = try openFile()
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw abandon(descriptor, errno, "cannot look at") }
    guard info.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      throw failure(.io, "not a regular file")
    }
    let size = Int(info.st_size)
    if size == 0 { throw setAsideEmpty(descriptor, isWritable: isWritable) }
    let fields: HeaderFields
    do throws(SatchelError) { fields = try readFields(descriptor, size: size) } catch {
      Glibc.close(descriptor)
      throw error
    }
    if !fields.isPortable, !FileSystem.hasSharedMaps(descriptor) {
      Glibc.close(descriptor)
      throw failure(
        .unsupported,
        "made for a local disk, but this file system has no coherent shared maps: export it there, import it here")
    }
    let base = try map(descriptor, fields, isWritable: isWritable, size: size)
    let generation = GenerationPointer.allocate(capacity: 1)
    generation.initialize(
      to: Generation(
        base: base, descriptor: descriptor, device: UInt64(info.st_dev), inode: UInt64(info.st_ino), fields: fields,
        isWritable: isWritable, opener: ProcessMark.mine, capacity: size, readable: size,
        compactAt: Atomic(Store.compactionStart(fields))))
    if isWritable {
      fillHoles(generation, info)
      try recoverIfNeeded(generation)
    }
    if generation.isPortable { try mirrorFirst(generation) }
    return generation
  }

  /// Nobody is to find an empty store in a file that could not be read.
  private func mirrorFirst(_ generation: GenerationPointer) throws(SatchelError) {
    let refresh = generation.refresh(isLocked: false)
    if refresh == .done { return }
    generation.destroy()
    guard case .failed(let error) = refresh else { throw failure(.io, "the file changes while it is opened") }
    throw SatchelError(errno: error, "cannot read", path: pointee.path)
  }

  /// Whether what the name leads to now is a file that opening would refuse for its header.
  var leadsToForeignFile: Bool {
    let descriptor = scs_open_kept(pointee.path, O_RDONLY | Self.careful)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size > 0 else { return false }
    do throws(SatchelError) {
      _ = try readFields(descriptor, size: Int(info.st_size))
      return false
    } catch { return error.code == .corrupt }
  }

  /// Something else than a file may stand there: a pipe, which would be waited for, or a terminal.
  private static var careful: Int32 { O_NONBLOCK | O_NOCTTY }

  /// For writing, or where that is refused, for reading: the reason is kept for those who write.
  private func openFile() throws(SatchelError) -> (Int32, Bool) {
    let flags = Self.careful
    if !pointee.options.isReadOnly {
      let descriptor = scs_open_kept(pointee.path, O_RDWR | flags)
      if descriptor >= 0 { return (descriptor, true) }
      guard [EACCES, EPERM, EROFS].contains(-descriptor) else { throw cannotOpen(-descriptor) }
      pointee.readOnlyReason = SatchelError.Code(errno: -descriptor)
    }
    let descriptor = scs_open_kept(pointee.path, O_RDONLY | flags)
    guard descriptor >= 0 else { throw cannotOpen(-descriptor) }
    return (descriptor, false)
  }

  private func cannotOpen(_ error: Int32) -> SatchelError {
    if error == ENOENT { return failure(.notFound, "there is no such domain") }
    return SatchelError(errno: error, "cannot open", path: pointee.path)
  }

  private func abandon(_ descriptor: Int32, _ error: Int32, _ action: String) -> SatchelError {
    Glibc.close(descriptor)
    return SatchelError(errno: error, action, path: pointee.path)
  }

  private func readFields(_ descriptor: Int32, size: Int) throws(SatchelError) -> HeaderFields {
    guard size >= Header.size else { throw notSettings }
    let page = UnsafeMutableRawPointer.allocate(byteCount: Header.size, alignment: 64)
    defer { page.deallocate() }
    let error = scs_pread_all(descriptor, page, Header.size, 0)
    if error != 0 { throw SatchelError(errno: error, "cannot read", path: pointee.path) }
    do throws(HeaderFields.Failure) { return try HeaderFields(page: page) } catch {
      switch error {
      case .notOurs:
        throw notSettings
      case .newerVersion(let version):
        throw failure(.version, "written in format version \(version) by a newer Satchel; nothing was changed")
      }
    }
  }

  private var notSettings: SatchelError {
    failure(
      .corrupt,
      "not a settings file, or its header is destroyed; nothing was changed: move it away, or put a sound copy in its place"
    )
  }

  private func map(
    _ descriptor: Int32, _ fields: HeaderFields, isWritable: Bool, size: Int
  ) throws(SatchelError) -> UnsafeMutableRawPointer {
    let flags = fields.isPortable ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED | MAP_NORESERVE
    let protection = isWritable || fields.isPortable ? PROT_READ | PROT_WRITE : PROT_READ
    guard let base = mmap(nil, Generation.reserve, protection, flags, fields.isPortable ? -1 : descriptor, 0),
      base != MAP_FAILED
    else { throw abandon(descriptor, errno, "cannot map") }
    if fields.isPortable {
      let error = scs_pread_all(descriptor, base, Header.size, 0)
      if error != 0 {
        munmap(base, Generation.reserve)
        throw abandon(descriptor, error, "cannot read")
      }
    } else if pointee.options.durability == .disk {
      // Read-ahead on a mapped fault makes large folios, and one dirty byte then writes back a whole one: fdatasync takes
      // twice as long. The price is a fault for every 4 KiB, so only who asks for the disk pays it.
      madvise(base, Generation.reserve, MADV_RANDOM)
    }
    return base
  }

  /// A copied or restored file may have holes, and a store into a hole of a full disk is SIGBUS.
  private func fillHoles(_ generation: GenerationPointer, _ info: stat) {
    guard Int(info.st_blocks) * 512 < Int(info.st_size), !generation.isPortable else { return }
    let error = scs_fallocate(generation.pointee.descriptor, 0, Int64(info.st_size))
    if error == ENOSPC || error == EDQUOT { pointee.readOnlyReason = .full }
  }

  /// An empty file holds nothing that could be overwritten: whoever may make the domain puts it aside, under a lock on the file
  /// itself, so that nobody puts aside a file made anew meanwhile. The error tells the caller to look again.
  private func setAsideEmpty(_ descriptor: Int32, isWritable: Bool) -> SatchelError {
    defer { Glibc.close(descriptor) }
    let isEmpty = failure(.notFound, "its file is empty")
    guard !pointee.options.isReadOnly, pointee.options.creates else { return isEmpty }
    guard isWritable else { return failure(pointee.readOnlyReason ?? .denied, cannot: "put aside the empty file") }
    while scs_ofd_lock(descriptor, Generation.compactionByte, true) == EAGAIN { usleep(1000) }
    var mine = stat()
    var named = stat()
    if fstat(descriptor, &mine) == 0, stat(pointee.path, &named) == 0, mine.st_ino == named.st_ino,
      mine.st_dev == named.st_dev, mine.st_size == 0
    {
      let error = Store.unusedAsideName(pointee.path, generation: 0) { scs_rename_exclusive(pointee.path, $0) }
      guard error == 0 else { return SatchelError(errno: error, "cannot put aside", path: pointee.path) }
      pointee.hasSetAside = true
    }
    return isEmpty
  }

  /// A table that fits what is going to be indexed: the snapshot and the log.
  func makeView(of generation: GenerationPointer) throws(Refusal) -> ViewPointer {
    let fields = generation.fields
    // What a header asks for and the file does not have is no reason for a large table.
    let length = min(CommitWord.length(generation.committed), generation.pointee.capacity)
    let indexed = min(fields.snapshotEnd, generation.pointee.capacity) + max(0, length - fields.historyEnd)
    var count = 1024
    while count * 64 < indexed { count *= 2 }
    return try .make(generation, slotCount: count)
  }
}

extension Store {
  /// Has `take` try one name after the other, of those under which the original of a damaged file is kept, while it answers EEXIST: an original that is kept is not replaced by another one
  /// of the same second. 0 or an errno.
  static func unusedAsideName(_ path: String, generation: UInt64, _ take: (String) -> Int32) -> Int32 {
    let suffix = ".damaged-\(generation)-\(scs_now_ns() / 1_000_000_000)"
    var error = take(Folders.sibling(of: path, suffix: suffix))
    var number = 1
    while error == EEXIST, number < 1000 {
      error = take(Folders.sibling(of: path, suffix: "\(suffix)-\(number)"))
      number += 1
    }
    return error
  }
}
