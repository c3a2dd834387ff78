// Reads a domain that others write too, changes it, and says who wrote what.
import Satchel

let settings = try Settings(domain: CommandLine.arguments.dropFirst().first ?? "org.example.player")

/// One line: the key, its value, the revision that set it and the program that did.
func show(_ key: String) throws {
  guard let value = try settings.value(for: key), let info = try settings.info(for: key) else { return }
  print(
    "  Swift reads ", padded(key, 12), padded(try value.text, 36), "revision", padded("\(info.revision)", 3), "by",
    info.program)
}

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

try show("PRETTY_NAME")
try show("volume")
try show("lastWriter")

let volume = try settings.get("volume", as: Double.self) ?? 0
try settings.transaction { change in
  try change.set(volume + 0.25, for: "volume")
  try change.set("a Swift program", for: "lastWriter")
}
let plays = try settings.add("plays", 1)
print("  Swift writes volume \(volume + 0.25), lastWriter, plays \(plays); now at revision \(try settings.revision)")
