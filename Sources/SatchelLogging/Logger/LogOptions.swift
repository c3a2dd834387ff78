/// How a log is to be opened. What is nil stays as it is, or is the default.
public struct LogOptions: Sendable {
  /// The folder of the files; nil: `$XDG_STATE_HOME/satchel/logs/<app>`.
  public var directory: String?
  /// The least severity that is written; nil: what `SATCHEL_LOG` says, else info.
  public var level: Severity?
  /// The least severity that is shown on the console; nil: notice.
  public var console: Severity?
  public var showsOnConsole = true
  /// From this severity on, what is not written is kept in memory, and comes into the file when an alert follows; nil: none is.
  public var recorder: Severity?
  /// Of the files, for all processes.
  public var format: FileFormat?
  /// Of a file, in bytes, for all processes; 0: none.
  public var maximumSize: UInt64?
  /// After which files are deleted, for all processes; 0: never.
  public var retentionDays: Int?
  /// Secrets that tell themselves by their form, or by the name before them, are taken out of text. Once for each log of a process.
  public var redacts = true
  /// A thread of this process leads where nobody else does.
  public var standsByToLead = true

  public init() {}
}
