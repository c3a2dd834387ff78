import CSatchelSystem
import Glibc

/// Files of one kind, oldest first, as one stream of lines: those that leaders have written, or the direct ones of one number. What
/// stands behind newer lines than it is left out: `displaced` tells where it is.
final class FileSequence {
  /// A file as far as it is written when reading begins.
  struct File {
    let path: String
    let size: Int64
  }

  private let files: [File]
  private let isDirect: Bool
  private let takesRest: Bool
  private var index = 0
  private var reader: LineReader?
  /// Of the last record, whether in its place or not.
  private var last = Int64.min
  /// Of the newest record in its place.
  private var newest = Int64.min
  private(set) var head: LogLine?
  /// Behind the last line of each file, by path; known once all of it has been read.
  private(set) var ends: [String: Int64] = [:]

  /// `takesRest`: what stands behind the last line feed of a file is a line as well.
  init(_ files: [File], isDirect: Bool, takesRest: Bool) {
    self.files = files
    self.isDirect = isDirect
    self.takesRest = takesRest
  }

  func advance() {
    while let text = nextText() {
      let line = LogLine(text, after: last)
      last = line.time
      if isDisplaced(line) { continue }
      head = line
      return
    }
    head = nil
  }

  /// Where lines are that are not in their place, and the prints of repeats. Reads all of it, and leaves it at its beginning.
  func displaced() -> (spots: [LineSpot], repeats: [UInt64]) {
    var found: (spots: [LineSpot], repeats: [UInt64]) = ([], [])
    while let text = nextText() {
      guard isDirect || LogLine.mayBeMarked(text) else { continue }
      let line = LogLine(text, after: last)
      last = line.time
      if line.head.mark == .repeated, let print = line.print { found.repeats.append(print) }
      guard isDisplaced(line), let reader else { continue }
      found.spots.append(
        LineSpot(
          time: line.time, path: files[index].path, start: reader.position - Int64(text.count), count: text.count))
    }
    (index, reader, last, newest) = (0, nil, .min, .min)
    return found
  }

  /// Leaders say so themselves; and where the clock was set back, their lines stay in the order that they were written in. Programs
  /// that write directly do not know of each other.
  private func isDisplaced(_ line: LogLine) -> Bool {
    if line.format == nil { return false }
    guard isDirect else { return line.head.mark == .late || line.head.mark == .recorded }
    if line.time < newest { return true }
    newest = line.time
    return false
  }

  private func nextText() -> UnsafeRawBufferPointer? {
    while index < files.count {
      if reader == nil { reader = LineReader(path: files[index].path, to: files[index].size) }
      if let text = reader?.next(takesRest: takesRest) { return text }
      if let reader { ends[files[index].path] = reader.position }
      reader = nil
      index += 1
    }
    return nil
  }
}

/// Where a line is that is read again later.
struct LineSpot {
  let time: Int64
  let path: String
  let start: Int64
  let count: Int

  /// nil where the file has gone meanwhile.
  func read() -> LogLine? {
    guard let reader = LineReader(path: path, from: start, to: start + Int64(count)) else { return nil }
    // What it gives is lent: it has to live until the line has been copied.
    return withExtendedLifetime(reader) { reader.next(takesRest: true).map { LogLine($0, after: time) } }
  }
}
