import CSatchelSystem
import Glibc
import SatchelSystem

extension Leader {
  /// Deletes what is too old or too much: once for each new leader, and whenever another file is begun.
  mutating func retireOldFiles() {
    guard owesRetention || file.isNew else { return }
    owesRetention = false
    file.isNew = false
    let folder = scs_open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard folder >= 0 else { return }
    defer { close(folder) }
    let configuration = directory.configuration
    let retention = LogRetention(days: configuration.retentionDays, bytes: Int64(clamping: configuration.keptBytes))
    let today = CivilDate(daysSince1970: Int(renderer.day(of: clock.now.wall)))
    let active = file.place.map { LogFileName(app: directory.app, $0) }
    _ = try? LogFiles(directory: folder, app: directory.app).prune(retention, today: today, active: active)
  }
}
