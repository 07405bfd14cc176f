// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "two-taps",
  products: [.library(name: "TwoTaps", targets: ["TwoTaps"])],
  dependencies: [
    // From elsewhere: .package(url: "https://…/pocket-choir-evaluation", from: "1.0.0").
    .package(name: "pocket-choir-evaluation", path: "../..")
  ],
  targets: [
    .target(
      name: "TwoTaps", dependencies: [.product(name: "DSP", package: "pocket-choir-evaluation")]),
    // The shifter as a program that reads and writes raw samples: what choir-gate judges.
    .executableTarget(
      name: "two-taps",
      dependencies: ["TwoTaps", .product(name: "DSP", package: "pocket-choir-evaluation")]),
    .testTarget(
      name: "TwoTapsTests",
      dependencies: [
        "TwoTaps",
        .product(name: "ChoirTesting", package: "pocket-choir-evaluation"),
        .product(name: "Analyzer", package: "pocket-choir-evaluation"),
        .product(name: "DSP", package: "pocket-choir-evaluation"),
        .product(name: "Singer", package: "pocket-choir-evaluation"),
        .product(name: "Statistics", package: "pocket-choir-evaluation"),
      ]),
  ]
)
