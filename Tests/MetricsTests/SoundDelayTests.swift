import Analyzer
import DSP
import EvaluationSupport
import Foundation
import Singer
import TestSupport
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects

/// All figures of a pair, or of a cell, are measured at one delay, which comes from the sound.
@Suite struct SoundDelayTests {
  private static let rateHz = 16_000.0

  /// Returns eight harmonics with soft ends.
  private static func note(_ hz: Double, seconds: Double, level: Double = 0.3) -> [Float] {
    (0..<Int(seconds * rateHz)).map { n in
      let time = Double(n) / rateHz
      let fade = min(1, time / 0.01, (seconds - time) / 0.01)
      let sum = (1...8).reduce(0.0) { $0 + sin(2 * .pi * hz * Double($1) * time) / Double($1) }
      return Float(0.5 * level * fade * sum)
    }
  }

  /// Returns notes of irregular times, pitches and levels, each later by a time that may change.
  private static func tune(
    raisedBySemitones: Double = 0, seconds: Double = 13, late: (Double) -> Double = { _ in 0 }
  ) -> Signal {
    var random = SeededGenerator(seed: 5)
    var samples = [Float](repeating: 0, count: Int((seconds + 1) * rateHz))
    var time = 0.7
    while time < seconds - 1 {
      let length = 0.18 + 0.32 * random.uniform()
      let key = [0.0, 2, 3, 5, 7, 8, 10][Int(7 * random.uniform())]
      let sound = note(
        220 * exp2((key + raisedBySemitones) / 12), seconds: length,
        level: 0.15 + 0.2 * random.uniform())
      let start = Int((time + late(time)) * rateHz)
      for (i, sample) in sound.enumerated() where samples.indices.contains(start + i) {
        samples[start + i] += sample
      }
      time += length + 0.03 + 0.22 * random.uniform()
    }
    for i in samples.indices { samples[i] += Float(2e-4 * (random.uniform() - 0.5)) }
    return Signal(samples, sampleRateHz: rateHz)
  }

  private static let reference = tune()

  private func figures(
    of test: Signal, semitones: Double = 4, _ metrics: [PairMetric] = PairMetric.all
  ) throws -> [String: MetricResult.Outcome] {
    let pair = try SoundPair(test, against: Self.reference, shiftSemitones: semitones)
    return Dictionary(
      uniqueKeysWithValues: PairFinding.all(of: pair, metrics).map {
        ($0.figure.id, $0.measurement.outcome)
      })
  }

  /// Delays beyond the 250 ms that effects have are measured as well.
  @Test(arguments: [-0.2, 0, 0.3, 0.45, 0.8]) func farDelaysAreMeasured(seconds: Double) throws {
    let found = try figures(of: Self.tune(raisedBySemitones: 4) { _ in seconds })
    #expect(abs(try #require(found["latency.alignment"]?.number) - 1000 * seconds) < 3)
    #expect(try #require(found["pitch.abs_error"]?.number) < 3)
    #expect(try #require(found["voice.missing"]?.number) < 0.03)
  }

  private static let changes: [@Sendable (Double) -> Double] = [
    { 0.0033 * $0 }, { $0 < 6 ? 0 : 0.04 }, { $0 < 4 ? 0.06 : 0.03 }, { 0.1 - 0.005 * $0 },
  ]

  /// Loudness tells a change from notes that begin every third of a second, by some milliseconds.
  @Test(arguments: 0..<4) func aChangeIsMeasured(kind: Int) throws {
    let late = Self.changes[kind]
    let change = try #require(
      OnsetDelay.change(of: Self.tune(raisedBySemitones: 4, late: late), from: Self.reference))
    for time in [1.0, 3, 8, 11] {
      #expect(abs(change.ms(atSeconds: time) - 1000 * late(time)) < 6, "\(time) s: \(change.knots)")
    }
  }

  /// A delay that drifts, as of another clock, or jumps is no single number. Steady notes don't tell
  /// when it does.
  @Test(arguments: 0..<4) func aDelayThatChangesIsUndefined(kind: Int) throws {
    let late = Self.changes[kind]
    let found = try figures(of: Self.tune(raisedBySemitones: 4, late: late))
    #expect(found["latency.alignment"]?.reason?.code == .changingDelay)
    #expect(found["pitch.abs_error"]?.reason?.code == .changingDelay)
    // Figures of the test alone need no delay.
    #expect(found["clipping.share"]?.number == 0 && found["level.change"]?.number != nil)
  }

  /// Onsets through a delay line that sweeps scatter over 50 ms, which is no change of the delay.
  @Test(arguments: 1...8) func scatteredDelaysAreOneDelay(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let late = Self.tune(raisedBySemitones: 4) { _ in 0.05 * random.uniform() }
    let found = try figures(of: late, [.delay])
    #expect(abs(try #require(found["latency.alignment"]?.number) - 25) < 20)
  }

  /// Sounds that have nothing in common have no delay, and no figure that needs one.
  @Test func anUnknownDelayLeavesFiguresUndefined() throws {
    let other = Signal(Self.reference.samples.reversed(), sampleRateHz: Self.rateHz)
    let found = try figures(of: other, semitones: 0)
    for id in ["pitch.abs_error", "voice.missing", "voice.ghost", "envelope.lsd", "timbre.mcd"] {
      #expect(found[id]?.number == nil, "\(id)")
    }
    #expect(found["clipping.share"]?.number == 0)
  }

  /// One lost buffer makes the rest of a steady note earlier. Its waveform fits at each period.
  @Test(arguments: [30, 128, 200]) func aLostBufferIsNoDelay(samples: Int) throws {
    let steady = Signal(Self.note(220, seconds: 1.5), sampleRateHz: Self.rateHz)
    let lost = Signal(
      Array(steady.samples[..<7_000] + steady.samples[(7_000 + samples)...]),
      sampleRateHz: Self.rateHz)
    let pair = try SoundPair(lost, against: steady)
    #expect(pair.delay.ms == nil, "\(pair.delay)")
  }

  /// A steady note with noise is found where its ends are, not a period later.
  @Test(arguments: 1...5) func aSteadyNoteIsNotOffByPeriods(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let steady = Self.note(220, seconds: 1.5)
    let late = [Float](repeating: 0, count: 160) + steady
    let noisy = late.map { $0 + Float(0.3 * (random.uniform() - 0.5)) }
    let pair = try SoundPair(
      Signal(noisy, sampleRateHz: Self.rateHz), against: Signal(steady, sampleRateHz: Self.rateHz))
    // The period is 4.5 ms.
    if let ms = pair.delay.ms { #expect(abs(ms - 10) < 2, "\(pair.delay)") }
  }

  /// A voice a cent sharp slides along the reference, from period to period, and is not later.
  @Test(arguments: [0.3, 1, 3, 10]) func aDetunedVoiceHasOneDelay(cents: Double) throws {
    let steady = Signal(Self.note(220, seconds: 3), sampleRateHz: Self.rateHz)
    let sharp = Signal(Self.note(220 * exp2(cents / 1200), seconds: 3), sampleRateHz: Self.rateHz)
    let pair = try SoundPair(sharp, against: steady)
    #expect(pair.delay.unknown?.code != .changingDelay, "\(pair.delay)")
  }

  // MARK: Runs

  /// Returns the observation of a voice that follows a lead of constant loudness and begins before the
  /// recording does, so that only its pitch may tell the delay.
  private func observation(
    late: (Double) -> Double, statedMs: Double?, _ semitones: (Double) -> Double
  ) -> Observation {
    func sound(_ interval: Double, late: (Double) -> Double) -> Signal {
      .harmonics(Array(repeating: 0.1, count: 8), seconds: 4, sampleRateHz: Self.rateHz) {
        220 * exp2((semitones($0 - late($0)) + interval) / 12)
      }
    }
    let hop = 0.005
    let f0Hz = (0..<800).map { 220 * exp2(semitones(Double($0) * hop) / 12) }
    let lead = PitchTrack(hopSeconds: hop, f0Hz: f0Hz)
    let entry = ManifestEntry(id: "held", kind: "sung")
    let voice = sound(4, late: late)
    return Observation(
      Recording(entry: entry, signal: sound(0) { _ in 0 }, digest: "", truth: lead),
      score: ResolvedScore(Score(id: "third", intervalsSemitones: [4]), lead: lead),
      rendering: Rendering(mix: voice, stems: [voice], reportedLatencyMs: statedMs))
  }

  private static func late85(_ time: Double) -> Double { 0.085 }

  /// An irregular vibrato.
  private static func irregular(_ time: Double) -> Double {
    0.5 * sin(2 * .pi * 5.5 * time + 3 * sin(2 * .pi * 0.4 * time)) + 0.3
      * sin(2 * .pi * 0.3 * time)
  }

  /// A statement of the subject changes no figure but those of the statement.
  @Test func aStatementMovesNoFigure() {
    let stated = [nil, 0, 40].map {
      observation(late: Self.late85, statedMs: $0, Self.irregular)
    }
    let ofStatements: Set = ["latency.reported", "latency.report_error"]
    for metric in Metric.builtIn where !ofStatements.contains(metric.id) {
      let results = stated.map(metric.measure)
      #expect(results.allSatisfy { $0 == results[0] }, "\(metric.id): \(results)")
    }
  }

  /// A voice is judged at its own delay, so a louder and later voice beside it moves none of its figures.
  @Test func aVoiceMovesNoFigureOfAnother() throws {
    let lead = AnalyzedSound(Self.reference).track
    let entry = ManifestEntry(id: "tune", kind: "sung")
    let found = [(0.02, Float(1)), (0.023, 4)].map { late, gain in
      let other = Self.tune(raisedBySemitones: 7) { _ in late }
      let stems = [
        Self.tune(raisedBySemitones: 4) { _ in 0.02 },
        Signal(other.samples.map { gain * $0 }, sampleRateHz: Self.rateHz),
      ]
      let mix = zip(stems[0].samples, stems[1].samples).map(+)
      return Observation(
        Recording(entry: entry, signal: Self.reference, digest: "", truth: lead),
        score: ResolvedScore(Score(id: "two", intervalsSemitones: [4, 7]), lead: lead),
        rendering: Rendering(mix: Signal(mix, sampleRateHz: Self.rateHz), stems: stems))
    }
    #expect(found[0].loudnessDelay != found[1].loudnessDelay)
    for metric in Metric.builtIn where metric.id.hasPrefix("pitch.") {
      let results = found.map { metric.measure($0).filter { $0.voice == 0 } }
      #expect(results[0] == results[1], "\(metric.id): \(results)")
    }
  }

  /// The contour follows a delay that changes, so figures of pitch have their values; those of pairs need
  /// one delay.
  @Test(arguments: [0.012, 0.02]) func pitchFollowsAJump(jumpSeconds: Double) throws {
    let late = { (time: Double) in time < 1.8 ? 0.03 : 0.03 + jumpSeconds }
    let found = observation(late: late, statedMs: nil, Self.irregular)
    #expect(try #require(found.value("pitch.abs_error")) < 1.5)
    #expect(found.value("voice.missing") == 0)
    let trajectory = try #require(found.delay.trajectory)
    for time in [0.5, 3] {
      #expect(abs(trajectory.ms(atSeconds: time) - 1000 * late(time)) < 2, "\(trajectory.knots)")
    }
    #expect(found.delay.unknown?.code == .changingDelay && found.value("envelope.lsd") == nil)
  }

  /// The stated delay moves nothing: the contour of an irregular vibrato tells the delay.
  @Test(arguments: [nil, 0, 40, 85]) func theStatedDelayAlignsNothing(statedMs: Double?) throws {
    let found = observation(late: Self.late85, statedMs: statedMs, Self.irregular)
    // The tracker reads a vibrato within half a cent.
    #expect(try #require(found.value("pitch.abs_error")) < 1.5)
    #expect(found.value("pitch.gross_errors") == 0)
    #expect(abs(try #require(found.delay.ms) - 85) < 2)
    // The contour can't be late against a delay that it tells itself.
    #expect(found.value("pitch.lag") == nil)
    #expect(found.value("latency.alignment", voice: nil) == found.delay.ms)
    #expect(found.value("latency.reported", voice: nil) == statedMs)
  }

  /// A regular vibrato fits at each of its periods, so nothing tells the delay.
  @Test(arguments: [nil, 40]) func withoutADelayFiguresAreUndefined(statedMs: Double?) throws {
    let found = observation(late: Self.late85, statedMs: statedMs) {
      0.5 * sin(2 * .pi * 5.5 * $0)
    }
    #expect(found.delay.unknown != nil)
    for id in ["pitch.abs_error", "pitch.bias", "voice.missing", "envelope.lsd", "clicks.count"] {
      #expect(found.value(id) == nil, "\(id)")
      #expect(found.reason(id) == found.delay.unknown?.detail, "\(id)")
    }
    #expect(found.value("clipping.share") == 0)
  }

  /// A steady tone has the same target at every delay.
  @Test func aSteadyToneNeedsNoDelay() throws {
    let found = observation(late: Self.late85, statedMs: nil) { _ in 0 }
    #expect(found.delay.unknown != nil)
    #expect(try #require(found.value("pitch.abs_error")) < 0.1)
    #expect(found.value("pitch.octave_errors") == 0)
    for id in ["voice.missing", "pitch.residual", "envelope.lsd", "clicks.count"] {
      #expect(found.value(id) == nil, "\(id)")
    }
  }

  /// Holes of 10 ms are clicks, not a lost voice, and those of 100 ms are a lost voice, in a run as in a
  /// comparison of two files.
  @Test(arguments: [(10, false), (100, true)])
  func missingFramesAreThoseOfRuns(gap: (ms: Int, isLost: Bool)) throws {
    let performance = try Songbook.performance(id: "vowels-tenor")
    let unison = Score(id: "unison", intervalsSemitones: [0])
    let recording = try ChoirOfSingers(performance, unison).recording
    let truth = try #require(recording.truth)
    var holes = recording.signal
    for start in stride(from: 9_600, to: holes.count - 4_800, by: 9_600) {
      for i in start..<start + 48 * gap.ms { holes.samples[i] = 0 }
    }
    let voice = VoiceObservation(
      AnalyzedSound(holes), voice: 0, of: ResolvedScore(unison, lead: truth),
      beside: AnalyzedSound(recording.signal, track: truth), delay: .given(ms: 0))
    let pair = try SoundPair(holes, against: recording.signal, delayMs: 0)
    let inRun = try #require(Metric.missing.measure(voice).outcome.number)
    let found = PairFinding.all(of: pair).first { $0.figure.id == "voice.missing" }
    let inPair = try #require(found?.measurement.outcome.number)
    for value in [inRun, inPair] { #expect(gap.isLost ? value > 0.1 : value == 0, "\(value)") }
    #expect(abs(inRun - inPair) < 0.05)
  }
}
