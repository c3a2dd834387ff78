import SatchelSettings
import SatchelSystem

/// Damaged keys are not among the entries of a domain; a listing without them would pass for the whole.
enum Damage {
  /// Says which keys are missing. `corrupt` where there are any.
  static func report(_ settings: Settings) throws(Failure) -> ExitCode {
    let health = try calling { () throws(SatchelError) in try settings.health() }
    if health.corruptKeys.isEmpty, !health.isDegraded { return .done }
    for key in health.corruptKeys {
      let name = key?.shortened ?? "a key whose name is lost"
      Diagnostics.say("\(settings.domain): \(name): its newest record is damaged")
    }
    if health.isDegraded { Diagnostics.say("\(settings.domain): any key may hold an older value") }
    Diagnostics.say("\(settings.domain): see satchel doctor \(settings.domain)")
    return .corrupt
  }
}
