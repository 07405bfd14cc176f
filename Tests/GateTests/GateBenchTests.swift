import Corpus
import DSP
import EvaluationSupport
import Foundation
import Subjects
import TestSupport
import Testing

@testable import Gate
@testable import Sweep

@Suite struct GateBenchTests {
  /// Passes its input on, with silence in place of bad samples. If `failsAfterDC`, it gives NaN three seconds after the input began with a
  /// constant.
  private struct Passing: Subject {
    let id = "passing", version = "1"
    var failsAfterDC = false

    func validate(_ settings: SubjectSettings, for score: Score) {}
    func render(_ signal: Signal, score: ResolvedScore, settings: SubjectSettings) -> Rendering {
      var sound = signal
      sound.samples = signal.samples.map { $0.isFinite ? $0 : 0 }
      let late = Int(3 * signal.sampleRateHz)
      if failsAfterDC, sound.count > late, sound.samples[0] == 0.5 { sound.samples[late] = .nan }
      return Rendering(mix: sound, stems: Array(repeating: sound, count: score.voices.count))
    }
  }

  private static func run(_ subject: Passing, in folder: TemporaryFolder) throws -> GateRun {
    try folder.write(
      """
      name: small
      subject: passing
      recordings: ["*"]
      scores: [{id: third, intervalsSemitones: [4]}]
      """, to: "plan.yaml")
    let gate = Gate(url: folder.file("gate.yaml"), plan: "plan.yaml", baseline: "gate.tsv")
    return try GateRun(gate, corpus: folder.corpus(), testing: [subject])
  }

  @Test func aFaultThatNoRecordingShowsIsARegression() throws {
    let folder = try TemporaryFolder()
    let healthy = try Self.run(Passing(), in: folder).bench()
    #expect(healthy.answers.values.allSatisfy { $0.verdict == .good })
    let broken = try Self.run(Passing(failsAfterDC: true), in: folder).bench()
    let findings = broken.findings(against: healthy)
    #expect(findings.map(\.kind) == [.regression])
    #expect(findings[0].subject == "bench · dc, then voice · passing")
    #expect(findings[0].message.hasPrefix("returned nan at sample 144000; before: "))
    #expect(healthy.findings(against: broken).map(\.kind) == [.improvement])
    #expect(healthy.findings(against: healthy).isEmpty)
  }

  private typealias Row = (verdict: ProbeFinding.Verdict, words: String)

  private static func bench(_ rows: [String: Row]) -> GateBench {
    GateBench(
      Dictionary(
        uniqueKeysWithValues: rows.map { sound, row in
          (
            GateBench.Place(configuration: "mine gain=2", sound: sound),
            GateBench.Answer(verdict: row.verdict, words: row.words)
          )
        }))
  }

  @Test func theFileKeepsEveryAnswer() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("gate.bench.tsv")
    let bench = Self.bench([
      "nan": (.poor, "returned nan"), "96 kHz": (.good, "finite"), "dc": (.undefined, "no file"),
    ])
    let baseline = try GateSamples.baseline()
    try baseline.write(to: folder.file("gate.tsv"), bench: bench)
    func read(_ baseline: Baseline) throws -> GateBench {
      try GateBench(reading: file, of: baseline, accept: "accept")
    }
    #expect(try read(baseline) == bench)
    #expect(
      throws: OtherBaseline(path: file.relativeToHere, accept: "accept")
    ) { try read(GateSamples.baseline(reason: "another")) }
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacingOccurrences(of: "poor", with: "bad").write(
      to: file, atomically: true, encoding: .utf8)
    #expect {
      try read(baseline)
    } throws: { error in
      // Rows are in the order of their sounds: 96 kHz, dc, nan.
      "\(error)".contains(":5: ")
    }
  }

  /// Only what became poor is accepted without `--all`; the rest keeps its words.
  @Test func acceptingTakesRegressionsAndNewSounds() {
    let old = Self.bench([
      "a": (.good, "1"), "b": (.poor, "1"), "c": (.good, "1"), "e": (.good, "1"),
    ])
    let new = Self.bench([
      "a": (.poor, "2"), "b": (.good, "2"), "c": (.good, "2"), "d": (.poor, "2"),
    ])
    #expect(
      old.accepting(new, all: false)
        == Self.bench([
          "a": (.poor, "2"), "b": (.poor, "1"), "c": (.good, "1"), "d": (.poor, "2"),
          "e": (.good, "1"),
        ]))
    #expect(
      old.accepting(new, all: true)
        == Self.bench([
          "a": (.poor, "2"), "b": (.good, "2"), "c": (.good, "1"), "d": (.poor, "2"),
        ]))
    #expect(old.accepting(new, all: false).changes(from: old) == 2)
    // A poor sound that nobody accepted fails nothing; a good answer that is gone does.
    #expect(
      new.findings(against: old).map(\.kind) == [.regression, .improvement, .note, .notComparable])
  }
}
