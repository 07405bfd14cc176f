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
    .library(name: "Harmonizer", targets: ["Harmonizer"]),
    .executable(name: "choir-eval", targets: ["choir-eval"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
  ],
  targets: [
    // C libraries, each behind a module map.
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "CPlot", linkerSettings: [.linkedLibrary("boost_iostreams")]),

    // The version and the commit of this build, noted by a plugin before it is compiled.
    .plugin(name: "NoteCommit", capability: .buildTool()),
    .target(name: "BuildInfo", plugins: ["NoteCommit"]),

    // The rooms, in the order of what may import what.
    .target(name: "DSP", dependencies: ["CFFTW"], swiftSettings: fast),
    .target(name: "Analyzer", dependencies: ["DSP"], swiftSettings: fast),
    .target(name: "Effects", dependencies: ["DSP"], swiftSettings: fast),
    .target(name: "Harmonizer", dependencies: ["Analyzer", "Effects", "DSP"], swiftSettings: fast),
    .target(name: "Singer", dependencies: ["DSP"], swiftSettings: fast),
    .target(
      name: "AudioFile", dependencies: ["DSP", "Harmonizer", "CSndFile"], swiftSettings: fast),
    // Counts allocations and locks of whatever program it is linked into.
    .target(name: "AllocationProbe"),
    // Programs of others, none of whose children outlive them.
    .target(name: "ChildSupervisor"),
    .target(
      name: "Evaluation",
      dependencies: [
        "DSP", "Analyzer", "Effects", "Harmonizer", "Singer", "AudioFile", "COpenSSL", "Yams",
        "SwiftCSV", "AllocationProbe", "BuildInfo", "ChildSupervisor",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: fast),
    .target(
      name: "Reporting",
      dependencies: [
        "Evaluation", "AudioFile", "CPlot", .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Templates")], swiftSettings: spans),
    .executableTarget(
      name: "choir-eval",
      dependencies: [
        "Reporting", "Evaluation", "AudioFile", "Singer", "Harmonizer", "Effects", "Analyzer",
        "DSP", "BuildInfo",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: spans),

    // Figures of the documentation that no test asserts.
    .executableTarget(
      name: "tables",
      dependencies: [
        "Harmonizer", "Analyzer", "Singer", "DSP", "KnownSounds",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Benchmarks/tables", swiftSettings: fast),

    // What the engines cost beside plain delay lines in C: scripts/bench/engine-cost.
    .target(name: "CDelayLine", path: "Benchmarks/CDelayLine"),
    .executableTarget(
      name: "engine-cost", dependencies: ["Harmonizer", "DSP", "CDelayLine"],
      path: "Benchmarks/engine-cost", swiftSettings: fast),

    // What the tests stand on: the processor contract, and sounds of which all is known.
    .target(
      name: "KnownSounds", dependencies: ["DSP", "Singer"], path: "Tests/KnownSounds",
      swiftSettings: fast),
    .target(
      name: "ProcessorConformance", dependencies: ["DSP", "AllocationProbe"],
      path: "Tests/ProcessorConformance", swiftSettings: fast),
    .testTarget(
      name: "DSPTests", dependencies: ["DSP", "ProcessorConformance"], swiftSettings: spans),
    .testTarget(
      name: "EffectsTests", dependencies: ["Effects", "ProcessorConformance"],
      swiftSettings: fast),
    .testTarget(
      name: "AnalyzerTests",
      dependencies: ["Analyzer", "Singer", "ProcessorConformance", "KnownSounds"],
      exclude: ["Golden"], swiftSettings: fast),
    .testTarget(
      name: "HarmonizerTests",
      dependencies: [
        "Harmonizer", "Analyzer", "Effects", "Singer", "ProcessorConformance", "KnownSounds",
      ], swiftSettings: spans),
    .testTarget(name: "SingerTests", dependencies: ["Singer"], swiftSettings: fast),
    .testTarget(name: "AudioFileTests", dependencies: ["AudioFile"], swiftSettings: spans),
    .testTarget(
      name: "EvaluationTests",
      dependencies: ["Evaluation", "AllocationProbe", "BuildInfo", "KnownSounds", "SwiftCSV"],
      swiftSettings: fast),
    .testTarget(name: "ReportingTests", dependencies: ["Reporting"], swiftSettings: spans),
    .testTarget(
      name: "CommandTests", dependencies: ["choir-eval", "AudioFile"], swiftSettings: spans),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
