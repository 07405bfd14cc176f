import Analyzer
import DSP
import Foundation
import Statistics
import TestSupport
import Testing

@testable import Metrics
@testable import Subjects

@Suite struct ObservationTests {
  /// A lead rises by an octave a second, and a voice does so later and higher. With its delay the
  /// voice has no error, without it the rise during that time.
  @Test(arguments: [(0.1, 0.0), (0.1, 4), (0.05, -5)])
  func targetsAreLaterAndHigher(delaySeconds: Double, semitones: Double) {
    let ratio = exp2(semitones / 12)
    let hop = 0.005
    let leadHz = (0..<200).map { 150 * exp2(Double($0) * hop) }
    let lead = PitchTrack(hopSeconds: hop, f0Hz: leadHz)
    let stem = Signal.harmonics(sawtooth(8, first: 0.2)) {
      150 * ratio * exp2($0 - delaySeconds)
    }
    func median(_ delay: Double) -> Double {
      let voice = voiceObservation(stem, semitones: semitones, lead, lateSeconds: delay)
      return Statistics.median(voice.errorsCents(of: voice.heard))!
    }
    // The tracker follows a glide within 0.3 cents; half a sample of phase is 0.02.
    #expect(abs(median(delaySeconds)) < 0.4)
    #expect(abs(median(0) + 1200 * delaySeconds) < 0.4)
  }

  /// Returns a voice that follows a lead with a vibrato of 5 Hz, late and off by some cents.
  private static func follower(
    vibratoCents: Double, lateMs: Double, offCents: (_ time: Double) -> Double
  ) -> VoiceObservation {
    let hop = 0.005
    func hz(_ time: Double) -> Double {
      200 * exp2(vibratoCents * sin(2 * .pi * 5 * time) / 1200)
    }
    let lead = PitchTrack(hopSeconds: hop, f0Hz: (0..<400).map { hz(Double($0) * hop) })
    let stem = Signal.harmonics(sawtooth(8, first: 0.2), seconds: 2) {
      hz($0 - lateMs / 1000) * exp2(offCents($0) / 1200)
    }
    return voiceObservation(stem, semitones: 0, lead, lateSeconds: 0)
  }

  /// A voice with a vibrato of 40 cents that follows its lead late and 10 cents sharp. The error at
  /// no shift grows with the lag; the residual stays at 10 cents, and the lag is told apart.
  @Test(arguments: [-10.0, 0, 12, 30]) func lagAndResidualAreToldApart(lateMs: Double) throws {
    let voice = Self.follower(vibratoCents: 40, lateMs: lateMs) { _ in 10 }
    #expect(abs(try voice.lag.get().lagMs - lateMs) < 0.5)
    // The tracker reads a vibrato of 5 Hz within 0.4 cents.
    #expect(abs(Statistics.median(voice.residualsCents.map(abs))! - 10) < 0.5)
    // A sine late by t has the error 2 sin(pi 5 t) times its extent, a median of 0.71 of that.
    let expected = 40 * 2 * sin(.pi * 5 * abs(lateMs) / 1000) * 0.5.squareRoot()
    let median = Statistics.median(voice.errorsCents(of: voice.heard).map(abs))!
    #expect(lateMs == 0 ? abs(median - 10) < 0.5 : median > 0.7 * expected)
  }

  /// The voice sways by itself beside the vibrato that it follows 12 ms late. Its lag is not known to half
  /// a millisecond, but to three: what remains is the sway, whose median is 12 / √2 cents.
  @Test func aCoarseLagServesTheResidual() throws {
    let voice = Self.follower(vibratoCents: 60, lateMs: 12) { 12 * sin(2 * .pi * 4 * $0 + 1) }
    guard case .failure(let reason) = voice.lag, reason.cause == .uncertain else {
      Issue.record("the lag is \(voice.lag)")
      return
    }
    let lag = try ContourLag(likeliestOf: voice.heard, behind: voice.target)
    #expect(abs(lag.lagMs - 12) < 3 && lag.deviationMs < 3, "\(lag.lagMs) ± \(lag.deviationMs)")
    let median = Statistics.median(voice.residualsCents.map(abs))!
    #expect(abs(median - 12 / 2.0.squareRoot()) < 1, "\(median)")
  }

  /// A target with vibrato around 1200 Hz is measured there, not an octave below.
  @Test func voicesAtTheEdgeOfTheDomainKeepTheirOctave() {
    let hop = 0.005
    func hz(_ time: Double) -> Double { 1195 * exp2(0.12 * sin(2 * .pi * 6 * time)) }
    let lead = PitchTrack(hopSeconds: hop, f0Hz: (0..<200).map { hz(Double($0) * hop) })
    let stem = Signal.harmonics(sawtooth(4, first: 0.2), hz: hz)
    let voice = voiceObservation(stem, semitones: 0, lead, lateSeconds: 0)
    let errors = voice.errorsCents(of: voice.heard).map(abs)
    #expect(errors.count > 90 && Statistics.quantile(errors, 0.95)! < 10)
  }
}

/// Returns a voice at an interval above a lead of which only the pitch counts.
private func voiceObservation(
  _ stem: Signal, semitones: Double, _ lead: PitchTrack, lateSeconds: Double
) -> VoiceObservation {
  VoiceObservation(
    AnalyzedSound(stem), voice: 0,
    of: ResolvedScore(Score(id: "x", intervalsSemitones: [semitones]), lead: lead),
    beside: AnalyzedSound(stem, track: lead), delay: .given(ms: 1000 * lateSeconds))
}
