import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Gate

@Suite struct GateNoiseTests {
  private let scratch = try! TemporaryFolder()
  private var file: URL { scratch.file("smoke.noise.tsv") }

  private func noise(_ run: MeasuredRun = GateSamples.run(), takes: Int = 1) -> GateNoise {
    GateSamples.noise(Array(repeating: run, count: takes))
  }

  /// Reads a file as that of a baseline.
  private func read(_ baseline: Baseline) throws -> GateNoise {
    try GateNoise(reading: file, of: baseline, accept: "accept")
  }

  /// Writes noise beside a baseline and reads it again.
  private func read(_ noise: GateNoise) throws -> GateNoise {
    let baseline = try GateSamples.baseline()
    try baseline.write(to: scratch.file("smoke.tsv"), noise: noise)
    return try read(Baseline(reading: scratch.file("smoke.tsv")))
  }

  @Test func theFileIsReadAgain() throws {
    let runs = (1...3).map { number in
      GateSamples.run { recording, _, voice in
        recording == number && voice == "+4" ? nil : Double(number) / 3
      }
    }
    let noise = GateSamples.noise(runs, differingFigures: 7)
    #expect(try read(noise) == noise)
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
    let noise = GateSamples.noise(runs)
    let found = noise.runs(of: runs[0])
    #expect(found.map { $0.cells.map(\.address) } == runs.map { $0.cells.map(\.address) })
    for (found, run) in zip(found, runs) {
      for (cell, original) in zip(found.cells, run.cells) {
        #expect(cell.figures == original.keeping(Set(GateSamples.gate.comparedMetrics)).figures)
      }
    }
  }

  /// Noise of another program, with other judges, of other recordings, or with one other value.
  @Test func noiseOfAnotherBaselineIsRefused() throws {
    var others = [GateSamples.run(), GateSamples.run(), GateSamples.run()]
    others[0].provenance.subjects = ["reference 4"]
    others[1].provenance.judges = "others"
    others[2].provenance.corpus = "another"
    others.append(
      GateSamples.run { recording, metric, _ in
        recording == 3 && metric == "latency.onset" ? 0.001 : 0
      })
    let baseline = try GateSamples.baseline()
    for other in others {
      try GateSamples.baseline(other).write(to: scratch.file("smoke.tsv"), noise: noise())
      #expect(
        throws: OtherBaseline(path: file.relativeToHere, accept: "accept")
      ) { try read(baseline) }
    }
    try baseline.write(to: scratch.file("smoke.tsv"), noise: noise())
    #expect(try read(baseline) == noise())
  }

  /// Noise that could not be measured leaves no file of the baseline before.
  @Test func aBaselineWithoutNoiseRemovesTheOldFile() throws {
    _ = try read(noise())
    try GateSamples.baseline().write(to: scratch.file("smoke.tsv"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  /// A figure that `accept` keeps also keeps its noise; one that has none is refused.
  @Test func keptFiguresKeepTheirNoise() throws {
    let better = GateSamples.run { _, metric, _ in metric == "latency.onset" ? -4 : 0 }
    func accept(_ old: GateNoise?, all: Bool = false) throws -> Acceptance {
      try Acceptance(
        of: better, over: GateSamples.baseline(), gate: GateSamples.gate, oldNoise: old,
        noise: noise(better, takes: 2), all: all, reason: "again")
    }
    let (place, latency) = (better.cells[0].address, FigureID("latency.onset"))
    let kept = try accept(noise(takes: 2))
    #expect(kept.isEmpty && kept.keepsNoise && kept.noise?.cells[place]?[latency] == [12, 12])
    let all = try accept(noise(takes: 2), all: true)
    #expect(!all.isEmpty && all.noise?.cells[place]?[latency] == [8, 8])
    for unknown in [nil, noise(takes: 3)] {
      expectRefusal("the old values of 6 figures") { try accept(unknown) }
    }
  }

  /// A first `accept` may name a folder that does not exist.
  @Test func writingCreatesTheFolderAndLeavesNothingElse() throws {
    let url = scratch.file("not/yet/there/n.tsv")
    try GateSamples.baseline().write(to: url, noise: noise(), bench: GateBench())
    let folder = url.deletingLastPathComponent().path
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == ["n.bench.tsv", "n.cells.tsv", "n.noise.tsv", "n.tsv"])
  }

  @Test(arguments: [
    ("# perturbations: 2\n# differing figures: 0\ncell\tr\tc\ts\tx\n\ta\t–\t1\n", "noise.tsv:6"),
    ("# perturbations: 1\n# differing figures: 0\ncell\tr\tc\ts\tx\n\ta\t–\tnan\n", "noise.tsv:6"),
    ("# perturbations: 1\n# differing figures: 0\n\ta\t–\t1\n", "noise.tsv:5"),
    ("# perturbations: x\n# differing figures: 0\n", "has no whole '# perturbations: N'"),
    ("# perturbations: 1\n", "has no whole '# differing figures: N'"),
  ])
  func mistakesAreNamedByLine(text: String, problem: String) throws {
    let baseline = try GateSamples.baseline()
    try scratch.write(
      "# choir-eval.noise/3\n# baseline: \(baseline.digest)\n\(text)", to: "smoke.noise.tsv")
    expectError(problem) { try read(baseline) }
  }
}
