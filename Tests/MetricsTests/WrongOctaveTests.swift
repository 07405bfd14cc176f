import Corpus
import DSP
import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Analyzer
@testable import Metrics
@testable import Subjects

/// A voice in the wrong octave is an octave off at any pitch of the lead, or its error is undefined. It
/// never has a small error.
@Suite struct WrongOctaveTests {
  private static let leadsHz = [60.0, 98, 220, 523, 880, 1000]

  /// Notes without a regular rhythm, so that their loudness tells the delay.
  private static let notes = [0.10...0.48, 0.60...1.15, 1.25...1.60, 1.75...2.30, 2.45...2.90]

  /// An uneven vibrato, whose contour tells the delay where the pulses of a low voice hide its loudness.
  private static func vibrato(_ time: Double) -> Double {
    exp2(0.01 * sin(2 * .pi * 5.5 * time + 3 * sin(2 * .pi * 0.4 * time)) + 0.02 * sin(1.9 * time))
  }

  private static func sung(_ hz: Double) -> Signal {
    var signal = TestVoice(seconds: 3) { hz * vibrato($0) }.signal()
    for n in signal.samples.indices {
      let time = Double(n) / 48_000
      let edge = notes.map { min(time - $0.lowerBound, $0.upperBound - time) }.max()!
      signal.samples[n] *= Float(min(1, max(0, edge / 0.01)))
    }
    return signal
  }

  private static func lead(_ hz: Double) -> PitchTrack {
    let f0Hz = (0..<600).map { frame -> Double in
      let time = Double(frame) * 0.005
      return notes.contains { $0.contains(time) } ? hz * vibrato(time) : 0
    }
    return PitchTrack(hopSeconds: 0.005, f0Hz: f0Hz)
  }

  private static func observation(
    leadHz: Double, _ intervals: [Double], sungSemitones: [Double], asMix: Bool
  ) throws -> Observation {
    let entry = ManifestEntry(
      id: "sung", source: "synthetic:sung", licence: "CC0-1.0", voice: "tenor", kind: "sung")
    let recording = Recording(
      entry: entry, signal: sung(leadHz), digest: "", truth: lead(leadHz),
      annotations: Annotations())
    let stems = sungSemitones.map { sung(leadHz * exp2($0 / 12)) }
    let mix = Signal.sum(of: stems)
    return Observation(
      recording,
      score: ResolvedScore(
        Score(id: "chord", intervalsSemitones: intervals), lead: recording.truth!),
      rendering: .init(
        mix: mix, stems: asMix ? [] : stems, reportedLatencyMs: 0, cpuSeconds: 0.01))
  }

  /// The median error is an octave within what the pitch moves between two frames. Below 60 Hz the windows
  /// hold few periods, so a voice may be most of a semitone from the octave, but is never near its target.
  private static func check(
    _ error: Double?, _ octaveShare: Double?, sungHz: Double, _ place: String
  ) {
    let isLow = sungHz < 60
    if let error { #expect(abs(error - 1200) < (isLow ? 90 : 5), "error \(error) \(place)") }
    if let octaveShare, !isLow {
      #expect(octaveShare > 0.9, "octave errors \(octaveShare) \(place)")
    }
  }

  @Test(arguments: leadsHz, [-12.0, 12])
  func aStemIsAnOctaveOff(leadHz: Double, octave: Double) throws {
    let wrong = try Self.observation(leadHz: leadHz, [2], sungSemitones: [2 + octave], asMix: false)
    for id in ["pitch.abs_error", "pitch.judge_error.median"] {
      Self.check(
        wrong.value(id), wrong.value("pitch.octave_errors"),
        sungHz: leadHz * exp2((2 + octave) / 12), "\(id) at \(leadHz) Hz, \(octave) semitones")
    }
  }

  @Test(arguments: leadsHz) func aStemInItsOctaveHasNoError(leadHz: Double) throws {
    let right = try Self.observation(leadHz: leadHz, [2], sungSemitones: [2], asMix: false)
    #expect(try #require(right.value("pitch.abs_error")) < 5)
    #expect(right.value("pitch.octave_errors") == 0)
  }

  @Test(arguments: leadsHz, [-12.0, 12])
  func aVoiceOfAMixIsAnOctaveOff(leadHz: Double, octave: Double) throws {
    let wrong = try Self.observation(
      leadHz: leadHz, [2, 6], sungSemitones: [2 + octave, 6], asMix: true)
    Self.check(
      wrong.value("pitch.abs_error"), wrong.value("pitch.octave_errors"),
      sungHz: leadHz * exp2((2 + octave) / 12), "in a mix at \(leadHz) Hz, \(octave) semitones")
  }

  @Test(arguments: [(48.0, "pitchTooLow"), (1300, "pitchTooHigh")], [false, true])
  func aTargetOutsideOfTheRangeIsTheReason(_ target: (hz: Double, code: String), asMix: Bool) throws
  {
    let leadHz = target.hz * exp2(-2.0 / 12)
    let observation = try Self.observation(
      leadHz: leadHz, [2, 2.5], sungSemitones: [2, 2.5], asMix: asMix)
    for id in ["pitch.abs_error", "pitch.octave_errors", "voice.missing"] {
      let found = try #require(Metric.metric(id: id)).measure(observation).first { $0.voice == 0 }
      let reason = try #require(found?.outcome.reason, "\(id) has a value")
      // The pulses of so low a voice hide its loudness, and then the delay is the first reason.
      if observation.delay.unknown == nil {
        #expect(reason.code.rawValue == target.code)
        #expect(reason.detail.contains("from 60 to 1200 Hz"))
      } else {
        #expect(target.hz == 48 && reason.code == .uncorrelated)
      }
    }
  }

  @Test(arguments: leadsHz, [-12.0, 12])
  func theTestOfAPairIsAnOctaveOff(leadHz: Double, octave: Double) throws {
    let pair = try SoundPair(
      Self.sung(leadHz * exp2(octave / 12)), against: Self.sung(leadHz), delayMs: 0)
    let found = PairFinding.all(of: pair, PairMetric.pitch)
    func value(_ id: String) throws -> Double? {
      try #require(found.first { $0.figure.id == id }).measurement.outcome.number
    }
    Self.check(
      try value("pitch.abs_error"), try value("pitch.octave_errors"),
      sungHz: leadHz * exp2(octave / 12), "at \(leadHz) Hz, \(octave) semitones")
  }
}
