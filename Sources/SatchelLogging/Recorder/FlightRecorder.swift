import CSatchelSystem
import Glibc
import SatchelSystem

/// Keeps the last records that are for nobody's eyes yet, of all processes: they come into the file only when an alert, or worse,
/// asks what went before it. Leaders write it, one at a time; it lies in a file, so that it outlives them.
struct FlightRecorder {
  static let size = 1 << 20

  private enum Place {
    static let magic = 0
    /// Positions, counted from the beginning of time: where the next record goes, the oldest that is there, and up to where all
    /// have been told.
    static let head = 8
    static let oldest = 16
    static let told = 24
    static let room = 4096
  }
  private static let magic: UInt64 = 0x3152_4745_5243_4C53

  private let header: UnsafeMutableRawPointer
  private let data: UnsafeMutableRawPointer

  /// nil where it cannot be had: a log does without.
  init?(_ directory: LogDirectory) {
    guard let header = FlightRecorder.map(directory.livePath + "/recorder", Place.room),
      let data = FlightRecorder.map(directory.livePath + "/recorder.data", FlightRecorder.size)
    else { return nil }
    self.header = header
    self.data = data
    if header.load(as: UInt64.self) != FlightRecorder.magic || !isSound {
      memset(header, 0, Place.room)
      header.storeBytes(of: FlightRecorder.magic, as: UInt64.self)
    }
  }

  /// Twice in a row, as rings are.
  private static func map(_ path: String, _ size: Int) -> UnsafeMutableRawPointer? {
    let file = scs_open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var identity = scs_file_identity()
    guard scs_identify(file, nil, &identity) == 0 else { return nil }
    if identity.size < UInt64(size), FileSystem.allocate(file, from: 0, to: size) != 0 { return nil }
    return scs_map_twice(file, size)
  }

  func unmap() {
    munmap(header, 2 * Place.room)
    munmap(data, 2 * FlightRecorder.size)
  }

  private func position(_ place: Int) -> UInt64 { header.load(fromByteOffset: place, as: UInt64.self) }
  private func set(_ place: Int, _ value: UInt64) { header.storeBytes(of: value, toByteOffset: place, as: UInt64.self) }

  private var isSound: Bool {
    let head = position(Place.head)
    let oldest = position(Place.oldest)
    return oldest <= head && head - oldest <= UInt64(FlightRecorder.size) && position(Place.told) <= head
  }

  var head: UInt64 { position(Place.head) }
  var hasUntold: Bool { position(Place.told) < head }

  /// A batch was given up, and with it what it had brought here.
  func cut(to head: UInt64) {
    set(Place.head, max(head, position(Place.oldest)))
    if position(Place.told) > head { set(Place.told, head) }
  }

  /// The oldest make room.
  func append(_ record: RecordReader) {
    let size = UInt64(record.size)
    let head = self.head
    var oldest = position(Place.oldest)
    while head + size - oldest > UInt64(FlightRecorder.size) {
      guard let first = reader(at: oldest, until: head) else {
        oldest = head
        break
      }
      oldest += UInt64(first.size)
    }
    set(Place.oldest, oldest)
    memcpy(data + Int(head % UInt64(FlightRecorder.size)), record.start, record.size)
    set(Place.head, head + size)
  }

  private func reader(at position: UInt64, until end: UInt64) -> RecordReader? {
    RecordReader(
      UnsafeRawPointer(data) + Int(position % UInt64(FlightRecorder.size)), room: Int(min(end - position, 1 << 16)))
  }

  /// Gives what has not been told, oldest first, as long as `body` wants it.
  func forEachUntold(_ body: (RecordReader) -> Bool) {
    let head = self.head
    var position = max(position(Place.told), position(Place.oldest))
    while position < head, let record = reader(at: position, until: head), body(record) {
      position += UInt64(record.size)
    }
  }

  func setTold(_ position: UInt64) { set(Place.told, position) }
}
