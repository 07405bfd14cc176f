import Foundation

@testable import Corpus
@testable import Gate
@testable import Metrics
@testable import Subjects
@testable import Sweep

/// A gate over six recordings with two voices, for tests.
enum GateSamples {
  static let gate = Gate(
    url: URL(fileURLWithPath: "gates/smoke.yaml"), plan: "p.yaml", baseline: "smoke.tsv")

  /// - Parameters:
  ///   - change: added to the value of a recording, metric and voice; `nil` removes the value.
  ///   - digest: digest of the first recording.
  static func run(
    recordings: Int = 6, digest: String = "d0",
    figures: [String: Double] = ["pitch.abs_error": 5, "latency.onset": 12],
    change: (_ recording: Int, _ metric: String, _ voice: String?) -> Double? = { _, _, _ in 0 }
  ) -> MeasuredRun {
    let cells = (0..<recordings).map { recording in
      var found: [FigureID: MetricResult.Outcome] = [:]
      for (metric, value) in figures {
        for voice in metric.hasPrefix("latency") ? [nil] : ["+4", "+7"] as [String?] {
          found[.init(metric, voice: voice)] =
            change(recording, metric, voice).map { .value(value + 0.1 * Double(recording) + $0) }
            ?? .undefined(Undefined(.silent, "the voice is not heard"))
        }
      }
      return ComparedCell(
        .init(
          recording: "r\(recording)", condition: "clean", score: "chord",
          configuration: "windowMs=20"),
        figures: found, key: "0123456789abcdef\(recording)")
    }
    var digests = Dictionary(uniqueKeysWithValues: (0..<recordings).map { ("r\($0)", "d\($0)") })
    digests["r0"] = digest
    return MeasuredRun(
      cells: cells,
      provenance: .init(
        plan: "smoke", subjects: ["reference 3"], corpus: "c", machine: "x86_64 Linux",
        date: "2026-01-31", recordings: digests, scores: ["chord": "s"]))
  }

  static func baseline(_ run: MeasuredRun = run(), reason: String = "first") throws -> Baseline {
    try Acceptance(of: run, over: nil, gate: gate, all: false, reason: reason).baseline
  }

  static func noise(_ takes: [MeasuredRun], differingFigures: Int = 0) -> GateNoise {
    GateNoise(takes, of: gate.comparedMetrics, differingFigures: differingFigures)
  }

  /// The judge of a baseline, the first run, whose noise the others show.
  static func judge(_ runs: [MeasuredRun], differingFigures: Int = 0) throws -> GateJudge {
    GateJudge(
      gate, baseline: try baseline(runs[0]),
      noise: noise(Array(runs.dropFirst()), differingFigures: differingFigures), explainOptions: "")
  }

  static func result(
    of run: MeasuredRun, _ gate: Gate = gate, baseline: Baseline? = nil
  ) throws -> GateResult {
    try GateJudge(
      gate, baseline: baseline ?? self.baseline(), explainOptions: "--run smoke"
    ).result(of: run)
  }

  static func failing(_ run: MeasuredRun, at index: Int, _ reason: String) -> MeasuredRun {
    var run = run
    let address = run.cells[index].address
    run.cells[index] = ComparedCell(
      CellResult(
        key: "k", recording: address.recording, kind: "sung", condition: address.condition,
        score: Score(id: address.score, intervalsSemitones: [4, 7]), subject: "s",
        settings: ["windowMs": .number(20)], sampleRateHz: 48_000, outcome: .failed(reason)),
      ignoring: ["subject"])
    return run
  }
}
