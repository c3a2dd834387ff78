import SatchelLogging
import SatchelSystem
import SatchelValues

extension Flag {
  fileprivate static let apps = Flag("apps", summary: "print the names of all apps that have a log, and nothing else")
}

extension Command {
  static let logFiles = Command(
    id: .logFiles, summary: "print the files of a log, newest first",
    details: [
      "Prints name, size in bytes, and what a file is: active for the one that is written now, direct for one with lines that "
        + "programs had to write beside the log, foreign for one that is called as ours but does not begin as one, which is never "
        + "removed. Without APP the files of all logs are printed."
    ],
    operands: [Operand("APP", .any, .apps)], flags: [.json, .apps, .logFolder], exclusions: [[.json, .apps]],
    examples: [Example("satchel log files player", "prints player-2026-12-01.log 8192 active")],
    run: { arguments, output throws(Failure) in
      let apps = try calling { () throws(SatchelError) in try LogPlace.apps() }
      if arguments.has(.apps) {
        for app in apps { output.add(app + "\n") }
        return .done
      }
      var places = try arguments.places()
      if arguments.operands.isEmpty {
        for app in apps { if let place = try? arguments.place(app) { places.append(place) } }
      }
      try list(places, isJSON: arguments.has(.json), &output)
      return .done
    })

  private static func list(_ places: [LogPlace], isJSON: Bool, _ output: inout Output) throws(Failure) {
    var rows: [LogFileRow] = []
    for place in places { rows += LogFileRow.all(try calling { () throws(SatchelError) in try place.listing() }) }
    if isJSON {
      let value = Value.array(rows.map(\.value))
      return output.add(try calling { () throws(SatchelError) in try JSON.format(value, pretty: false) } + "\n")
    }
    let width = rows.map { $0.file.name.text.utf8.count }.max() ?? 0
    let digits = rows.map { String($0.file.size).utf8.count }.max() ?? 0
    for row in rows { output.add(row.line(width, digits)) }
  }
}

private struct LogFileRow {
  let file: LogFiles.File
  let isActive: Bool

  /// The active one is the newest that is no direct one.
  static func all(_ listing: LogFiles.Listing) -> [LogFileRow] {
    let active = listing.active
    return listing.files.map { LogFileRow(file: $0, isActive: $0.name == active) }
  }

  private var words: [String] {
    (isActive ? ["active"] : []) + (file.name.isDirect ? ["direct"] : []) + (file.isOurs ? [] : ["foreign"])
  }

  func line(_ width: Int, _ digits: Int) -> String {
    let (name, size) = (file.name.text, String(file.size))
    let gaps = (width - name.utf8.count + 2, digits - size.utf8.count)
    let text = name + String(repeating: " ", count: gaps.0 + gaps.1) + size
    return ([text] + words).joined(separator: " ") + "\n"
  }

  var value: Value {
    var row = ValueDictionary(minimumCapacity: 7)
    row.updateValue(.string(file.name.app), forKey: "app")
    row.updateValue(.string(file.name.text), forKey: "name")
    row.updateValue(.string(file.name.date.text), forKey: "day")
    row.updateValue(.int(file.size), forKey: "size")
    row.updateValue(.bool(isActive), forKey: "active")
    row.updateValue(.bool(file.name.isDirect), forKey: "direct")
    row.updateValue(.bool(!file.isOurs), forKey: "foreign")
    return .dictionary(row)
  }
}
