import CSatchelSystem
import SatchelSystem
import Synchronization

/// The mapped control file.
struct Control {
  let start: UnsafeMutableRawPointer

  var word: Word { at(ControlLayout.word) }
  var leaderSleep: SleepWord { SleepWord(word: half(ControlLayout.leaderSleep)) }
  var commitSleep: SleepWord { SleepWord(word: half(ControlLayout.commitSleep)) }
  var urgent: Word { at(ControlLayout.urgent) }
  var ringCount: Word { at(ControlLayout.ringCount) }
  var wantedOnDisk: Word { at(ControlLayout.wantedOnDisk) }
  var onDisk: Word { at(ControlLayout.onDisk) }
  var batch: UnsafeMutableRawPointer { start + ControlLayout.batch }

  var state: CommitState { CommitState(bits: word.pointee.load(ordering: .acquiring)) }

  func at(_ offset: Int) -> Word { UnsafeRawPointer(start).word(at: offset) }
  func half(_ offset: Int) -> HalfWord { UnsafeRawPointer(start).halfWord(at: offset) }

  /// Where the writer of a slot has come to.
  func head(_ slot: Int) -> Word { at(ControlLayout.ringHeaders + slot * ControlLayout.ringHeaderSize) }
  /// A copy of how far it has been committed, for its writer; it may be behind the truth.
  func tail(_ slot: Int) -> Word { at(ControlLayout.ringHeaders + slot * ControlLayout.ringHeaderSize + 64) }
  /// Records that the slot's writers dropped and that no record tells of yet.
  func lost(_ slot: Int) -> Word { at(ControlLayout.ringHeaders + slot * ControlLayout.ringHeaderSize + 8) }
  /// What lies before it was written before the machine was started last.
  func headOfEarlierBoot(_ slot: Int) -> Word {
    at(ControlLayout.ringHeaders + slot * ControlLayout.ringHeaderSize + 72)
  }
  func cell(_ slot: Int) -> UnsafeMutableRawPointer {
    start + ControlLayout.cells + (slot - ControlLayout.rings) * ControlLayout.cellSize
  }
  func commit(_ sequence: UInt64) -> Commit {
    Commit(start: start + ControlLayout.commits + Int(sequence & 1) * ControlLayout.commitSize)
  }

  /// How far a slot has been committed. Only the commit slot is the truth: a leader may die before it has copied it.
  func committedTail(_ slot: Int) -> UInt64 {
    while true {
      let before = state
      let tail = commit(before.sequence).tail(slot)
      scs_full_barrier()
      if state.sequence == before.sequence { return tail }
    }
  }

  func count(_ counter: Counter, _ more: UInt64 = 1) {
    at(ControlLayout.counters + counter.rawValue * 8).pointee.add(more, ordering: .relaxed)
  }
  func value(of counter: Counter) -> UInt64 {
    at(ControlLayout.counters + counter.rawValue * 8).pointee.load(ordering: .relaxed)
  }

  /// The leader looks after what is there; it does not let urgent records wait.
  func wakeLeader(urgently: Bool) { leaderSleep.wake(nappersToo: urgently) }
}

/// One of the two commit slots.
struct Commit {
  let start: UnsafeMutableRawPointer

  func tail(_ slot: Int) -> UInt64 {
    UnsafeRawPointer(tails + slot).word(at: 0).pointee.load(ordering: .relaxed)
  }
  var tails: UnsafeMutablePointer<UInt64> {
    (start + ControlLayout.Commit.tails).assumingMemoryBound(to: UInt64.self)
  }
  private func load(_ offset: Int) -> UInt64 { start.load(fromByteOffset: offset, as: UInt64.self) }
  private func store(_ value: UInt64, _ offset: Int) {
    start.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
  }

  /// The file that the batch goes to: device, inode and time of birth.
  var file: scs_file_identity {
    get {
      var identity = scs_file_identity()
      identity.device = load(ControlLayout.Commit.device)
      identity.inode = load(ControlLayout.Commit.inode)
      identity.birth = load(ControlLayout.Commit.birth)
      return identity
    }
    nonmutating set {
      store(newValue.device, ControlLayout.Commit.device)
      store(newValue.inode, ControlLayout.Commit.inode)
      store(newValue.birth, ControlLayout.Commit.birth)
    }
  }
  /// Where in the file the batch begins.
  var fileStart: UInt64 {
    get { load(ControlLayout.Commit.start) }
    nonmutating set { store(newValue, ControlLayout.Commit.start) }
  }
  var bytes: Int {
    get { Int(truncatingIfNeeded: load(ControlLayout.Commit.bytes)) }
    nonmutating set { store(UInt64(newValue), ControlLayout.Commit.bytes) }
  }
  /// The tick of the newest record so far.
  var newest: UInt64 {
    get { load(ControlLayout.Commit.newest) }
    nonmutating set { store(newValue, ControlLayout.Commit.newest) }
  }
  /// The name of the file: its day since 1970, and its number.
  var name: FilePlace {
    get {
      let bits = load(ControlLayout.Commit.day)
      return FilePlace(day: Int32(truncatingIfNeeded: bits), number: UInt32(truncatingIfNeeded: bits >> 32))
    }
    nonmutating set {
      store(UInt64(UInt32(bitPattern: newValue.day)) | UInt64(newValue.number) << 32, ControlLayout.Commit.day)
    }
  }
}

/// Which of an app's files: the day since 1970, and 0 or the number behind it.
struct FilePlace: Equatable {
  var day: Int32
  var number: UInt32
}

extension LogFileName {
  init(app: String, _ place: FilePlace) {
    self.init(app: app, date: CivilDate(daysSince1970: Int(place.day)), number: Int(place.number))
  }
}

/// What a log directory counts, for `doctor` and for tests.
enum Counter: Int, CaseIterable {
  case commits, lines, takeOvers, completed, abandoned, foreign, fenced, late, repeats, direct, dropped, damaged,
    reopened
  case waitsForDisk, leader
}
