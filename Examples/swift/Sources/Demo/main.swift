// Reads a domain that others write too, changes it, and says who wrote what.
@preconcurrency import Glibc
import Satchel

func demo(_ domain: String) throws {
  let settings = try Settings(domain: domain)
  for key in ["PRETTY_NAME", "volume", "lastWriter"] { try show(key, settings) }

  let volume = try settings.get("volume", as: Double.self) ?? 0
  try settings.transaction { change in
    try change.set(volume + 0.25, for: "volume")
    try change.set("a Swift program", for: "lastWriter")
  }
  let plays = try settings.add("plays", 1)
  print("  Swift writes volume \(volume + 0.25), lastWriter, plays \(plays); now at revision \(try settings.revision)")
}

/// One line: the key, its value, the revision that set it and the program that did.
func show(_ key: String, _ settings: Settings) throws {
  guard let value = try settings.value(for: key), let info = try settings.info(for: key) else { return }
  print(
    "  Swift reads ", padded(key, 12), padded(try value.text, 36), "revision", padded("\(info.revision)", 3), "by",
    info.program)
}

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

do {
  try demo(CommandLine.arguments.dropFirst().first ?? "org.example.player")
} catch {
  fputs("swift-demo: \(error)\n", stderr)
  exit(3)
}
