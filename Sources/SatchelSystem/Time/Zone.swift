import CSatchelSystem
import Glibc

/// A time zone of the machine's database: its rules, and what others find it by.
package struct Zone: Sendable {
  /// As in `Europe/London`; empty where it is not known.
  package let name: String
  package let rules: ZoneRules

  package static let utc = Zone(name: "", rules: .utc)

  /// Where systems keep the database.
  package static let folders = [
    "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
  ]

  private static let longestName = 64
  private static let longestFile = 64 << 10

  private init(name: String, rules: ZoneRules) {
    self.name = name
    self.rules = rules
  }

  /// The zone of that name; nil where there is none, or where the name is none of a zone and would lead out of the folders.
  package init?(named name: String, in folders: [String] = folders) {
    guard Zone.isName(name) else { return nil }
    for folder in folders {
      guard let rules = Zone.rules(at: folder + "/" + name) else { continue }
      self.init(name: name, rules: rules)
      return
    }
    return nil
  }

  /// The zone of the machine, whatever the variable TZ of this process says; UTC where it has none.
  package static func system(_ path: String = "/etc/localtime") -> Zone {
    guard let rules = rules(at: path) else { return utc }
    return Zone(name: name(of: path) ?? "", rules: rules)
  }

  /// What is behind the last `/zoneinfo/` of where a link ends.
  private static func name(of path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    let parts = String(cString: real).split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
    let name = parts[(folder + 1)...].joined(separator: "/")
    return isName(name) ? name : nil
  }

  private static func isName(_ name: String) -> Bool {
    guard name.utf8.count <= longestName else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
      part.first != UInt8(ascii: ".") && !part.isEmpty && part.allSatisfy(isInNames)
    }
  }

  private static func isInNames(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_-+.".utf8.contains(byte)
    }
  }

  private static func rules(at path: String) -> ZoneRules? {
    let descriptor = scs_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size <= longestFile else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(info.st_size))
    guard scs_pread_all(descriptor, &bytes, bytes.count, 0) == 0 else { return nil }
    return bytes.withUnsafeBytes { ZoneRules(tzif: $0) }
  }
}

extension Zone {
  /// One line of at most 161 bytes of ASCII, for others to go by: the name, and the rules as they are after the last change that
  /// the database knows, for a machine or container that has no such database.
  package var record: String { name.isEmpty ? rules.rule.text : name + " " + rules.rule.text }

  /// The zone that was recorded: by its name where that is known here, else by its rules; nil where neither is any.
  package init?(record: String, in folders: [String] = folders) {
    let parts = record.split(separator: " ", maxSplits: 1).map(String.init)
    guard let first = parts.first, let last = parts.last else { return nil }
    if let zone = Zone(named: first, in: folders) {
      self = zone
    } else if let rule = PosixZone(last) {
      self.init(name: parts.count > 1 && Zone.isName(first) ? first : "", rules: ZoneRules(rule))
    } else {
      return nil
    }
  }
}
