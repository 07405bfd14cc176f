import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Gate

@Suite struct GateNoiseTests {
  @Test func theFileIsReadAgain() throws {
    let runs = (1...3).map { number in
      GateSamples.run { recording, _, voice in
        recording == number && voice == "+4" ? nil : Double(number) / 3
      }
    }
    let noise = GateNoise(
      runs, of: GateSamples.gate.comparedMetrics, differingFigures: 7, alarms: ["alarms: none"])
    let scratch = try TemporaryFolder()
    let url = try scratch.write(noise.text, to: "n.tsv")
    #expect(try GateNoise(reading: url) == noise)
    #expect(noise.isRandom && noise.perturbations == 3)
    let lost = noise.cells[runs[0].cells[2].address]?[.init("pitch.abs_error", voice: "+4")]
    // Recording 2 has no value in the second run; the others have six digits.
    #expect(lost == [5.53333, nil, 6.2])
  }

  /// The runs come back with their six digits and without what had no value.
  @Test func runsComeBack() {
    let runs = (1...3).map { number in
      GateSamples.run { recording, _, voice in
        recording == number && voice == "+4" ? nil : Double(number)
      }
    }
    let noise = GateNoise(runs, of: GateSamples.gate.comparedMetrics, differingFigures: 0)
    let found = noise.runs(of: runs[0])
    #expect(found.map { $0.cells.map(\.address) } == runs.map { $0.cells.map(\.address) })
    for (found, run) in zip(found, runs) {
      for (cell, original) in zip(found.cells, run.cells) {
        #expect(cell.figures == original.keeping(GateSamples.gate.comparedMetrics).figures)
      }
    }
  }

  /// A file that was restored or merged alone belongs to another baseline.
  @Test func noiseOfAnotherBaselineIsNotedAndReplaced() throws {
    var elsewhere = GateSamples.run()
    elsewhere.provenance.corpus = "another"
    func noise(_ run: MeasuredRun) -> GateNoise {
      GateNoise([run], of: GateSamples.gate.comparedMetrics, differingFigures: 0)
    }
    func notes(_ noise: GateNoise) throws -> [GateFinding] {
      try GateJudge(
        GateSamples.gate, baseline: GateSamples.baseline(), noise: noise, explainOptions: ""
      ).result(of: GateSamples.run()).findings.filter { $0.subject == "noise" }
    }
    let (own, other) = (noise(GateSamples.run()), noise(elsewhere))
    #expect(try notes(own).isEmpty)
    let found = try #require(try notes(other).first)
    #expect(found.kind == .note && found.message.contains("with other recordings than"))
    var older = own
    older.header = ["judges: latency.onset 0"]
    #expect(try notes(older).first?.message.contains("other versions of latency.onset") == true)
    let accepted = try Acceptance(
      of: GateSamples.run(), over: GateSamples.baseline(), gate: GateSamples.gate, oldNoise: other,
      noise: own, all: false, reason: "again")
    #expect(accepted.isEmpty && accepted.replacesNoise && accepted.noise == own)
  }

  /// A first `accept` may name a folder that does not exist.
  @Test func writingCreatesTheFolderAndLeavesNothingElse() throws {
    let noise = GateNoise(
      [GateSamples.run()], of: GateSamples.gate.comparedMetrics, differingFigures: 0)
    let scratch = try TemporaryFolder()
    let url = scratch.file("not/yet/there/n.noise.tsv")
    try noise.write(to: url)
    #expect(try GateNoise(reading: url) == noise)
    let folder = url.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["n.noise.tsv"])
  }

  @Test(arguments: [
    ("# choir-eval.noise/1\nmetric\tnoise\tunit\n", "earlier version"),
    ("# choir-eval.noise/2\n# perturbations: 2\ncell\tr\tc\ts\tx\n\ta\t–\t1\n", "n.tsv:4"),
    ("# choir-eval.noise/2\n# perturbations: 1\ncell\tr\tc\ts\tx\n\ta\t–\tnan\n", "n.tsv:4"),
    ("# choir-eval.noise/2\n# perturbations: 1\n\ta\t–\t1\n", "n.tsv:3"),
    ("# choir-eval.noise/2\n# perturbations: x\n", "n.tsv:2"),
    ("# choir-eval.noise/2\n", "has no '# perturbations: N'"),
  ])
  func mistakesAreNamedByLine(text: String, problem: String) throws {
    let scratch = try TemporaryFolder()
    let url = try scratch.write(text, to: "n.tsv")
    do {
      _ = try GateNoise(reading: url)
      Issue.record("read a file with a mistake")
    } catch { #expect("\(error)".contains(problem), "\(error)") }
  }
}
