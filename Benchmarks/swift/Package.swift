// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "ReadBenchmark",
  dependencies: [.package(name: "satchel", path: Context.environment["SATCHEL_PACKAGE"] ?? "../..")],
  targets: [.executableTarget(name: "ReadBenchmark", dependencies: [.product(name: "Satchel", package: "satchel")])]
)
