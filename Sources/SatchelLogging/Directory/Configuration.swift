import SatchelSystem
import Synchronization

/// How the files of a log directory are to be: kept in the control file, since whoever leads at the moment writes them for all.
/// Whoever says something explicitly changes it for all.
package struct Configuration {
  let control: Control

  private enum Place {
    static let maximumSize = 0
    static let retentionDays = 8
    static let keptBytes = 16
    static let format = 24
    static let formatOfFile = 32
  }
  private func word(_ offset: Int) -> Word { control.at(ControlLayout.configuration + offset) }
  private func load(_ offset: Int) -> UInt64 { word(offset).pointee.load(ordering: .relaxed) }
  private func store(_ value: UInt64, _ offset: Int) { word(offset).pointee.store(value, ordering: .relaxed) }

  /// A file that has come to so many bytes is followed by the next one of the day; 0: never.
  package var maximumSize: UInt64 {
    get { load(Place.maximumSize) }
    nonmutating set { store(newValue, Place.maximumSize) }
  }
  /// Files of days that are longer ago are deleted; 0: never.
  package var retentionDays: Int {
    get { Int(load(Place.retentionDays) & 0xff_ffff) }
    nonmutating set { store(UInt64(max(newValue, 0)), Place.retentionDays) }
  }
  /// The oldest files are deleted until all together have no more bytes; 0: never.
  package var keptBytes: UInt64 {
    get { load(Place.keptBytes) }
    nonmutating set { store(newValue, Place.keptBytes) }
  }
  package var format: FileFormat {
    get { FileFormat(rawValue: UInt8(truncatingIfNeeded: load(Place.format))) ?? .text }
    nonmutating set { store(UInt64(newValue.rawValue), Place.format) }
  }

  /// How the present file is written.
  var formatOfFile: FileFormat {
    get { FileFormat(rawValue: UInt8(truncatingIfNeeded: load(Place.formatOfFile))) ?? .text }
    nonmutating set { store(UInt64(newValue.rawValue), Place.formatOfFile) }
  }

  /// A week, files of at most 64 MiB, a gibibyte in all.
  func reset() {
    maximumSize = 64 << 20
    retentionDays = 7
    keptBytes = 1 << 30
    format = .text
  }
}

extension LogDirectory {
  package var configuration: Configuration { Configuration(control: control) }
}

/// How records are written into files.
public enum FileFormat: UInt8, CaseIterable, Sendable {
  case text = 0
  case json = 1
  case logfmt = 2
}
