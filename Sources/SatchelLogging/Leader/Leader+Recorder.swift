import CSatchelSystem

/// What went before an alert: the flight recorder's records come into the file just before it.
extension Leader {
  /// The story takes what a batch has room for; a batch that is well filled ends before it.
  func hasRoomForStory(before record: RecordReader, _ batch: Batch) -> Bool {
    guard record.severity.isUrgent, !record.isForRecorder, let recorder, recorder.hasUntold else { return true }
    return batch.told != nil || batch.bytes < ControlLayout.batchLimit / 8
  }

  mutating func tellStory(_ batch: inout Batch) {
    guard let recorder, recorder.hasUntold, batch.told == nil else { return }
    var chapters = lengths(recorder, batch.end)
    choose(&chapters, room: ControlLayout.batchLimit - ControlLayout.batchLimit / 8)
    var end = batch.end
    var index = 0
    recorder.forEachUntold { record in
      defer { index += 1 }
      guard chapters[index].isTold else { return true }
      end = renderer.line(record, clock.time(of: record.tick), .recorded, end)
      batch.lines += 1
      return true
    }
    batch.end = end
    batch.told = recorder.head
  }

  /// A record that may be told.
  private struct Chapter {
    let thread: UInt64
    let length: Int
    var isTold = false
  }

  /// How long each line is, found out by writing it where there is room for one.
  private mutating func lengths(_ recorder: FlightRecorder, _ place: UnsafeMutableRawPointer) -> [Chapter] {
    var chapters: [Chapter] = []
    recorder.forEachUntold { record in
      let length = renderer.line(record, clock.time(of: record.tick), .recorded, place) - place
      chapters.append(Chapter(thread: UInt64(record.pid) << 32 | UInt64(record.tid), length: length))
      return true
    }
    return chapters
  }

  /// Of a long story the end is told, but the last lines of every thread come first: of one that has been quiet for long too.
  private func choose(_ chapters: inout [Chapter], room: Int) {
    var room = room
    var counts: [UInt64: Int] = [:]
    for index in chapters.indices.reversed() {
      counts[chapters[index].thread, default: 0] += 1
      if counts[chapters[index].thread, default: 0] <= Leader.lastLines { tell(&chapters[index], &room) }
    }
    for index in chapters.indices.reversed() where !chapters[index].isTold {
      guard tell(&chapters[index], &room) else { return }
    }
  }

  private static var lastLines: Int { 16 }

  /// False where there is no room.
  @discardableResult
  private func tell(_ chapter: inout Chapter, _ room: inout Int) -> Bool {
    guard chapter.length <= room else { return false }
    room -= chapter.length
    chapter.isTold = true
    return true
  }
}
