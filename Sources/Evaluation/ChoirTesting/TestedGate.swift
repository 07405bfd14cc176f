import Corpus
import Foundation
import Gate
import Metrics
import Platform
import Subjects
import Sweep

/// A small gate within a test: synthetic voices, a function, and a baseline file beside the test.
struct TestedGate {
  private let run: GateRun
  /// Holds the plan and its corpus while the gate is used.
  private let scratch: ScratchFolder

  private static let acceptCommand =
    #"CHOIR_ACCEPT="reason for the change" swift test --filter TEST"#

  /// - Parameters:
  ///   - voices: performances of the synthetic singer.
  ///   - metrics: ids or families of metrics.
  ///   - folder: folder of the baselines.
  init(
    name: String, function: TestedFunction, voices: [String], metrics: [String], folder: URL
  ) throws {
    scratch = try ScratchFolder()
    try
      (["id,file,source,sha256,licence,attribution,voice,kind,shows"]
      + voices.map { "\($0),,synthetic:\($0),,CC0-1.0,made by this project,any,sung,a voice" })
      .write(to: scratch.file("manifest.csv"))
    try [
      "name: \(name)", "subject: \(function.id)",
      "recordings: [\(voices.joined(separator: ", "))]",
      "scores: [{id: voices, intervalsSemitones: \(function.semitones)}]",
      "metrics: [\(metrics.joined(separator: ", "))]",
    ].write(to: scratch.file("plan.yaml"))
    var gate = Gate(
      url: folder.appendingPathComponent(name), plan: scratch.file("plan.yaml").path,
      baseline: "\(name).tsv")
    gate.metrics = MetricChoice(metrics)
    run = try GateRun(gate, corpus: Corpus(folder: scratch.url), testing: [function])
  }

  var baselineFile: URL { run.gate.baselineFile }

  /// Measures the function and compares it with the baseline; returns one sentence for each
  /// failure.
  func failures() async throws -> [String] {
    guard let baseline = try run.gate.readBaseline() else {
      return ["the baseline \(baselineFile.path) does not exist; make it: \(Self.acceptCommand)"]
    }
    let judge = GateJudge(
      run.gate, baseline: baseline,
      noise: try run.gate.readNoise(of: baseline, accept: Self.acceptCommand), explainOptions: "",
      acceptCommand: Self.acceptCommand)
    let measured = try await run.measureOnce()
    let takes = try await takes(judge.perturbations(for: measured))
    return try judge.result(of: measured, takes: takes).findings
      .filter { $0.kind.outcome(strict: false) != nil }
      .map { "\($0.kind.rawValue): \($0.subject): \($0.message)" }
  }

  /// Measures the function with its noise, and writes all of it as the baseline, improvements too.
  func accept(because reason: String) async throws {
    // What can't be read is replaced.
    let old = try? run.gate.readBaseline()
    let oldNoise = old.flatMap { try? run.gate.readNoise(of: $0) }
    let (first, second) = (try await run.measureOnce(), try await run.measureOnce())
    let differing = try Acceptance.differingFigures(first, second, gate: run.gate)
    let changes = run.gate.perturbationsToMeasure(after: oldNoise, isRandom: differing > 0)
    let takes = try await takes(changes)
    let acceptance = try Acceptance(
      of: first, takes: takes, over: old, gate: run.gate, oldNoise: oldNoise,
      noise: GateNoise(takes, of: run.gate.comparedMetrics, differingFigures: differing),
      all: true, reason: reason)
    guard !acceptance.isEmpty || !acceptance.keepsNoise else { return }
    try acceptance.baseline.write(to: baselineFile, noise: acceptance.noise)
  }

  private func takes(_ perturbations: [Perturbation]) async throws -> [MeasuredRun] {
    var runs: [MeasuredRun] = []
    for perturbation in perturbations {
      runs.append(try await run.measureOnce(under: perturbation))
    }
    return runs
  }
}

extension [String] {
  /// Writes lines into a file.
  fileprivate func write(to url: URL) throws {
    try Data((joined(separator: "\n") + "\n").utf8).write(to: url)
  }
}
