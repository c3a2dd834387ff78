// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "swift-demo",
  dependencies: [.package(name: "satchel", path: "../..")],
  targets: [
    .executableTarget(
      name: "swift-demo", dependencies: [.product(name: "Satchel", package: "satchel")], path: "Sources/Demo")
  ],
  swiftLanguageModes: [.v6]
)
