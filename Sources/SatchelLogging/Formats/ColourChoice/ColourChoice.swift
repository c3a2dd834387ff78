/// Whether a stream gets colours. Asked of each stream for itself: standard output may be a file while standard error is a terminal.
package enum ColourChoice {
  /// `variable` gives a variable of the environment. The first that says something decides: NO_COLOR (not empty) that there are
  /// none; FORCE_COLOR and CLICOLOR_FORCE (not empty, not 0) that there are; FORCE_COLOR=0, CLICOLOR=0 and a terminal that is called
  /// `dumb` or nothing at all that there are none. Otherwise a terminal has colours.
  package static func hasColour(isTerminal: Bool, variable: (String) -> String?) -> Bool {
    if isSet(variable("NO_COLOR")) { return false }
    let force = variable("FORCE_COLOR")
    if isOn(force) || isOn(variable("CLICOLOR_FORCE")) { return true }
    if force == "0" || variable("CLICOLOR") == "0" { return false }
    let terminal = variable("TERM")
    return isTerminal && isSet(terminal) && terminal != "dumb"
  }

  private static func isSet(_ value: String?) -> Bool { value.map { !$0.isEmpty } ?? false }
  private static func isOn(_ value: String?) -> Bool { isSet(value) && value != "0" }
}
