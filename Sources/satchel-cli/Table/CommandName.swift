/// The words that can stand behind `satchel`, in the order of the help: one, or two where the first names a group. Only the row
/// that is asked for is made.
enum CommandName: String, CaseIterable {
  case get, set, unset, add, list, domains
  case importing = "import"
  case exporting = "export"
  case doctor, compact
  case logWrite = "log write"
  case logShow = "log show"
  case logFollow = "log follow"
  case logFiles = "log files"
  case logLevel = "log level"
  case logExport = "log export"
  case logClear = "log clear"
  case help

  var command: Command {
    switch self {
    case .get: .get
    case .set: .set
    case .unset: .unset
    case .add: .add
    case .list: .list
    case .domains: .domains
    case .importing: .importing
    case .exporting: .exporting
    case .doctor: .doctor
    case .compact: .compact
    case .logWrite: .logWrite
    case .logShow: .logShow
    case .logFollow: .logFollow
    case .logFiles: .logFiles
    case .logLevel: .logLevel
    case .logExport: .logExport
    case .logClear: .logClear
    case .help: .help
    }
  }
}
