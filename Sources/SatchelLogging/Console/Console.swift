import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// The console of this process: its callers wait until a record is shown. Whoever reads may go away; the program does not mind.
public enum Console {
  /// What is made once a process and read without a lock; it is never freed, since somebody may be reading it.
  private struct Present {
    let options: ConsoleOptions
    let renderer: ConsoleRenderer
    /// Nobody reads any more: the pipe is broken, the descriptor closed.
    let isBroken = Word.allocate()
  }

  private struct Shared: @unchecked Sendable {
    let present = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 1)
    /// Keeps the entries of threads apart.
    let lock: Word?

    init() {
      present.initialize(to: Atomic(0))
      lock = scs_wiped_room(4096).map { UnsafeRawPointer($0).word(at: 0) }
    }
  }
  private static let shared = Shared()

  /// As the library is loaded: see `LogDirectory.prepare`.
  static func prepare() { _ = shared }

  /// A copy; what is changed counts once it is set.
  public static var options: ConsoleOptions {
    get { present.pointee.options }
    set { shared.present.pointee.store(UInt(bitPattern: make(newValue)), ordering: .releasing) }
  }

  private static var present: UnsafePointer<Present> {
    let known = shared.present.pointee.load(ordering: .acquiring)
    if let present = UnsafePointer<Present>(bitPattern: known) { return present }
    let fresh = make(ConsoleOptions())
    _ = shared.present.pointee.compareExchange(
      expected: 0, desired: UInt(bitPattern: fresh), ordering: .acquiringAndReleasing)
    return UnsafePointer(bitPattern: shared.present.pointee.load(ordering: .acquiring)) ?? fresh
  }

  private static func make(_ options: ConsoleOptions) -> UnsafePointer<Present> {
    let isTerminal = isatty(options.stream.rawValue) == 1
    let byCircumstances = ColourChoice.hasColour(isTerminal: isTerminal) { name in
      getenv(name).map { String(cString: $0) }
    }
    let renderer = ConsoleRenderer(
      header: options.header, markers: options.isASCII ? .ascii : .symbols,
      hasColour: options.hasColour ?? byCircumstances, hasBlankLine: options.hasBlankLines)
    let place = UnsafeMutablePointer<Present>.allocate(capacity: 1)
    place.initialize(to: Present(options: options, renderer: renderer))
    return UnsafePointer(place)
  }

  /// Shows a complete record.
  static func show(_ record: UnsafeMutableRawPointer, _ directory: LogDirectory) {
    let present = present
    guard present.pointee.isBroken.pointee.load(ordering: .relaxed) == 0,
      let reader = RecordReader(record, room: Int(record.load(as: UInt32.self)))
    else { return }
    let size = TextRenderer.worstCase(reader.size)
    // Most of it is never touched.
    let place = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let entry = place, entry != MAP_FAILED else { return }
    defer { munmap(entry, size) }
    let category = directory.control.categoryName(reader.category)
    let end = present.pointee.renderer.render(reader, time: scs_now_ns(), category: category, into: entry)
    write(entry, end - entry, present)
  }

  private static func write(_ entry: UnsafeMutableRawPointer, _ count: Int, _ present: UnsafePointer<Present>) {
    let stream = present.pointee.options.stream.rawValue
    let locked = shared.lock.flatMap { ThreadLock.holding($0) { scs_write_console(stream, entry, count) } }
    // In a handler that has interrupted another entry, or behind one that cannot be written, there is no order to keep.
    let error = locked ?? scs_write_console(stream, entry, count)
    if error == EPIPE || error == EBADF { present.pointee.isBroken.pointee.store(1, ordering: .relaxed) }
  }
}
