// swift-tools-version: 6.2
import PackageDescription

/// Spans of owned buffers need their lifetimes spelled out.
let spans: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// True for the copy that SwiftPM checks out for a package that depends on this one.
let isDependency = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"

/// Signal processing is optimized in debug builds too, so that `swift test` measures the code that
/// ships; a module at once, which compiles in less time than file by file and runs faster.
/// Bookkeeping is not: optimizing it takes longer than it saves. Dependent packages get no unsafe
/// flags; one that depends on this folder by path leaves them out with CHOIR_SAFE_FLAGS=1.
let fast =
  isDependency || Context.environment["CHOIR_SAFE_FLAGS"] != nil
  ? spans
  : spans
    + [
      .unsafeFlags(
        ["-O", "-disable-batch-mode", "-wmo", "-num-threads", "2"], .when(configuration: .debug))
    ]

/// The packages of the products that are not named after their package.
let packages = [
  "ArgumentParser": "swift-argument-parser", "GRDB": "GRDB.swift", "Mustache": "swift-mustache",
]

/// Returns the targets and products with these names, which stand in one text.
func uses(_ names: String) -> [Target.Dependency] {
  names.split(separator: " ").map(String.init).map { name in
    packages[name].map { .product(name: name, package: $0) } ?? .byName(name: name)
  }
}

/// A library whose folder is one of a layer.
func library(
  _ name: String, in layer: String? = nil, uses names: String, resources: [Resource] = [],
  _ settings: [SwiftSetting] = spans
) -> Target {
  .target(
    name: name, dependencies: uses(names),
    path: "Sources/" + (layer.map { $0 + "/" } ?? "") + name,
    resources: resources, swiftSettings: settings)
}

/// A library of the installed system, behind a module map.
func system(_ name: String, pkgConfig: String? = nil, apt: String...) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt(apt)])
}

func program(_ name: String, in layer: String? = nil, uses names: String) -> Target {
  .executableTarget(
    name: name, dependencies: uses(names),
    path: "Sources/" + (layer.map { $0 + "/" } ?? "") + name, swiftSettings: spans)
}

func tests(_ name: String, uses names: String) -> Target {
  .testTarget(name: name, dependencies: uses(names), swiftSettings: spans)
}

/// What tests share.
func testLibrary(_ name: String, uses names: String) -> Target {
  .target(
    name: name, dependencies: uses(names), path: "Tests/\(name)", swiftSettings: fast)
}

/// Programs that measure the toolkit itself. They are left out of every build but those of scripts/bench,
/// which set CHOIR_BENCHMARKS: no user and no test needs them.
let benchmarks: [Target] = [
  // Figures of the documentation that no test asserts.
  benchmark(
    "tables",
    uses: "TestSupport Subjects Corpus Singer Harmonizer Analyzer Music DSP ArgumentParser"),
  // The engines' cost beside plain delay lines in C: scripts/bench/engine-cost.
  .target(name: "CDelayLine", path: "Benchmarks/CDelayLine"),
  benchmark("engine-cost", uses: "CDelayLine Harmonizer", fast),
  // What the judges of a run cost, stage by stage: scripts/bench/judges.
  benchmark("judges", uses: "Sweep Metrics Subjects Corpus"),
  // Verdicts of every pair of accepted gates: scripts/bench/gate-trials and random-gates.
  benchmark("gate-pairs", uses: "Gate Metrics Statistics DSP ArgumentParser"),
  // What a hunt finds of defects planted in toys: scripts/bench/hunted-defects.
  benchmark("hunted-defects", uses: "Probes Subjects Corpus Analyzer DSP"),
]

func benchmark(_ name: String, uses names: String, _ settings: [SwiftSetting] = spans) -> Target {
  .executableTarget(
    name: name, dependencies: uses(names), path: "Benchmarks/\(name)", swiftSettings: settings)
}

let package = Package(
  name: "pocket-choir-evaluation",
  products: [
    .library(name: "DSP", targets: ["DSP"]),
    .library(name: "Statistics", targets: ["Statistics"]),
    .library(name: "Music", targets: ["Music"]),
    .library(name: "Analyzer", targets: ["Analyzer"]),
    .library(name: "Effects", targets: ["Effects"]),
    .library(name: "Harmonizer", targets: ["Harmonizer"]),
    .library(name: "Singer", targets: ["Singer"]),
    .library(name: "AudioFile", targets: ["AudioFile"]),
    .library(name: "Instrument", targets: ["Instrument"]),
    .library(
      name: "Evaluation",
      targets: ["Corpus", "Subjects", "Metrics", "Sweep", "Gate", "Tuning", "Probes"]),
    .library(name: "Reporting", targets: ["Reporting"]),
    .library(name: "ChoirTesting", targets: ["ChoirTesting"]),
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
    // What choir-host loads: LV2 and LADSPA plugins, and processors in C.
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
    library("Platform", uses: "COpenSSL Yams choir-supervisor"),

    // MARK: Sound. Each target imports only targets above it.

    library("DSP", in: "Sound", uses: "CFFTW", fast),
    library("Statistics", in: "Sound", uses: "DSP", fast),
    library("Music", in: "Sound", uses: "DSP", fast),
    library("Analyzer", uses: "Statistics DSP", fast),
    library("Effects", in: "Sound", uses: "DSP", fast),
    library("Harmonizer", uses: "Effects Analyzer Music DSP", fast),
    library("Singer", in: "Sound", uses: "Music DSP", fast),
    library("AudioFile", in: "Sound", uses: "Platform Music DSP CSndFile", fast),

    // MARK: Evaluation. Each target imports only targets above it.

    // Recordings, their licences and what is known about them.
    library(
      "Corpus", in: "Evaluation",
      uses: "Platform AudioFile Singer Analyzer Music Statistics DSP SwiftCSV", fast),
    // What choir-eval and the host of plugins tell each other.
    library("HostProtocol", in: "Processes", uses: ""),
    // Runs other people's plugins in a process of its own.
    program(
      "choir-host", in: "Processes", uses: "HostProtocol CPluginHost AllocationProbe"),
    // Subjects under test, their commits, and the scores they are given.
    library(
      "Subjects", in: "Evaluation",
      uses: """
        Corpus Platform AudioFile Singer Harmonizer Effects Analyzer Music Statistics DSP HostProtocol Yams
        """, fast),
    // From a rendering to numbers: sound, time, memory and instructions.
    library(
      "Metrics", in: "Evaluation",
      uses: """
        Subjects Corpus Platform Singer Harmonizer Effects Analyzer Music Statistics DSP AllocationProbe
        """, fast),
    // Plans, their cells, and the store of results.
    library(
      "Sweep", in: "Evaluation",
      uses: "Metrics Subjects Corpus Platform AudioFile Effects Analyzer Statistics DSP GRDB Yams"),
    // Verdicts: run against run, run against baseline, figures over commits.
    library(
      "Gate", in: "Evaluation",
      uses: "Sweep Metrics Subjects Corpus Platform AudioFile Statistics DSP Yams"),
    // The settings to recommend.
    library(
      "Tuning", in: "Evaluation",
      uses: "Sweep Metrics Subjects Corpus Platform Harmonizer Effects Statistics DSP"),
    // Trials of one subject, of one cell, of the metrics and of this machine; the search for the worst
    // that a subject does, and the simplest sound that shows it.
    library(
      "Probes", in: "Evaluation",
      uses: """
        Gate Tuning Sweep Metrics Subjects Corpus Platform AudioFile Singer Harmonizer Analyzer Music \
        Statistics DSP Yams
        """, fast),
    // A gate within a test of Swift Testing.
    library(
      "ChoirTesting", in: "Evaluation", uses: "Gate Sweep Metrics Subjects Corpus Platform DSP"),

    // MARK: The instrument

    // Recordings through a choir, a tuner and effects; folders of recordings, presets, sequences and takes;
    // clients of a JACK server.
    library(
      "Instrument",
      uses: """
        Probes Subjects Platform AudioFile Harmonizer Effects Analyzer Music DSP AllocationProbe CJACK Yams
        """, fast),

    // MARK: What people see

    // Pages of runs, outputs of gates, and listening tests.
    library(
      "Reporting",
      uses: """
        Probes Tuning Gate Sweep Metrics Subjects Corpus Platform AudioFile Effects Analyzer Music \
        Statistics DSP CPlot Mustache
        """,
      resources: [
        .embedInCode("Pages/Templates"), .embedInCode("Listening/Templates"),
        .embedInCode("Runs/Templates"),
      ]),
    // Parts that the commands share: the console and options.
    library(
      "CommandSupport", in: "Commands",
      uses: "Metrics Subjects Corpus Platform AudioFile Harmonizer DSP ArgumentParser"),
    program(
      "choir-eval",
      uses: """
        CommandSupport Reporting Probes Tuning Gate Sweep Metrics Subjects Corpus Platform AudioFile \
        Analyzer Music Statistics DSP HostProtocol BuildInfo ArgumentParser
        """),
    // The instrument: harmonizes, tunes and plays live.
    program(
      "choir",
      uses: """
        CommandSupport Instrument Probes Subjects Corpus Platform AudioFile Singer Harmonizer Effects \
        Analyzer Music Statistics DSP BuildInfo ArgumentParser
        """),

    // MARK: Tests

    // Tones, noise, known voices, golden files and counts of the allocator's calls.
    testLibrary("TestSupport", uses: "DSP AllocationProbe"),
    // The contract of a processor.
    testLibrary("ProcessorConformance", uses: "DSP AllocationProbe"),
    // Temporary corpora and stores.
    testLibrary(
      "EvaluationSupport",
      uses: "TestSupport Metrics Subjects Corpus Platform AudioFile Singer Analyzer DSP"),

    tests("PlatformTests", uses: "TestSupport Platform"),
    tests(
      "SoundTests",
      uses: """
        ProcessorConformance TestSupport AudioFile Singer Music Statistics DSP AllocationProbe
        """),
    tests(
      "AnalyzerTests", uses: "TestSupport Singer Analyzer Statistics DSP AllocationProbe"),
    tests(
      "HarmonizerTests",
      uses: """
        ProcessorConformance TestSupport Singer Harmonizer Effects Analyzer Music DSP AllocationProbe
        """),
    tests(
      "CorpusTests",
      uses: """
        EvaluationSupport TestSupport Subjects Corpus Platform AudioFile Singer Analyzer Statistics DSP
        """),
    tests(
      "SubjectsTests",
      uses: """
        EvaluationSupport TestSupport Sweep Metrics Subjects Corpus Platform AudioFile Singer \
        Harmonizer Analyzer Music Statistics DSP HostProtocol Yams
        """),
    tests(
      "MetricsTests",
      uses: """
        EvaluationSupport TestSupport Metrics Subjects Corpus Platform Singer Effects Analyzer Music \
        Statistics DSP
        """),
    tests(
      "SweepTests",
      uses: """
        EvaluationSupport TestSupport Tuning Sweep Metrics Subjects Corpus Platform AudioFile \
        Harmonizer Effects Analyzer Music Statistics DSP GRDB SwiftCSV
        """),
    tests(
      "GateTests",
      uses: """
        EvaluationSupport TestSupport ChoirTesting Gate Sweep Metrics Subjects Corpus Platform \
        Statistics DSP GRDB
        """),
    tests(
      "ProbesTests",
      uses: """
        EvaluationSupport TestSupport Probes Gate Sweep Metrics Subjects Corpus Platform Singer \
        Analyzer Statistics DSP AllocationProbe GRDB Yams
        """),
    tests(
      "ReportingTests",
      uses: """
        TestSupport Reporting Probes Tuning Gate Sweep Metrics Subjects Corpus AudioFile Analyzer DSP
        """),
    tests(
      "InstrumentTests",
      uses: """
        TestSupport Instrument Probes AudioFile Harmonizer Analyzer Music DSP AllocationProbe
        """),
    // The package itself: its imports and where files are touched.
    tests("PackageTests", uses: "TestSupport"),
    tests(
      "CommandTests",
      uses: """
        TestSupport choir choir-eval CommandSupport Reporting Instrument Gate Sweep Metrics Platform \
        AudioFile Effects Music DSP ArgumentParser
        """),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

if Context.environment["CHOIR_BENCHMARKS"] != nil { package.targets += benchmarks }

// CHOIR_TESTS="AnalyzerTests MetricsTests" swift test … builds these test targets alone.
if let chosen = Context.environment["CHOIR_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !chosen.map(String.init).contains($0.name) }
}
