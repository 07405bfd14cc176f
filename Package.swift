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

/// Programs that measure the toolkit itself. They are left out of every build but those of scripts/bench,
/// which set CHOIR_BENCHMARKS: no user and no test needs them.
let benchmarks: [Target] = [
  // Figures of the documentation that no test asserts.
  .executableTarget(
    name: "tables",
    dependencies: [
      "TestSupport", "Subjects", "Corpus", "Singer", "Harmonizer", "Analyzer", "Music", "DSP",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ], path: "Benchmarks/tables", swiftSettings: spans),
  // The engines' cost beside plain delay lines in C: scripts/bench/engine-cost.
  .target(name: "CDelayLine", path: "Benchmarks/CDelayLine"),
  .executableTarget(
    name: "engine-cost", dependencies: ["CDelayLine", "Harmonizer"],
    path: "Benchmarks/engine-cost", swiftSettings: fast),

  // What the judges of a run cost, stage by stage: scripts/bench/judges.
  .executableTarget(
    name: "judges", dependencies: ["Sweep", "Metrics", "Subjects", "Corpus"],
    path: "Benchmarks/judges", swiftSettings: spans),

  // Verdicts of every pair of accepted gates: scripts/bench/gate-trials and random-gates.
  .executableTarget(
    name: "gate-pairs",
    dependencies: [
      "Gate", "Metrics", "Statistics", "DSP",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ], path: "Benchmarks/gate-pairs", swiftSettings: spans),

  // What a hunt finds of defects planted in toys: scripts/bench/hunted-defects.
  .executableTarget(
    name: "hunted-defects",
    dependencies: ["Hunting", "Subjects", "Corpus", "Analyzer", "DSP"],
    path: "Benchmarks/hunted-defects", swiftSettings: spans),
]

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
    .library(name: "Projects", targets: ["Projects"]),
    .library(
      name: "Evaluation",
      targets: [
        "Corpus", "Subjects", "Revisions", "Cost", "Metrics", "Sweep", "Gate",
        "History", "Tuning", "Probes", "Hunting",
      ]),
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
    // MARK: C libraries, each behind a module map

    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLilv", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"])]),
    .systemLibrary(name: "CLADSPA", providers: [.apt(["ladspa-sdk"])]),
    .systemLibrary(name: "CJACK", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
    // The functions of a processor in C that choir-host runs.
    .systemLibrary(name: "CChoirSubject"),
    .target(name: "CPlot", linkerSettings: [.linkedLibrary("boost_iostreams")]),
    // Counts the allocations and locks of the program that it is linked into.
    .target(name: "AllocationProbe"),
    // Runs a program whose children can't outlive it.
    .executableTarget(name: "choir-supervisor"),

    // Version, commit and sources of this build, noted by a plugin before it is compiled.
    .plugin(name: "NoteCommit", capability: .buildTool()),
    .target(name: "BuildInfo", plugins: ["NoteCommit"]),

    // swift package choir-gate: a gate in a package that depends on this one.
    .plugin(
      name: "ChoirGate",
      capability: .command(
        intent: .custom(
          verb: "choir-gate", description: "Test a subject against its baseline."))),

    // MARK: Files and processes

    // Drafts, locks, hashes, CSV and YAML.
    .target(name: "Files", dependencies: ["COpenSSL", "Yams"], swiftSettings: spans),
    // Other people's programs, run within limits.
    .target(
      name: "Programs", dependencies: ["Files", "choir-supervisor"], swiftSettings: spans),

    // MARK: Sound. Each target imports only targets above it.

    .target(name: "DSP", dependencies: ["CFFTW"], swiftSettings: fast),
    .target(name: "Statistics", dependencies: ["DSP"], swiftSettings: fast),
    .target(name: "Music", dependencies: ["DSP"], swiftSettings: fast),
    .target(name: "Analyzer", dependencies: ["Music", "Statistics", "DSP"], swiftSettings: fast),
    .target(name: "Effects", dependencies: ["DSP"], swiftSettings: fast),
    .target(
      name: "Harmonizer", dependencies: ["Effects", "Analyzer", "Music", "DSP"],
      swiftSettings: fast),
    .target(name: "Singer", dependencies: ["Music", "DSP"], swiftSettings: fast),
    .target(
      name: "AudioFile", dependencies: ["Programs", "Files", "Music", "DSP", "CSndFile"],
      swiftSettings: fast),

    // MARK: Evaluation. Each target imports only targets above it.

    // Recordings, their licences and what is known about them.
    .target(
      name: "Corpus",
      dependencies: [
        "Files", "AudioFile", "Singer", "Analyzer", "Music", "Statistics", "DSP", "SwiftCSV",
      ],
      swiftSettings: fast),
    // What choir-eval and the host of plugins tell each other.
    .target(name: "HostProtocol", swiftSettings: spans),
    // Runs other people's plugins in a process of its own.
    .executableTarget(
      name: "choir-host",
      dependencies: ["HostProtocol", "CLilv", "CLADSPA", "CChoirSubject", "AllocationProbe"],
      swiftSettings: spans),
    // Subjects under test, and the scores they are given.
    .target(
      name: "Subjects",
      dependencies: [
        "Corpus", "Files", "AudioFile", "Singer", "Harmonizer", "Effects", "Analyzer", "Music",
        "Statistics", "DSP", "HostProtocol", "Programs", "Yams",
      ], swiftSettings: fast),
    // Whole recordings through a choir, a tuner and effects.
    .target(
      name: "Rendering",
      dependencies: ["Subjects", "Files", "AudioFile", "Harmonizer", "Effects", "DSP"],
      swiftSettings: fast),
    // Folders of recordings, presets, sequences and takes.
    .target(
      name: "Projects",
      dependencies: [
        "Rendering", "Subjects", "Files", "AudioFile", "Harmonizer", "Effects", "Analyzer",
        "Music", "DSP", "Yams",
      ], swiftSettings: spans),
    // Other commits of a subject's repository, checked out and built.
    .target(name: "Revisions", dependencies: ["Programs", "Files"], swiftSettings: spans),
    // Time, memory and instructions.
    .target(
      name: "Cost",
      dependencies: [
        "Subjects", "Corpus", "Programs", "Files", "Effects", "Statistics", "DSP",
        "AllocationProbe",
      ], swiftSettings: spans),
    // From a rendering to numbers.
    .target(
      name: "Metrics",
      dependencies: [
        "Cost", "Subjects", "Corpus", "Files", "Singer", "Harmonizer", "Analyzer", "Music",
        "Statistics", "DSP", "AllocationProbe",
      ], swiftSettings: fast),
    // Plans, their cells, and the store of results.
    .target(
      name: "Sweep",
      dependencies: [
        "Revisions", "Metrics", "Cost", "Subjects", "Corpus", "Files", "AudioFile", "Effects",
        "Analyzer",
        "Statistics", "DSP", .product(name: "GRDB", package: "GRDB.swift"), "Yams",
      ], swiftSettings: spans),
    // Verdicts: run against run, run against baseline.
    .target(
      name: "Gate",
      dependencies: [
        "Sweep", "Metrics", "Cost", "Revisions", "Subjects", "Corpus", "Programs", "Files",
        "AudioFile", "Statistics", "DSP", "Yams",
      ], swiftSettings: spans),
    // Figures over commits.
    .target(
      name: "History",
      dependencies: ["Gate", "Sweep", "Metrics", "Files", "Statistics"],
      swiftSettings: spans),
    // The settings to recommend.
    .target(
      name: "Tuning",
      dependencies: [
        "Sweep", "Metrics", "Subjects", "Corpus", "Files", "Harmonizer", "Effects", "Statistics",
        "DSP",
      ], swiftSettings: spans),
    // Trials of one subject, of one cell, of the metrics and of this machine.
    .target(
      name: "Probes",
      dependencies: [
        "Gate", "Sweep", "Metrics", "Cost", "Subjects", "Corpus", "Programs", "Files",
        "AudioFile", "Singer", "Harmonizer", "Analyzer", "Music", "Statistics", "DSP",
      ], swiftSettings: fast),

    // Clients of a JACK server.
    .target(
      name: "JackAudio",
      dependencies: ["Probes", "Files", "Harmonizer", "DSP", "AllocationProbe", "CJACK"],
      swiftSettings: fast),

    // The search for the worst that a subject does, and the simplest sound that shows it.
    .target(
      name: "Hunting",
      dependencies: [
        "Probes", "Tuning", "Sweep", "Metrics", "Subjects", "Corpus", "Files", "AudioFile",
        "Singer", "Analyzer", "Music", "Statistics", "DSP", "Yams",
      ], swiftSettings: fast),

    // A gate within a test of Swift Testing.
    .target(
      name: "ChoirTesting",
      dependencies: ["Gate", "Sweep", "Metrics", "Subjects", "Corpus", "Files", "DSP"],
      swiftSettings: spans),

    // MARK: What people see

    // A page of figures, tables and sounds, whatever it reports.
    .target(
      name: "Pages",
      dependencies: [
        "Tuning", "Sweep", "Metrics", "Files", "AudioFile", "Analyzer", "DSP", "CPlot",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Templates")], swiftSettings: spans),
    // Listening tests: their pages for people, and what their answers say.
    .target(
      name: "Listening",
      dependencies: [
        "Pages", "Tuning", "Sweep", "Metrics", "Corpus", "Files", "AudioFile", "Statistics", "DSP",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Templates")], swiftSettings: spans),
    // The page of a run, and the gate's outputs.
    .target(
      name: "Reporting",
      dependencies: [
        "Pages", "Hunting", "Probes", "Tuning", "History", "Gate", "Sweep",
        "Metrics", "Cost", "Subjects", "Corpus", "Files", "AudioFile", "Effects", "Analyzer",
        "Music", "Statistics", "DSP",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Templates")], swiftSettings: spans),
    // Parts that the commands share: the console and options.
    .target(
      name: "CommandSupport",
      dependencies: [
        "Metrics", "Subjects", "Corpus", "Files", "AudioFile", "Harmonizer", "DSP",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: spans),
    .executableTarget(
      name: "choir-eval",
      dependencies: [
        "CommandSupport", "Reporting", "Listening", "Pages",
        "Hunting", "Probes", "Tuning", "History", "Gate", "Sweep", "Metrics", "Cost", "Revisions",
        "Subjects", "Corpus", "Files",
        "AudioFile", "Analyzer", "Music", "Statistics", "DSP", "HostProtocol", "BuildInfo",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: spans),

    // The instrument: harmonizes, tunes and plays live.
    .executableTarget(
      name: "choir",
      dependencies: [
        "CommandSupport", "JackAudio", "Projects", "Rendering", "Probes", "Subjects", "Corpus",
        "Files", "AudioFile", "Singer", "Harmonizer", "Effects", "Analyzer",
        "Music", "Statistics", "DSP", "BuildInfo",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: spans),

    // MARK: What tests share

    // Tones, noise, known voices, golden files and counts of the allocator's calls.
    .target(
      name: "TestSupport", dependencies: ["DSP", "AllocationProbe"], path: "Tests/TestSupport",
      swiftSettings: fast),
    // The contract of a processor.
    .target(
      name: "ProcessorConformance", dependencies: ["DSP", "AllocationProbe"],
      path: "Tests/ProcessorConformance", swiftSettings: fast),
    // Temporary corpora and stores.
    .target(
      name: "EvaluationSupport",
      dependencies: [
        "TestSupport", "Metrics", "Subjects", "Corpus", "Files", "AudioFile", "Singer", "Analyzer",
        "DSP", "Programs",
      ],
      path: "Tests/EvaluationSupport", swiftSettings: fast),

    // MARK: Tests

    .testTarget(
      name: "DSPTests", dependencies: ["ProcessorConformance", "DSP", "AllocationProbe"],
      swiftSettings: spans),
    .testTarget(
      name: "StatisticsTests", dependencies: ["TestSupport", "Statistics", "DSP"],
      swiftSettings: spans),
    .testTarget(name: "MusicTests", dependencies: ["TestSupport", "Music"], swiftSettings: spans),
    .testTarget(
      name: "EffectsTests",
      dependencies: ["ProcessorConformance", "TestSupport", "Effects", "DSP", "AllocationProbe"],
      swiftSettings: spans),
    .testTarget(
      name: "AnalyzerTests",
      dependencies: ["TestSupport", "Singer", "Analyzer", "Statistics", "DSP", "AllocationProbe"],
      swiftSettings: spans),
    .testTarget(
      name: "HarmonizerTests",
      dependencies: [
        "ProcessorConformance", "TestSupport", "Singer", "Harmonizer", "Effects", "Analyzer",
        "Music", "DSP", "AllocationProbe",
      ], swiftSettings: spans),
    .testTarget(
      name: "SingerTests", dependencies: ["TestSupport", "Singer", "DSP"], swiftSettings: spans),
    .testTarget(
      name: "AudioFileTests", dependencies: ["TestSupport", "AudioFile", "Music", "DSP"],
      swiftSettings: spans),
    .testTarget(name: "FilesTests", dependencies: ["TestSupport", "Files"], swiftSettings: spans),
    .testTarget(
      name: "ProgramsTests", dependencies: ["TestSupport", "Programs", "Files"],
      swiftSettings: spans),
    .testTarget(
      name: "CorpusTests",
      dependencies: [
        "EvaluationSupport", "TestSupport", "Subjects", "Corpus", "Files", "AudioFile", "Singer",
        "Analyzer", "Statistics", "DSP",
      ], swiftSettings: spans),
    .testTarget(
      name: "SubjectsTests",
      dependencies: [
        "EvaluationSupport", "TestSupport", "Sweep", "Metrics", "Subjects", "Corpus", "Files",
        "AudioFile", "Singer", "Harmonizer", "Analyzer", "Music", "Statistics", "DSP",
        "HostProtocol", "Programs", "Yams",
      ], swiftSettings: spans),
    .testTarget(
      name: "ProjectsTests",
      dependencies: [
        "TestSupport", "Projects", "AudioFile", "Harmonizer", "Analyzer", "Music", "DSP",
      ], swiftSettings: spans),
    .testTarget(
      name: "RevisionsTests", dependencies: ["TestSupport", "Revisions"], swiftSettings: spans),
    .testTarget(
      name: "CostTests", dependencies: ["Cost", "Subjects", "Effects", "DSP"], swiftSettings: spans),
    .testTarget(
      name: "MetricsTests",
      dependencies: [
        "EvaluationSupport", "TestSupport", "Metrics", "Cost", "Subjects", "Corpus", "Files",
        "Singer",
        "Analyzer", "Music", "Statistics", "DSP",
      ],
      swiftSettings: spans),
    .testTarget(
      name: "SweepTests",
      dependencies: [
        "EvaluationSupport", "TestSupport", "Sweep", "Metrics", "Cost", "Subjects", "Corpus",
        "Files", "AudioFile", "Effects", "Analyzer", "Music", "DSP",
        .product(name: "GRDB", package: "GRDB.swift"), "SwiftCSV",
      ],
      swiftSettings: spans),
    .testTarget(
      name: "GateTests",
      dependencies: [
        "EvaluationSupport", "TestSupport", "Gate", "Sweep", "Metrics", "Cost", "Subjects",
        "Corpus", "Files", "Statistics", "DSP", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: spans),
    .testTarget(
      name: "HistoryTests", dependencies: ["TestSupport", "History", "Gate"], swiftSettings: spans),
    .testTarget(
      name: "ChoirTestingTests", dependencies: ["TestSupport", "ChoirTesting", "DSP"],
      swiftSettings: spans),
    .testTarget(
      name: "TuningTests",
      dependencies: [
        "EvaluationSupport", "TestSupport", "Tuning", "Sweep", "Metrics", "Subjects", "Corpus",
        "Harmonizer", "Statistics", "DSP",
      ],
      swiftSettings: spans),
    .testTarget(
      name: "ProbesTests",
      dependencies: [
        "EvaluationSupport", "TestSupport", "Probes", "Gate", "Sweep", "Metrics", "Cost",
        "Subjects", "Corpus", "Files", "Analyzer", "Statistics", "DSP", "AllocationProbe",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: spans),
    .testTarget(
      name: "JackAudioTests",
      dependencies: [
        "TestSupport", "JackAudio", "Probes", "Harmonizer", "Music", "DSP", "AllocationProbe",
      ], swiftSettings: spans),
    .testTarget(
      name: "HuntingTests",
      dependencies: [
        "TestSupport", "Hunting", "Sweep", "Subjects", "Corpus", "Singer", "DSP", "Yams",
      ],
      swiftSettings: spans),
    .testTarget(
      name: "ReportingTests",
      dependencies: [
        "TestSupport", "Reporting", "Pages", "Probes", "Tuning", "Gate", "Sweep", "Metrics", "Cost",
        "Subjects", "Corpus", "AudioFile", "DSP",
      ], swiftSettings: spans),
    .testTarget(
      name: "ListeningTests",
      dependencies: [
        "Listening", "Tuning", "Sweep", "Metrics", "Subjects", "Corpus", "AudioFile", "Analyzer",
        "DSP",
      ],
      swiftSettings: spans),
    // The package itself: its imports and sizes.
    .testTarget(name: "PackageTests", dependencies: ["TestSupport"], swiftSettings: spans),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "TestSupport", "choir", "choir-eval", "CommandSupport", "Reporting", "Pages",
        "Projects", "Gate", "Sweep", "Metrics", "Cost", "Files", "AudioFile", "Effects", "Music",
        "DSP",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: spans),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

if Context.environment["CHOIR_BENCHMARKS"] != nil { package.targets += benchmarks }

// CHOIR_TESTS="AnalyzerTests MetricsTests" swift test … builds these test targets alone.
if let chosen = Context.environment["CHOIR_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !chosen.map(String.init).contains($0.name) }
}
