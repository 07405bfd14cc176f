import Analyzer
import DSP
import Foundation
import Singer
import TestSupport
import Testing

@testable import Corpus
@testable import Metrics
@testable import Platform
@testable import Subjects

/// The metrics of examples/own-metric, where its script has installed what they need.
@Suite(.serialized, .enabled(if: Examples.areInstalled, "needs examples/own-metric/install"))
struct ExampleMetricsTests {
  private func metric(_ name: String) throws -> OwnMetric {
    try OwnMetric(reading: Examples.folder.appendingPathComponent("\(name).yaml"))
  }

  /// Measures a sound beside the ideal of a spoken performance, or beside the clean voice.
  private func value(
    _ name: String, _ change: (Signal) -> Signal, of recording: Recording? = nil
  ) throws -> Double? {
    let performance = try Songbook.performance(id: "spoken-baritone")
    let sung = try performance.render(sampleRateHz: 48_000)
    let lead = PitchTrack(of: sung.truth)
    let score = ResolvedScore(Score(id: "unison", intervalsSemitones: [0]), lead: lead)
    let entry = ManifestEntry(
      id: "spoken", source: "test", licence: "CC0-1.0", voice: "male", kind: "spoken")
    let oracle = try recording == nil ? Oracle(performance, score) : nil
    let recording =
      recording ?? Recording(entry: entry, signal: oracle!.stems[0].signal, digest: "")
    let output = change(recording.signal)
    return try metric(name).metric.measure(
      Observation(
        recording, score: score, rendering: Rendering(mix: output, stems: [output]),
        oracle: oracle, delay: .given(ms: 0)))[0].outcome.number
  }

  private func noisy(_ sound: Signal) -> Signal {
    var random = SeededGenerator(seed: 7)
    return Signal(
      sound.samples.map { $0 + Float(0.02 * (random.uniform() - 0.5)) },
      sampleRateHz: sound.sampleRateHz)
  }

  /// P.862.2 maps the best raw score, 4.5, to 4.644.
  @Test func pesqOfTheIdealIsTheEndOfItsScale() throws {
    let ideal = try #require(try value("pesq") { $0 })
    #expect(abs(ideal - 4.644) < 0.001)
    #expect(try #require(try value("pesq", noisy)) < ideal - 0.2)
  }

  /// ViSQOL's audio model gives equal sounds 4.732 (its conformance test of identical files).
  @Test func visqolOfTheIdealIsTheEndOfItsScale() throws {
    let ideal = try #require(try value("visqol") { $0 })
    #expect(abs(ideal - 4.732) < 0.001)
    #expect(try #require(try value("visqol", noisy)) < ideal - 0.2)
  }

  /// The words of a recording that PocketSphinx understands; silence loses all of them.
  @Test func silenceLosesEveryWord() throws {
    let corpus = try Corpus(
      folder: Examples.folder.appendingPathComponent("../../Corpus").standardized)
    let recording = try corpus.recording(corpus.entry(id: "spoken-male-christmas"))
    let clean = try #require(try value("word-errors", { $0 }, of: recording))
    #expect(clean <= 0.25)
    let silent = try value(
      "word-errors", { Signal($0.samples.map { _ in 0 }, sampleRateHz: $0.sampleRateHz) },
      of: recording)
    #expect(silent == 1)
  }
}

private enum Examples {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../../examples/own-metric").standardized

  static let areInstalled = ProgramFile.path(of: ".build/bin/python", in: folder) != nil
}
