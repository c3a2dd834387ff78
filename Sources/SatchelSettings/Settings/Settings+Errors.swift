import Glibc
import SatchelSystem
import Synchronization

extension StorePointer {
  /// The error for a code of the store: what happened, to which key of which domain, and what to do about it.
  package func failure(_ code: SatchelError.Code, key: String? = nil, _ request: Request? = nil) -> SatchelError {
    let sentence = key.flatMap { reason(of: code, $0, request) } ?? explanation(of: code, key)
    return SatchelError(code, sentence, domain: pointee.domain, path: pointee.path, key: key)
  }

  /// The same of the whole domain: what cannot be done, and why.
  func failure(_ code: SatchelError.Code, cannot action: String) -> SatchelError {
    failure(code, "cannot \(action): \(explanation(of: code, nil))")
  }

  private func explanation(of code: SatchelError.Code, _ key: String?) -> String {
    switch code {
    case .notFound: "there is no such key"
    case .type: "the value has another type"
    case .invalid: "a key is 1 to 1024 bytes of UTF-8 without NUL"
    case .range:
      "beyond a limit: keys have up to 1024 bytes, values up to 16 MiB, transactions up to 64 MiB; numbers must fit their type"
    case .corrupt where hasForeignFile:
      "what stands at \(pointee.path) now is not a settings file, or its header is destroyed; nothing was changed: move it away, or put a sound copy in its place"
    case .corrupt:
      "its newest record is damaged; write it again, or run `satchel doctor \(pointee.domain) --accept \(key?.shellWord ?? "KEY")`"
    case .locked: "another container holds the lock; its processes cannot be judged from here"
    case .timeout: "others held the lock all the time that was allowed\(holder)"
    case .denied: "no permission to write \(pointee.path)"
    case .readOnly:
      pointee.options.isReadOnly ? "opened for reading only" : "the file system of \(pointee.path) is read-only"
    case .full: "no room for \(pointee.path): the disk, a quota or a file-size limit is full; nothing was written"
    case .conflict: "it was changed by somebody else"
    case .busy: "this thread is inside a transaction on this handle: write through the transaction"
    case .io where pointee.hasFailedToSync.load(ordering: .relaxed):
      "a write could not be put on disk: it is visible to others, but a power cut may take it; close and open \(pointee.path) again"
    case .io: "the system could not read or write \(pointee.path)"
    default: code.text
    }
  }

  /// What another program has put under the name cannot be followed. A sound file there is: it says nothing of this one's damage.
  private var hasForeignFile: Bool {
    let generation = retainGeneration()
    defer { generation.release() }
    return !generation.isAt(pointee.path) && leadsToForeignFile
  }

  /// Throws unless `code` is nil.
  @inline(__always)
  func check(_ code: SatchelError.Code?, _ key: String?, _ request: Request? = nil) throws(SatchelError) {
    if let code { throw failure(code, key: key, request) }
  }
}
