import Analyzer
import DSP
import EvaluationSupport
import Foundation
import Singer
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects

@Suite struct ScoreOracleTests {
  /// Two syllables with consonants, vibrato on the second.
  static let performance: Performance = {
    var phrase = Phrase(voice: .tenor, beatsPerMinute: 60)
    phrase.sing("C3", "sa")
    phrase.sing("E3", "mi") { $0.vibrato.extentCents = 60 }
    return phrase.performance(seed: 7)
  }()

  static func oracle(
    _ yaml: String, of performance: Performance = performance
  ) throws -> (lead: SynthesizedVoice, stems: [Oracle.Stem]) {
    let lead = try performance.render()
    let resolved = ResolvedScore(try score(yaml), lead: track(of: lead.truth))
    return (lead, try Oracle(performance, resolved).stems)
  }

  static func track(of truth: Truth) -> PitchTrack {
    let f0 = stride(from: 0, to: truth.f0Hz.count, by: 240).map { truth.f0Hz[$0] }
    return PitchTrack(hopSeconds: 0.005, f0Hz: f0)
  }

  /// Formants are identical, and the pitch with its jitter has the exact ratio.
  @Test func aPairDiffersInPitchAlone() throws {
    let (lead, stems) = try Self.oracle("id: x\nintervalsSemitones: [0, 7]")
    #expect(stems.count == 2)
    #expect(stems[0].signal == lead.signal)
    let (low, high) = (stems[0].truth, stems[1].truth)
    #expect(stems[1].signal.count == lead.signal.count)
    #expect(low.frames.map(\.formantsHz) == high.frames.map(\.formantsHz))
    #expect(low.frames.map(\.bandwidthsHz) == high.frames.map(\.bandwidthsHz))
    #expect(low.phones == high.phones && low.phones.count == 4)
    var voiced = 0
    for (a, b) in zip(low.f0Hz, high.f0Hz) {
      #expect((a > 0) == (b > 0))
      guard a > 0 else { continue }
      voiced += 1
      // 2^(7/12); a sum of roundings of double precision apart.
      #expect(abs(b / a - 1.498307076876682) < 1e-12)
    }
    #expect(voiced > 48_000)
    #expect(stems[1].signal != lead.signal)
  }

  /// The notes are exact in the truth and heard by a tracker; elsewhere is silence.
  @Test func aChordIsSungOnItsNotes() throws {
    let (lead, stems) = try Self.oracle(
      """
      id: x
      lowestNote: C3
      chords:
        - {atSeconds: 0.4, chord: Am}
        - {atSeconds: 1.2, chord: G}
        - {atSeconds: 2.0, chord: rest}
      """)
    let notes = [(220.0, 195.9977), (261.6256, 246.9417), (329.6276, 293.6648)]
    #expect(stems.count == 3)
    for (stem, (first, second)) in zip(stems, notes) {
      #expect(stem.signal.count == lead.signal.count)
      #expect(stem.truth.phones == lead.truth.phones)
      let heard = PitchTracker.standard.track(stem.signal)
      for (sample, hz) in [(30_000, first), (48_000, first), (76_800, second), (90_000, second)] {
        #expect(abs(stem.truth.f0Hz[sample] - hz) < 0.0001)  // as many digits as written here
        // The tracker's own error on steady vowels is 2 cents.
        #expect(abs(cents(heard.f0Hz[sample / 240], over: hz)) < 2)
      }
      #expect(stem.truth.f0Hz[..<19_200].allSatisfy { $0 == 0 })
      #expect(stem.signal.samples[..<19_200].allSatisfy { $0 == 0 })
      #expect(stem.signal.samples[(96_000 + 240)...].allSatisfy { $0 == 0 })
    }
  }

  /// A third above C is major, above E minor; the vibrato is the lead's own.
  @Test func degreesKeepTheLeadsPitchCurve() throws {
    let (lead, stems) = try Self.oracle("id: x\nkey: C major\ndegrees: [3]")
    for (sample, interval) in [(30_000, 4.0), (90_000, 3), (93_000, 3), (96_000, 3)] {
      let expected = lead.truth.f0Hz[sample] * exp2(interval / 12)
      // The line goes in steps of 1 ms through a pitch that has jitter from cycle to cycle.
      #expect(abs(cents(stems[0].truth.f0Hz[sample], over: expected)) < 5)
    }
    #expect(stems[0].truth.phones == lead.truth.phones)
  }

  @Test func onlySyntheticRecordingsHaveOne() throws {
    var entry = ManifestEntry(
      id: "r", source: "synthetic:scale-tenor", licence: "CC0-1.0", voice: "tenor", kind: "sung")
    #expect(Oracle.performance(behind: entry) == (try Songbook.performance(id: "scale-tenor")))
    entry.source = "debian:x:/y"
    #expect(Oracle.performance(behind: entry) == nil)
  }
}

@Suite struct OracleIntelligibilityTests {
  /// A choir that is the oracle itself, late by a known time, loses no intelligibility; a voice with
  /// noise does.
  @Test func theOracleAgainstItselfIsPerfect() throws {
    let performance = try Songbook.performance(id: "melody-frere-jacques")
    let sung = try performance.render()
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: [])
    let score = ResolvedScore(Score(id: "two", intervalsSemitones: [0, 4]), lead: lead)
    let oracle = try Oracle(performance, score)
    let late = 480
    var random = SeededGenerator(seed: 4)
    let stems = oracle.stems.enumerated().map { voice, stem in
      let sound = [Float](repeating: 0, count: late) + stem.signal.samples.dropLast(late)
      return Signal(
        sound.map { $0 + (voice == 1 ? Float(0.05 * (random.uniform() - 0.5)) : 0) },
        sampleRateHz: 48_000)
    }
    var entry = ManifestEntry(
      id: "a", source: "synthetic:melody-frere-jacques", licence: "CC0-1.0", voice: "child",
      kind: "sung")
    // Intelligibility needs words.
    entry.statedTechnique = "song"
    let observation = Observation(
      Recording(entry: entry, signal: sung.signal, digest: "", truth: nil), score: score,
      rendering: Rendering(
        mix: stems[0], stems: stems, reportedLatencyMs: 10, cpuSeconds: 0, truthLog: nil),
      oracle: oracle)
    #expect(abs(try #require(observation.delay.seconds) - 0.01) < 0.0005)
    let found = try [0, 1].map {
      try #require(observation.value("intelligibility.estoi", voice: $0))
    }
    // The delay is read within half a millisecond, which ESTOI's frames of 25.6 ms hardly see.
    #expect(found[0] > 0.98 && found[0] <= 1.000_001)
    #expect(found[1] < found[0] - 0.05)
  }
}
