// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "satchel", path: Context.environment["SATCHEL_PACKAGE"] ?? "../..")],
  targets: [
    .executableTarget(name: "ReadBenchmark", dependencies: [.product(name: "Satchel", package: "satchel")]),
    .executableTarget(name: "CacheBenchmark", dependencies: [.product(name: "SatchelCollections", package: "satchel")]),
    .executableTarget(
      name: "DictionaryBenchmark", dependencies: [.product(name: "SatchelCollections", package: "satchel")]),
  ]
)
