import Analyzer
import DSP
import EvaluationSupport
import Foundation
import Singer
import Testing

@testable import Corpus
@testable import Subjects

@Suite struct PitchConsensusTests {
  @Test(arguments: [65.4, 98, 147, 220, 311, 466, 698, 1_047])
  func theSecondTrackerReadsSteadyVoices(hz: Double) {
    let pitch = SpectralPitch(of: KnownVoice(seconds: 0.6, f0Hz: { _ in hz }).signal())
    for time in stride(from: 0.2, through: 0.4, by: 0.05) {
      let heard = pitch.f0Hz(atSeconds: time)
      // Candidates are 25 cents apart; without the parabola the error would reach 12.5 cents.
      #expect(abs(cents(max(heard, 1), over: hz)) < 10, "\(heard) Hz at \(time) s")
    }
  }

  @Test func silenceAndNoiseHaveNoPitch() {
    for level in [0, 0.1] {
      let voice = KnownVoice(f0Hz: { _ in 200 }, amplitude: { _ in 0 }, noiseRms: level)
      let truth = PitchConsensus.truth(of: voice.signal())
      // One tracker may take a frame of noise for a voice, rarely both.
      #expect(truth.track.voicedShare <= 0.02)
    }
    #expect(PitchConsensus.truth(of: Signal([], sampleRateHz: 48_000)).track.voicedShare == 0)
  }

  @Test func aGlideIsKeptAndItsPitchIsRight() {
    // A fifth in two seconds: 350 cents a second.
    let voice = KnownVoice(seconds: 2, f0Hz: { 150 * exp2($0 * 7 / 24) })
    let truth = PitchConsensus.truth(of: voice.signal())
    #expect(truth.excludedShare < 0.03, "some frames at the ends, where windows are half empty")
    for frame in stride(from: 40, to: 360, by: 20) {
      let expected = voice.f0Hz(Double(frame) * truth.track.hopSeconds)
      #expect(abs(cents(max(truth.track.f0Hz[frame], 1), over: expected)) < 2)
      // The second tracker's windows are symmetric, so a steady glide moves it little.
      #expect(truth.uncertaintyCents[frame].map { $0 < 10 } == true)
    }
  }

  /// The second tracker reads a voice of 200 Hz; the first tracker's answers are made up.
  @Test func disagreementIsExcludedAndCounted() {
    let second = SpectralPitch(of: KnownVoice(f0Hz: { _ in 200 }).signal())
    var first = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 200, count: 120))
    for frame in 20..<30 { first.f0Hz[frame] = 400 }  // an octave
    for frame in 40..<45 { first.f0Hz[frame] = 0 }  // no voice
    for frame in 50..<53 { first.f0Hz[frame] = 250 }  // a third
    for frame in 60..<70 { first.f0Hz[frame] = 200 * exp2(40.0 / 1200) }  // 40 cents, kept
    let truth = PitchConsensus.verdict(first, second)
    #expect(truth.excluded == [.octave: 10, .voicing: 5, .pitch: 3])
    #expect(truth.voicedCount == 120)
    #expect(abs(truth.excludedShare - 18.0 / 120) < 1e-12)
    #expect(truth.track.f0Hz[25] == 0 && truth.track.f0Hz[42] == 0 && truth.track.f0Hz[51] == 0)
    #expect(truth.track.f0Hz[65] == first.f0Hz[65], "never averaged")
    #expect(truth.uncertaintyCents[25] == nil)
    // The second tracker reads a steady voice within 10 cents, as tested above.
    #expect(abs(truth.uncertaintyCents[65]! - 40) < 10)
  }

  /// A chord: the trackers follow different voices in most frames, and agree in the others by chance.
  @Test func whereMostFramesAreInDoubtNoneHasAPitch() {
    let second = SpectralPitch(of: KnownVoice(f0Hz: { _ in 200 }).signal())
    var first = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 200, count: 120))
    for frame in 0..<61 { first.f0Hz[frame] = 250 }
    let truth = PitchConsensus.verdict(first, second)
    #expect(truth.track.f0Hz.allSatisfy { $0 == 0 } && truth.excludedShare == 1)
    for frame in 0..<2 { first.f0Hz[frame] = 200 }
    #expect(PitchConsensus.verdict(first, second).track.f0Hz[100] == 200)
  }

  @Test(arguments: [
    "melody-greensleeves", "runs-12-bass", "onsets-creaky-baritone", "whisper-alto",
  ])
  func whatIsKeptIsTrue(id: String) throws {
    let sung = try Songbook.performance(id: id).render(sampleRateHz: 48_000)
    let consensus = PitchConsensus.truth(of: sung.signal)
    var (kept, wrong) = (0, 0)
    for (frame, hz) in consensus.track.f0Hz.enumerated() where hz > 0 {
      let truth = sung.truth.f0Hz[min(frame * 240, sung.truth.f0Hz.count - 1)]
      kept += 1
      if truth == 0 || abs(cents(hz, over: truth)) > 50 { wrong += 1 }
    }
    // Runs of 12 notes a second move a semitone within a frame or two; in those frames the error
    // exceeds 50 cents with the choice of the instant. Whispers have no pitch to keep.
    #expect(Double(wrong) <= 0.05 * Double(consensus.track.count))
    if id != "whisper-alto" { #expect(Double(kept) > 0.6 * Double(consensus.voicedCount)) }
  }
}
