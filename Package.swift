// swift-tools-version: 6.2
import PackageDescription

/// Spans of owned buffers need their lifetimes spelled out.
let plain: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// True for the copy that SwiftPM checks out for a package that depends on this one.
let isDependency = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"

/// Signal processing is optimized in debug builds too, so that `swift test` measures the code that
/// ships; a module at once, which compiles in less time than file by file and runs faster.
/// Bookkeeping is not: optimizing it takes longer than it saves. Dependent packages get no unsafe
/// flags; one that depends on this folder by path leaves them out with CHOIR_SAFE_FLAGS=1.
let fast =
  isDependency || Context.environment["CHOIR_SAFE_FLAGS"] != nil
  ? plain
  : plain
    + [
      .unsafeFlags(
        ["-O", "-disable-batch-mode", "-wmo", "-num-threads", "2"], .when(configuration: .debug))
    ]

/// The packages of the products that are not named after their package.
let packages = [
  "ArgumentParser": "swift-argument-parser", "GRDB": "GRDB.swift", "Mustache": "swift-mustache",
]

/// Returns the targets and products with these names, which are separated by spaces.
func uses(_ names: [String]) -> [Target.Dependency] {
  names.flatMap { $0.split(separator: " ") }.map(String.init).map { name in
    packages[name].map { .product(name: name, package: $0) } ?? .byName(name: name)
  }
}

/// Returns the last part of a path: a target is named after its folder.
func name(_ path: String) -> String { String(path.split(separator: "/").last!) }

/// A library in a folder of Sources or, as parts that tests share, of Tests.
func library(
  _ path: String, _ settings: [SwiftSetting], _ names: String..., embedding: [String] = []
) -> Target {
  .target(
    name: name(path), dependencies: uses(names),
    path: path.hasPrefix("Tests/") ? path : "Sources/\(path)",
    resources: embedding.map { .embedInCode($0) }, swiftSettings: settings)
}

/// A library of the installed system, behind a module map.
func system(_ name: String, pkgConfig: String? = nil, apt: String...) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt(apt)])
}

func program(
  _ path: String, _ settings: [SwiftSetting], _ names: String..., root: String = "Sources"
) -> Target {
  .executableTarget(
    name: name(path), dependencies: uses(names), path: "\(root)/\(path)",
    swiftSettings: settings)
}

func tests(_ name: String, _ names: String..., path: String? = nil) -> Target {
  .testTarget(name: name, dependencies: uses(names), path: path, swiftSettings: plain)
}

/// Developers' tools, which try and measure the toolkit itself, and their tests. They are left out of
/// every build but those with CHOIR_DEV=1 (scripts/test, scripts/bench): no user needs them.
let developers: [Target] = [
  program(
    "choir-dev", fast, "CommandSupport TestSupport Probes Gate Sweep Metrics Subjects Corpus",
    "Platform AudioFile Singer Harmonizer Analyzer Music Statistics DSP BuildInfo ArgumentParser",
    root: "Benchmarks"),
  tests(
    "DeveloperTests", "EvaluationSupport TestSupport choir-dev Gate Sweep Metrics Subjects",
    "Corpus Analyzer Statistics DSP AllocationProbe ArgumentParser SwiftCSV",
    path: "Benchmarks/Tests/DeveloperTests"),
  // The engines' cost beside plain delay lines in C: scripts/bench/engine-cost.
  .target(name: "CDelayLine", path: "Benchmarks/CDelayLine"),
  program("engine-cost", fast, "CDelayLine Harmonizer", root: "Benchmarks"),
]

/// The libraries that are products by themselves.
let libraries = [
  "DSP", "Statistics", "Music", "Analyzer", "Effects", "Harmonizer", "Singer", "AudioFile",
  "Instrument", "Reporting", "ChoirTesting",
]

let package = Package(
  name: "pocket-choir-evaluation",
  products: libraries.map { .library(name: $0, targets: [$0]) } + [
    .library(
      name: "Evaluation",
      targets: ["Corpus", "Subjects", "Metrics", "Sweep", "Gate", "Tuning", "Probes"]),
    .executable(name: "choir", targets: ["choir"]),
    .executable(name: "choir-eval", targets: ["choir-eval"]),
    .executable(name: "choir-host", targets: ["choir-host"]),
    .executable(name: "choir-supervisor", targets: ["choir-supervisor"]),
    .plugin(name: "ChoirGate", targets: ["ChoirGate"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
  ],
  targets: [
    // MARK: C libraries

    system("CFFTW", pkgConfig: "fftw3f", apt: "libfftw3-dev"),
    system("CSndFile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
    system("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
    system("CJACK", pkgConfig: "jack", apt: "libjack-jackd2-dev"),
    // What choir-host loads: LV2, LADSPA and CLAP plugins, and processors in C.
    system("CPluginHost", pkgConfig: "lilv-0", apt: "liblilv-dev", "ladspa-sdk"),
    .target(
      name: "CPlot", path: "Sources/CLibraries/CPlot",
      linkerSettings: [.linkedLibrary("boost_iostreams")]),
    // Counts the allocations and locks of the program that it is linked into.
    .target(name: "AllocationProbe", path: "Sources/CLibraries/AllocationProbe"),

    // MARK: The build and the machine

    // Version, commit and sources of this build, noted by a plugin before it is compiled.
    .plugin(name: "NoteCommit", capability: .buildTool()),
    .target(name: "BuildInfo", path: "Sources/Commands/BuildInfo", plugins: ["NoteCommit"]),
    // swift package choir-gate: a gate in a package that depends on this one.
    .plugin(
      name: "ChoirGate",
      capability: .command(
        intent: .custom(
          verb: "choir-gate", description: "Test a subject against its baseline."))),
    // Runs a program whose children can't outlive it.
    .executableTarget(name: "choir-supervisor", path: "Sources/Processes/choir-supervisor"),
    // Drafts, locks, hashes, CSV and YAML; other people's programs, run within limits.
    library("Platform", plain, "COpenSSL Yams choir-supervisor"),

    // MARK: Sound. Each target imports only targets above it.

    library("Sound/DSP", fast, "CFFTW"),
    library("Sound/Statistics", fast),
    library("Sound/Music", fast, "DSP", embedding: ["Harmony/scales.json", "Harmony/chords.json"]),
    library("Analyzer", fast, "Statistics Music DSP", embedding: ["Weights"]),
    library("Sound/Effects", fast, "DSP"),
    library(
      "Harmonizer", fast, "Effects Analyzer Music DSP", embedding: ["Presets/presets.json"]),
    library("Sound/Singer", fast, "Music DSP", embedding: ["Voice/phones.json"]),
    library("Sound/AudioFile", fast, "Platform Music DSP CSndFile"),

    // MARK: Evaluation. Each target imports only targets above it.

    // Recordings, their licences and what is known about them.
    library(
      "Evaluation/Corpus", fast, "Platform AudioFile Singer Analyzer Music Statistics DSP",
      "SwiftCSV", embedding: ["Licence/Lists"]),
    // What choir-eval and the host of plugins tell each other.
    library("Processes/HostProtocol", plain),
    // Runs other people's plugins in a process of its own.
    program("Processes/choir-host", fast, "HostProtocol CPluginHost AllocationProbe"),
    // Subjects under test, their commits, and the scores they are given.
    library(
      "Evaluation/Subjects", fast, "Corpus Platform AudioFile Singer Harmonizer Effects Analyzer",
      "Music Statistics DSP HostProtocol Yams"),
    // From a rendering to numbers: sound, time, memory and instructions.
    library(
      "Evaluation/Metrics", fast, "Subjects Corpus Platform AudioFile Singer Harmonizer Effects",
      "Analyzer Music Statistics DSP AllocationProbe Yams", embedding: ["Validity/grades.txt"]),
    // Plans, their cells, and the store of results.
    library(
      "Evaluation/Sweep", plain, "Metrics Subjects Corpus Platform AudioFile Effects Analyzer",
      "Statistics DSP GRDB Yams"),
    // Verdicts: run against run, run against baseline, figures over commits.
    library(
      "Evaluation/Gate", plain, "Sweep Metrics Subjects Corpus Platform AudioFile Statistics",
      "Yams"),
    // The settings to recommend.
    library(
      "Evaluation/Tuning", plain, "Sweep Metrics Subjects Corpus Platform Harmonizer Effects",
      "Statistics DSP"),
    // Trials of one subject, of one cell and of this machine; the search for the worst that a subject
    // does, and the simplest sound that shows it.
    library(
      "Evaluation/Probes", fast, "Sweep Metrics Subjects Corpus Platform AudioFile Singer",
      "Analyzer Music Statistics DSP HostProtocol AllocationProbe"),
    // A gate within a test of Swift Testing.
    library("Evaluation/ChoirTesting", plain, "Gate Sweep Metrics Subjects Corpus Platform DSP"),

    // MARK: The instrument

    // Recordings through a choir, a tuner and effects; folders of recordings, presets, sequences and takes;
    // clients of a JACK server.
    library(
      "Instrument", fast, "Subjects Platform AudioFile Harmonizer Effects Analyzer Music DSP",
      "AllocationProbe CJACK Yams"),

    // MARK: What people see

    // Pages of runs, outputs of gates, and listening tests.
    library(
      "Reporting", plain, "Probes Tuning Gate Sweep Metrics Subjects Corpus Platform AudioFile",
      "Effects Analyzer Statistics DSP CPlot Mustache",
      embedding: ["Pages/Templates", "Listening/Templates", "Runs/Templates"]),
    // Parts that the commands share: the console and options.
    library(
      "Commands/CommandSupport", plain, "Metrics Subjects Corpus Platform AudioFile Harmonizer",
      "DSP ArgumentParser"),
    program(
      "choir-eval", plain, "CommandSupport Reporting Probes Tuning Gate Sweep Metrics Subjects",
      "Corpus Platform AudioFile Analyzer Music Statistics DSP HostProtocol BuildInfo",
      "ArgumentParser"),
    // The instrument: harmonizes, tunes and plays live.
    program(
      "choir", plain, "CommandSupport Instrument Subjects Corpus Platform AudioFile Singer",
      "Harmonizer Effects Analyzer Music Statistics DSP BuildInfo ArgumentParser"),

    // MARK: Tests

    // Tones, noise, known voices, golden files and counts of the allocator's calls.
    library("Tests/TestSupport", fast, "DSP AllocationProbe"),
    // The contract of a processor.
    library("Tests/ProcessorConformance", fast, "DSP AllocationProbe"),
    // Temporary corpora and stores.
    library(
      "Tests/EvaluationSupport", fast, "TestSupport Metrics Subjects Corpus Platform AudioFile",
      "Singer Analyzer DSP"),

    tests("PlatformTests", "TestSupport Platform"),
    tests(
      "SoundTests", "ProcessorConformance TestSupport AudioFile Singer Music Statistics DSP",
      "AllocationProbe"),
    tests("AnalyzerTests", "TestSupport Singer Analyzer Music Statistics DSP AllocationProbe"),
    tests(
      "HarmonizerTests", "ProcessorConformance TestSupport Singer Harmonizer Effects Analyzer",
      "Music DSP AllocationProbe"),
    tests(
      "CorpusTests", "EvaluationSupport TestSupport Subjects Corpus Platform AudioFile Singer",
      "Analyzer Statistics DSP"),
    tests(
      "SubjectsTests", "EvaluationSupport TestSupport Sweep Metrics Subjects Corpus Platform",
      "AudioFile Singer Harmonizer Analyzer Music Statistics DSP HostProtocol Yams"),
    tests(
      "MetricsTests", "EvaluationSupport TestSupport Metrics Subjects Corpus Platform Singer",
      "Harmonizer Effects Analyzer Music Statistics DSP"),
    tests(
      "SweepTests", "EvaluationSupport TestSupport Tuning Sweep Metrics Subjects Corpus Platform",
      "AudioFile Harmonizer Effects Analyzer Music Statistics DSP GRDB SwiftCSV"),
    tests(
      "GateTests", "EvaluationSupport TestSupport ChoirTesting Gate Sweep Metrics Subjects",
      "Corpus Platform DSP"),
    tests(
      "ProbesTests", "EvaluationSupport TestSupport Probes Gate Sweep Metrics Subjects Corpus",
      "Platform AudioFile Singer Analyzer DSP GRDB Yams"),
    tests(
      "ReportingTests",
      "EvaluationSupport TestSupport Reporting Probes Tuning Gate Sweep Metrics Subjects Corpus",
      "Platform AudioFile Analyzer DSP"),
    tests(
      "InstrumentTests", "TestSupport Instrument Subjects AudioFile Harmonizer Analyzer Music",
      "DSP AllocationProbe"),
    // The package itself: its imports and where files are touched.
    tests("PackageTests", "TestSupport"),
    tests(
      "CommandTests", "TestSupport choir choir-eval CommandSupport Reporting Instrument Gate",
      "Sweep Metrics Platform AudioFile Harmonizer Effects Music DSP ArgumentParser"),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

if Context.environment["CHOIR_DEV"] != nil { package.targets += developers }

// CHOIR_TESTS="AnalyzerTests MetricsTests" swift test … builds these test targets alone.
if let chosen = Context.environment["CHOIR_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !chosen.map(String.init).contains($0.name) }
}
