import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// Where the log of an app lies, for those who read it.
package struct LogPlace: Sendable, Hashable {
  package let app: String
  package let folder: String

  /// `folder` nil: where logs of that name are. Throws where there is none.
  package init(app: String, folder: String?) throws(SatchelError) {
    guard LogFileName.isApp(app) else {
      throw SatchelError(.invalid, "no name of an app: A-Z a-z 0-9 . _ - without a leading dot", domain: app)
    }
    self.app = app
    self.folder = if let folder { folder } else { try LogPlace.root() + "/" + app }
    var info = stat()
    guard stat(self.folder, &info) == 0 else {
      let error = errno
      if error == ENOENT || error == ENOTDIR { throw absent }
      throw SatchelError(errno: error, "cannot look at", path: self.folder)
    }
    if !isLive, try listing().files.isEmpty { throw absent }
  }

  private var absent: SatchelError { SatchelError(.notFound, "there is no log", domain: app, path: folder) }

  private static func root() throws(SatchelError) -> String { try Folders.state() + "/logs" }

  /// Every app that has a log where logs are.
  package static func apps() throws(SatchelError) -> [String] {
    let root = try root()
    guard let stream = opendir(root) else {
      if errno == ENOENT { return [] }
      throw SatchelError(errno: errno, "cannot read the folder", path: root)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if LogFileName.isApp(name) { names.append(name) }
    }
    return names.sorted()
  }

  /// A program has logged here, or does.
  private var isLive: Bool { access("\(folder)/.\(app).live/ctl", F_OK) == 0 }

  func path(_ name: LogFileName) -> String { folder + "/" + name.text }

  package func listing() throws(SatchelError) -> LogFiles.Listing {
    try inFolder { files throws(SatchelError) in try files.list() }
  }

  /// The files of that app, as long as `body` runs.
  package func inFolder<R>(_ body: (LogFiles) throws(SatchelError) -> R) throws(SatchelError) -> R {
    let descriptor = scs_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else {
      throw SatchelError(errno: -descriptor, "cannot read the log directory", path: folder)
    }
    defer { close(descriptor) }
    return try body(LogFiles(directory: descriptor, app: app))
  }

  /// What lies in memory comes into the file first, where that can be had: a reader without permission reads what is there.
  package func settle() {
    guard isLive, let directory = try? LogDirectory.open(app: app, path: folder) else { return }
    directory.settleAll(patience: 200_000_000)
  }
}

extension LogDirectory {
  /// Waits until what all processes have written up to now is in the file. A leader that stands still is not waited for.
  func settleAll(patience: Int64) {
    let heads = (0..<ControlLayout.slots).map { control.head($0).pointee.load(ordering: .acquiring) }
    func isSettled() -> Bool {
      heads.indices.allSatisfy { Int64(bitPattern: control.committedTail($0) &- heads[$0]) >= 0 }
    }
    var deadline = Deadline(timeout: patience)
    while !isSettled(), !leadBriefly(until: isSettled), !deadline.hasPassed {
      control.urgent.pointee.add(1, ordering: .sequentiallyConsistent)
      control.wakeLeader(urgently: true)
      control.commitSleep.sleepTogether(nanoseconds: 1_000_000, unless: isSettled)
    }
  }
}
