import CSatchelSystem
import Glibc
import SatchelSystem

/// Reads what comes into the logs of apps as it comes: sleeps until a file in one of their folders changes, whatever becomes of the
/// files meanwhile.
package final class LogFollower {
  private let places: [LogPlace]
  private let watch: FolderWatch
  private var files: [FollowedFile] = []
  private var recent = RecentLines()

  /// Goes on where `reader` ends, which has been told that it is followed.
  package init(_ places: [LogPlace], behind reader: LogReader) throws(SatchelError) {
    self.places = places
    watch = try FolderWatch(places.map(\.folder))
    // Watched first: what comes between is read, and wakes once for nothing.
    try look(from: reader.ends)
  }

  /// Lines that have come since, by their times. Throws where a folder is no longer there.
  package func read() throws(SatchelError) -> [LogLine] {
    if watch.hasNames { try look(from: [:]) }
    var lines: [LogLine] = []
    for file in files { file.read(into: &lines) }
    let ordered = lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    return ordered.map(\.element).filter { recent.isNew($0) }
  }

  /// Sleeps until something has changed. False where nobody reads `output` any more.
  package func wait(output: Int32) -> Bool { watch.wait(output: output) }

  /// Takes files in that are new. Those that have lost their name may still be written to for a moment.
  private func look(from ends: [String: Int64]) throws(SatchelError) {
    for place in places {
      for file in try place.listing().files.reversed() {
        let path = place.path(file.name)
        guard let found = FollowedFile(path: path, from: ends[path] ?? 0) else { continue }
        if !files.contains(where: { $0.identity.isSame(as: found.identity) }) { files.append(found) }
      }
    }
    FollowedFile.forget(&files)
  }
}

/// A file that is read as it grows.
private final class FollowedFile {
  let identity: scs_file_identity
  private let reader: LineReader
  private var last = Int64.min
  /// The end of what was read last: a record has its time in it, so that there is no other like it.
  private var before: [UInt8] = []
  private static let remembered = 256

  init?(path: String, from start: Int64) {
    guard let reader = LineReader(path: path, from: start) else { return nil }
    var identity = scs_file_identity()
    guard scs_identify(reader.descriptor, nil, &identity) == 0 else { return nil }
    self.identity = identity
    self.reader = reader
  }

  private var present: scs_file_identity? {
    var present = scs_file_identity()
    return scs_identify(reader.descriptor, nil, &present) == 0 ? present : nil
  }

  func read(into lines: inout [LogLine]) {
    if wasCut { reader.seek(to: 0) }
    while let text = reader.next(takesRest: false) {
      let line = LogLine(text, after: last)
      last = line.time
      lines.append(line)
      before = Array(text.suffix(FollowedFile.remembered))
    }
  }

  /// Somebody has copied it and cut it; it may be as long again as it was. What was read last is then no longer where it was.
  private var wasCut: Bool {
    var found = [UInt8](repeating: 0, count: before.count)
    let count = pread(reader.descriptor, &found, found.count, off_t(reader.position) - off_t(found.count))
    return count != before.count || found != before || Int64(present?.size ?? 0) < reader.position
  }

  /// Of deleted files only the last few are read on: their leader may be in the middle of a batch.
  static func forget(_ files: inout [FollowedFile]) {
    let gone = files.filter { ($0.present?.links ?? 0) == 0 }.dropLast(4)
    files.removeAll { file in gone.contains { $0 === file } }
  }
}

/// Tells a repeat from the record that it repeats, among the last lines.
private struct RecentLines {
  private var lines: [LogLine] = []
  private var hasRepeats = false
  private static let limit = 1024

  mutating func isNew(_ line: LogLine) -> Bool {
    let isRepeat = line.head.mark == .repeated
    hasRepeats = hasRepeats || isRepeat
    if hasRepeats, lines.contains(where: { $0.isTwin(of: line) }) { return false }
    if lines.count >= 2 * RecentLines.limit { lines.removeFirst(RecentLines.limit) }
    lines.append(line)
    return true
  }
}

extension LogLine {
  fileprivate func isTwin(of other: LogLine) -> Bool {
    guard (head.mark == .repeated) != (other.head.mark == .repeated), head.pid == other.head.pid,
      abs(time - other.time) <= Repeats.tolerance
    else { return false }
    return print != nil && print == other.print
  }
}
