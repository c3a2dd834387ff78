import Glibc
import SatchelSystem

/// Changes of the files in some folders.
final class FolderWatch {
  private let descriptor: Int32
  /// A name has come, gone, or leads elsewhere since this was asked last.
  private var namesChanged = false

  private static let names = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_Q_OVERFLOW)
  private static let ends = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)

  init(_ folders: [String]) throws(SatchelError) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw SatchelError(errno: errno, "cannot watch files") }
    for folder in folders {
      try add(folder, FolderWatch.names | FolderWatch.ends | UInt32(IN_MODIFY))
      // Of a folder from which somebody has a file open, its removal is told there only.
      if let parent = Folders.parent(of: folder) { try? add(parent, UInt32(IN_DELETE | IN_MOVED_FROM | IN_MASK_ADD)) }
    }
  }

  private func add(_ folder: String, _ events: UInt32) throws(SatchelError) {
    guard inotify_add_watch(descriptor, folder, events) >= 0 else {
      throw SatchelError(errno: errno, "cannot watch", path: folder)
    }
  }

  deinit { close(descriptor) }

  /// Whether names have changed since it was asked last.
  var hasNames: Bool {
    take()
    defer { namesChanged = false }
    return namesChanged
  }

  private func take() {
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { room in
      guard let start = room.baseAddress else { return }
      while case let count = Glibc.read(descriptor, start, room.count), count > 0 {
        var at = 0
        while at + MemoryLayout<inotify_event>.size <= count {
          let event = (start + at).load(as: inotify_event.self)
          if event.mask & (FolderWatch.names | FolderWatch.ends) != 0 { namesChanged = true }
          at += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
  }

  /// False where nobody reads `output` any more.
  func wait(output: Int32) -> Bool {
    var ready = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: output, events: 0, revents: 0)]
    while poll(&ready, 2, -1) < 0, errno == EINTR {}
    return ready[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0
  }
}
