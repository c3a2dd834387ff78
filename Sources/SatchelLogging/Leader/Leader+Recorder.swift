/// What went before an alert: the flight recorder's records come into the file just before it.
extension Leader {
  /// The story takes what a batch has room for; a batch that is well filled ends before it.
  func hasRoomForStory(before record: RecordReader, _ batch: Batch) -> Bool {
    guard record.severity.isUrgent, !record.isForRecorder, let recorder, recorder.hasUntold else { return true }
    return batch.told != nil || batch.bytes < ControlLayout.batchLimit / 8
  }

  mutating func tellStory(_ batch: inout Batch) {
    guard let recorder, recorder.hasUntold, batch.told == nil else { return }
    var end = batch.end
    var skipped = storyToSkip(recorder)
    recorder.forEachUntold { record in
      if skipped > 0 {
        skipped -= 1
        return true
      }
      guard end - batch.start + FileRenderer.worstCase(record.size) < ControlLayout.batchLimit else { return false }
      end = renderer.line(record, clock.time(of: record.tick), .recorded, end)
      batch.lines += 1
      return true
    }
    batch.end = end
    batch.told = recorder.head
  }

  /// Of a long story the end is told.
  private func storyToSkip(_ recorder: FlightRecorder) -> Int {
    var sizes: [Int] = []
    recorder.forEachUntold { record in
      sizes.append(FileRenderer.worstCase(record.size))
      return true
    }
    var room = ControlLayout.batchLimit - ControlLayout.batchLimit / 8
    var told = 0
    for size in sizes.reversed() {
      room -= size
      if room < 0 { break }
      told += 1
    }
    return sizes.count - told
  }
}
