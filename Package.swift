// swift-tools-version: 6.2
import PackageDescription

/// Spans of owned buffers need their lifetimes spelled out.
let spans: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// Signal processing runs at full speed in debug builds too, so that `swift test` measures the
/// code that ships.
let fast: [SwiftSetting] = spans + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "pocket-choir-evaluation",
  products: [
    .library(name: "Harmonizer", targets: ["Harmonizer"])
  ],
  targets: [
    // C libraries, each behind a module map.
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),

    // The rooms, in the order of what may import what.
    .target(name: "DSP", dependencies: ["CFFTW"], swiftSettings: fast),
    .target(name: "Analyzer", dependencies: ["DSP"], swiftSettings: fast),
    .target(name: "Harmonizer", dependencies: ["DSP"], swiftSettings: fast),

    // What the tests stand on: a counter of allocations and locks, and the processor contract.
    .target(name: "AllocationProbe", path: "Tests/AllocationProbe"),
    .target(
      name: "ProcessorConformance", dependencies: ["DSP", "AllocationProbe"],
      path: "Tests/ProcessorConformance", swiftSettings: fast),
    .testTarget(
      name: "DSPTests", dependencies: ["DSP", "ProcessorConformance"], swiftSettings: spans),
    .testTarget(name: "AnalyzerTests", dependencies: ["Analyzer"], swiftSettings: fast),
    .testTarget(
      name: "HarmonizerTests", dependencies: ["Harmonizer", "ProcessorConformance"],
      swiftSettings: spans),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
