/// The words that can stand behind `satchel`, in the order of the help. Only the row that is asked for is made.
enum CommandName: String, CaseIterable {
  case get, set, unset, add, list, domains
  case importing = "import"
  case exporting = "export"
  case doctor, compact, help

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
    case .help: .help
    }
  }
}
