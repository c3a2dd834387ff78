// swift-tools-version: 6.0
import PackageDescription

// Linking flags of the shipped library and command apply only when a script asks for them; otherwise they would reach
// test bundles and every dependant and break them.
let shipping = Context.environment["SATCHEL_SHIP"] == "1"
// Named points at which a test may kill the process; compiled out everywhere else.
let faults = Context.environment["SATCHEL_FAULTS"] == "1"

// The containers look after each change whether all of it hangs together: far slower, for tests only.
let checks = Context.environment["SATCHEL_CHECKS"] == "1"

let libraryFlags: [LinkerSetting] =
  shipping
  ? [
    .unsafeFlags([
      "-static-stdlib", "-Xlinker", "--version-script=\(Context.packageDirectory)/.build/satchel.map",
      "-Xlinker", "-soname=libsatchel.so.0", "-Xlinker", "-z", "-Xlinker", "nodelete", "-Xlinker", "--gc-sections",
      "-Xlinker", "-Bsymbolic",
    ])
  ] : []
let commandFlags: [LinkerSetting] = shipping ? [.unsafeFlags(["-static-executable"])] : []
let strict: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny")] + (faults ? [.define("SATCHEL_FAULTS")] : [])
  + (checks ? [.define("SATCHEL_CHECKS")] : [])
let shim: [CSetting] =
  (faults ? [.define("SATCHEL_FAULTS")] : []) + (shipping ? [.define("SATCHEL_STATIC_RUNTIME")] : [])

let package = Package(
  name: "satchel",
  products: [
    .library(name: "Satchel", targets: ["Satchel"]),
    .library(name: "SatchelCollections", targets: ["SatchelCollections"]),
    .library(name: "SatchelFoundation", targets: ["SatchelFoundation"]),
    .library(name: "satchel", type: .dynamic, targets: ["SatchelABI"]),
    .executable(name: "satchel-cli", targets: ["satchel-cli"]),
  ],
  targets: [
    // The public C headers, as a Swift module: what SatchelABI implements and the compiler checks it against.
    .systemLibrary(name: "CSatchel", path: "include"),
    // What Swift cannot say: variadic system calls, initial-exec thread locals, the CRC instruction.
    .target(name: "CSatchelSystem", cSettings: shim),
    // The machine below: errors, files, locks, futexes, identity of processes, hashing, well-known folders. What is `public`
    // here is meant for the modules above only: the compiler inlines no `package` function into another module.
    .target(name: "SatchelSystem", dependencies: ["CSatchelSystem"], swiftSettings: strict),
    // Containers, usable alone: what is ordered, what is weak, values associated with objects.
    .target(name: "SatchelCollections", dependencies: ["SatchelSystem", "CSatchelSystem"], swiftSettings: strict),
    // What a setting can hold, how it converts, and its codecs: CBOR on disk; JSON and dotenv at the edges.
    .target(name: "SatchelValues", dependencies: ["SatchelSystem", "SatchelCollections"], swiftSettings: strict),
    // The domain store: format, engine, and the Swift interface on it.
    .target(
      name: "SatchelSettings",
      dependencies: ["SatchelSystem", "SatchelCollections", "SatchelValues", "CSatchelSystem"],
      swiftSettings: strict),
    // The logger: front end, rings, leader, files, formats.
    .target(
      name: "SatchelLogging", dependencies: ["SatchelSystem", "SatchelCollections", "SatchelValues", "CSatchelSystem"],
      swiftSettings: strict),
    // The umbrella for Swift users.
    .target(
      name: "Satchel", dependencies: ["SatchelSettings", "SatchelLogging", "SatchelValues", "SatchelCollections"],
      swiftSettings: strict),
    // For Swift programs that have Foundation anyway: Date, Data, URL, UUID, Codable. Nothing else may import Foundation.
    .target(name: "SatchelFoundation", dependencies: ["Satchel"], swiftSettings: strict),
    // One exported function for each declaration in include/; it converts and decides nothing.
    .target(
      name: "SatchelABI",
      dependencies: ["Satchel", "SatchelSystem", "SatchelCollections", "SatchelLogging", "CSatchel"],
      swiftSettings: strict,
      linkerSettings: libraryFlags),
    // The `satchel` command.
    .executableTarget(
      name: "satchel-cli", dependencies: ["Satchel", "SatchelLogging", "SatchelSystem", "CSatchelSystem", "CSatchel"],
      swiftSettings: strict,
      linkerSettings: commandFlags),
    // Seeded random numbers, scratch folders, awkward values, records made by hand: shared by the suites.
    .target(
      name: "TestSupport", dependencies: ["Satchel", "SatchelLogging"], path: "Tests/TestSupport", swiftSettings: strict
    ),
    // Streams of operations on collections, each with its model: for the suite, the long runs and the fuzzer.
    .target(
      name: "CollectionsSupport", dependencies: ["SatchelCollections"], path: "Tests/CollectionsSupport",
      swiftSettings: strict),
    // The long runs of Tests/ordered.
    .executableTarget(
      name: "ordered-torture", dependencies: ["SatchelCollections", "CollectionsSupport"], path: "Tests/ordered/swift",
      swiftSettings: strict),
    // What Tests/log has Swift do.
    .executableTarget(
      name: "log-worker", dependencies: ["SatchelLogging", "CSatchelSystem"], path: "Tests/log/swift",
      swiftSettings: strict),
    // Writes the logs that Tests/lnav has other tools read.
    .executableTarget(
      name: "log-sample", dependencies: ["SatchelLogging", "TestSupport"], path: "Tests/lnav/swift",
      swiftSettings: strict),
    // Compares what zones say with a table that Tests/zones makes.
    .executableTarget(
      name: "zone-check", dependencies: ["SatchelSystem"], path: "Tests/zones/swift", swiftSettings: strict),
    // What Tests/languages has every language do, in Swift.
    .executableTarget(
      name: "language-worker", dependencies: ["Satchel", "SatchelValues"], path: "Tests/languages/swift",
      swiftSettings: strict),
    .testTarget(
      name: "SatchelCollectionsTests", dependencies: ["SatchelCollections", "CollectionsSupport", "TestSupport"]),
    .testTarget(name: "SatchelSystemTests", dependencies: ["SatchelSystem", "TestSupport"]),
    .testTarget(name: "SatchelValuesTests", dependencies: ["SatchelValues", "SatchelCollections", "TestSupport"]),
    .testTarget(name: "SatchelFoundationTests", dependencies: ["SatchelFoundation", "TestSupport"]),
    .testTarget(
      name: "SatchelLoggingTests", dependencies: ["SatchelLogging", "SatchelSystem", "SatchelValues", "TestSupport"]),
    .testTarget(name: "SatchelSettingsTests", dependencies: ["Satchel", "TestSupport", "SatchelSystem"]),
  ],
  swiftLanguageModes: [.v6]
)
