import CSatchelSystem
import Glibc
import SatchelSystem

/// The way of a record that the leader cannot be waited for, or that is too long for a ring: one line, one write(2), into a file
/// beside the log that belongs to its writer for that moment.
enum DirectFile {
  private static let limit = 64

  /// False where it could not be written; then nothing of it is there.
  static func write(_ record: UnsafeMutableRawPointer, _ mark: LineMark, _ directory: LogDirectory) -> Bool {
    let size = Int(record.load(as: UInt32.self))
    guard let reader = RecordReader(record, room: size) else { return false }
    // Most of it is never touched.
    let room = FileRenderer.worstCase(size)
    let place = mmap(nil, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let line = place, line != MAP_FAILED else { return false }
    defer { munmap(line, room) }
    let clock = TickClock(directory.control)
    let time = clock.time(of: reader.tick)
    var renderer = FileRenderer(directory)
    let end = renderer.line(reader, time, mark, line)
    guard let file = open(directory, renderer.day(of: time)) else { return false }
    defer { close(file) }
    return append(file, line, end - line)
  }

  /// The first file of the day that nobody writes to. What a killed writer has left half written is closed by a line end.
  private static func open(_ directory: LogDirectory, _ day: Int32) -> Int32? {
    for number in 1...limit {
      let place = FilePlace(day: day, number: UInt32(number))
      let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
      let file = directory.withPath(of: place, isDirect: true) { scs_open($0, flags, 0o600) }
      guard file >= 0 else { return nil }
      let error = number < limit ? scs_ofd_lock(file, 0, true) : scs_ofd_lock_waiting(file, 0)
      if error == 0 {
        closeLine(file)
        return file
      }
      close(file)
    }
    return nil
  }

  private static func closeLine(_ file: Int32) {
    let size = lseek(file, 0, SEEK_END)
    var last = UInt8(ascii: "\n")
    guard size > 0, pread(file, &last, 1, size - 1) == 1, last != UInt8(ascii: "\n") else { return }
    last = UInt8(ascii: "\n")
    _ = Glibc.write(file, &last, 1)
  }

  private static func append(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    let before = lseek(file, 0, SEEK_END)
    // Beyond that limit write(2) raises a signal that kills.
    guard scs_within_file_limit(Int64(before) + Int64(count)) else { return false }
    var done = 0
    while done < count {
      let written = Glibc.write(file, bytes + done, count - done)
      if written > 0 { done += written } else if written == 0 || errno != EINTR { break }
    }
    if done == count { return true }
    // No room: the part is taken back, the file being ours alone.
    if before >= 0, done > 0 { ftruncate(file, before) }
    return false
  }
}
