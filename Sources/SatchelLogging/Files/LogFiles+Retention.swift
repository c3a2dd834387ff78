import Glibc
import SatchelSystem

/// For how long log files are kept. 0: for ever.
package struct LogRetention: Sendable, Equatable {
  /// Files of more than so many days before today go. What counts is the day in the name.
  package var days = 0
  /// Of more than so many bytes together the oldest files go.
  package var bytes: Int64 = 0

  package init(days: Int = 0, bytes: Int64 = 0) {
    self.days = days
    self.bytes = bytes
  }
}

extension LogFiles.Listing {
  /// The files that are too old, oldest first; never the active one, and never somebody else's.
  package func expired(olderThan days: Int, today: CivilDate, active: LogFileName?) -> [LogFiles.File] {
    guard days > 0 else { return [] }
    return files.reversed().filter { file in
      file.isOurs && file.name != active && today.daysSince1970 - file.name.date.daysSince1970 > days
    }
  }

  /// The oldest files beyond so many bytes of all that are ours, oldest first; never the active one, nor a direct one that somebody
  /// may still be writing to, though they count.
  package func excess(over bytes: Int64, today: CivilDate, active: LogFileName?) -> [LogFiles.File] {
    guard bytes > 0 else { return [] }
    let ours = files.reversed().filter(\.isOurs)
    // What a sparse file claims may be as much as there are numbers.
    var total = ours.reduce(Int64(0)) { $1.size > .max - $0 ? .max : $0 + $1.size }
    return ours.filter { file in
      guard total > bytes, file.name != active, !file.name.mayBeWritten(today) else { return false }
      total -= file.size
      return true
    }
  }
}

extension LogFileName {
  /// Direct files are written by everybody, and by those who have not yet noticed that it is past midnight.
  fileprivate func mayBeWritten(_ today: CivilDate) -> Bool {
    isDirect && date.daysSince1970 >= today.daysSince1970 - 1
  }
}

extension LogFiles {
  package struct Removal: Sendable {
    package var removed: [LogFileName] = []
    package var failed: [Failure] = []
  }

  /// Removes what is too old, then what is too much. `active` is the file that is being written.
  package func prune(_ retention: LogRetention, today: CivilDate, active: LogFileName?) throws(SatchelError) -> Removal
  {
    guard retention != LogRetention() else { return Removal() }
    var listing = try list()
    let expired = listing.expired(olderThan: retention.days, today: today, active: active)
    var removal = remove(expired)
    let gone = Set(removal.removed)
    listing.files.removeAll { gone.contains($0.name) }
    let more = remove(listing.excess(over: retention.bytes, today: today, active: active))
    removal.removed += more.removed
    removal.failed += more.failed
    return removal
  }

  /// Removes files in the order given. What is gone already, or has become somebody else's, is passed over.
  package func remove(_ files: [File]) -> Removal {
    var removal = Removal()
    for name in files.map(\.name) {
      guard let error = remove(name) else { continue }
      if error == 0 {
        removal.removed.append(name)
      } else {
        removal.failed.append(Failure(name: name, error: error))
      }
    }
    return removal
  }

  /// 0 or an errno; nil where there is nothing of ours.
  private func remove(_ name: LogFileName) -> Int32? {
    switch inspect(name) {
    case .absent, .file(_, isOurs: false): return nil
    case .unreadable(let error): return error
    case .file(let info, isOurs: true):
      // Whatever has been put in its place since then stays.
      guard let now = regularFile(name), LogFiles.isSame(info, now) else { return nil }
      guard unlinkat(directory, name.text, 0) != 0 else { return 0 }
      return errno == ENOENT ? nil : errno
    }
  }
}
