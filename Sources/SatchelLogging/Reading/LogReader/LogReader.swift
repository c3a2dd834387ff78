import SatchelSystem

/// The logs of apps as one stream of lines, oldest first: files of leaders and direct ones merged by time, late lines put where they
/// belong, repeats left out.
///
/// Memory holds a line of each file that is being read, and where those lines are that stand in the wrong place.
package final class LogReader {
  private var sequences: [FileSequence] = []
  private var spots: [LineSpot] = []
  private var spot: LogLine?
  private var nextSpot = 0
  private var repeats = Repeats()
  private let takesRest: Bool
  /// Where somebody who follows the files goes on, by path.
  private(set) var ends: [String: Int64] = [:]

  /// What the files hold now. Files of days before `since` (nanoseconds since 1970) are passed over. `isFollowed`: a line that is
  /// not complete yet is left to the follower.
  package init(_ places: [LogPlace], since: Int64? = nil, isFollowed: Bool = false) throws(SatchelError) {
    takesRest = !isFollowed
    // A day more, since it is not known by which zone they are named.
    let firstDay = since.map { Int($0.floored(by: 86_400_000_000_000).quotient) - 1 } ?? .min
    for place in places {
      let listing = try place.listing()
      if let failure = listing.unreadable.first {
        throw SatchelError(errno: failure.error, "cannot read", path: place.path(failure.name))
      }
      for file in listing.files { ends[place.path(file.name)] = file.size }
      let files = listing.files.reversed().filter { $0.name.date.daysSince1970 >= firstDay }
      add(files.filter { !$0.name.isDirect }, of: place, isDirect: false)
      let direct = Dictionary(grouping: files.filter(\.name.isDirect), by: \.name.number)
      for number in direct.keys.sorted() { add(direct[number] ?? [], of: place, isDirect: true) }
    }
    // Those of the same time stay in the order in which they were found.
    spots = spots.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    for sequence in sequences { sequence.advance() }
    advanceSpot()
  }

  private func add(_ files: [LogFiles.File], of place: LogPlace, isDirect: Bool) {
    if files.isEmpty { return }
    let sequence = FileSequence(
      files.map { FileSequence.File(path: place.path($0.name), size: $0.size) }, isDirect: isDirect,
      takesRest: takesRest)
    let (spots, repeats) = sequence.displaced()
    self.spots += spots
    self.repeats.expect(repeats)
    ends.merge(sequence.ends) { $1 }
    sequences.append(sequence)
  }

  private func advanceSpot() {
    spot = nil
    while spot == nil, nextSpot < spots.count {
      spot = spots[nextSpot].read()
      nextSpot += 1
    }
  }

  /// The next line; nil at the end.
  package func next() -> LogLine? {
    while let line = oldest() {
      if !repeats.isKnown(line) { return line }
    }
    return nil
  }

  private func oldest() -> LogLine? {
    var best: (sequence: FileSequence, line: LogLine)?
    for sequence in sequences {
      guard let line = sequence.head, line.time < best?.line.time ?? .max else { continue }
      best = (sequence, line)
    }
    if let spot, spot.time < best?.line.time ?? .max {
      advanceSpot()
      return spot
    }
    best?.sequence.advance()
    return best?.line
  }
}
