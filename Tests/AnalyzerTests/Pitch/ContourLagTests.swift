import DSP
import Foundation
import Singer
import Statistics
import Testing

@testable import Analyzer

@Suite struct ContourLagTests {
  private static let hopSeconds = 0.005

  /// Glides as of speech: up to 8 semitones a second, with pauses.
  private func speech(lateMs: Double = 0, sharpCents: Double = 0, noiseCents: Double = 0)
    -> PitchTrack
  {
    var random = SeededGenerator(seed: 7)
    let f0Hz = (0..<800).map { frame -> Double in
      let time = Double(frame) * Self.hopSeconds - lateMs / 1000
      guard time.truncatingRemainder(dividingBy: 0.8) < 0.6, time > 0 else { return 0 }
      let cents =
        150 * sin(2 * .pi * 0.7 * time) + 60 * sin(2 * .pi * 1.9 * time + 1)
        + 20 * sin(2 * .pi * 3.3 * time) + sharpCents + noiseCents * (2 * random.uniform() - 1)
      return 120 * exp2(cents / 1200)
    }
    return PitchTrack(hopSeconds: Self.hopSeconds, f0Hz: f0Hz)
  }

  private func median(_ heard: PitchTrack, _ wanted: PitchTrack) -> Double {
    let errors = zip(heard.f0Hz, wanted.f0Hz).compactMap {
      $0 > 0 && $1 > 0 ? abs(cents($0, over: $1)) : nil
    }
    return Statistics.median(errors)!
  }

  /// The lag is found under noise of 4 cents and 15 cents of mistuning, which remain after it: the
  /// median of 15 cents plus an even error of mean 0 is 15.
  @Test(arguments: [-10.0, 0, 3.7, 12, 30]) func aPlantedLagIsFoundAndLeavesTheResidual(
    lateMs: Double
  ) throws {
    let heard = speech(lateMs: lateMs, sharpCents: 15, noiseCents: 4)
    let lag = try ContourLag(of: heard, behind: speech())
    #expect(abs(lag.lagMs - lateMs) < 0.5, "\(lag.lagMs)")
    #expect(abs(lag.lagMs - lateMs) < 4 * lag.deviationMs)
    let rest = median(heard, speech().delayed(bySeconds: lag.lagMs / 1000))
    #expect(abs(rest - 15) < 0.5, "\(rest)")
  }

  /// Jitter of the followed voice, which the follower lacks, draws the lag to no place between frames.
  @Test func jitterOfTheTargetDoesNotMoveIt() throws {
    let lag = try ContourLag(of: speech(lateMs: 5), behind: speech(noiseCents: 8))
    #expect(abs(lag.lagMs - 5) < 0.7, "\(lag.lagMs)")
  }

  /// Octave errors in a tenth of the frames are no lag.
  @Test func grossErrorsDoNotMoveIt() throws {
    var heard = speech(lateMs: 20, noiseCents: 2)
    for frame in heard.f0Hz.indices where frame % 40 < 4 { heard.f0Hz[frame] *= 2 }
    #expect(abs(try ContourLag(of: heard, behind: speech()).lagMs - 20) < 0.5)
  }

  /// The tracker hears a spoken voice that is late as a whole, in both directions of time. The voice
  /// itself sounds 1 to 2 ms after the pulses whose rate is its exact pitch.
  @Test(arguments: [-10.0, 8, 30], ["spoken-baritone", "spoken-pop-soprano"])
  func aLateVoiceIsHeardLate(lateMs: Double, song: String) throws {
    let (sound, truth) = try Dose.song(song, semitones: 4)
    let shift = Int(lateMs * 48)
    let silence = [Float](repeating: 0, count: max(0, shift))
    let late = Signal(
      silence + sound.samples.dropFirst(max(0, -shift)), sampleRateHz: sound.sampleRateHz)
    let own = try Self.lag(of: sound, behind: truth)
    let lag = try Self.lag(of: late, behind: truth)
    #expect(abs(lag - own - lateMs) < 0.5 && abs(own) < 2, "\(lag), \(own)")
  }

  private static func lag(of sound: Signal, behind truth: Truth) throws -> Double {
    let heard = try PitchTracker().track(sound)
    let wanted = heard.f0Hz.indices.map { frame -> Double in
      let place = Int((Double(frame) * heard.hopSeconds * truth.sampleRateHz).rounded())
      return place < truth.f0Hz.count ? truth.f0Hz[place] : 0
    }
    return try ContourLag(
      of: heard,
      behind: PitchTrack(hopSeconds: heard.hopSeconds, f0Hz: wanted)
    ).lagMs
  }

  /// A short voice whose vibrato deepens, sung at once and as deep as a period of 182 ms later should be: that period
  /// fits exactly, and leaves a fifth of the voice beyond the ends of what was to be sung.
  @Test func aLagLeavesNoVoiceWithoutAPartner() throws {
    func sung(_ time: Double, earlier: Double = 0) -> Double {
      guard 0...0.886 ~= time else { return 0 }
      let depth = 20 + 60 * (time + earlier)
      return 700 * exp2(depth * sin(2 * .pi * 5.5 * (time + earlier)) / 1200)
    }
    func track(earlier: Double) -> PitchTrack {
      let times = (0..<240).map { Double($0) * Self.hopSeconds }
      return PitchTrack(
        hopSeconds: Self.hopSeconds, f0Hz: times.map { sung($0, earlier: earlier) })
    }
    let lag = try ContourLag(ofUnaligned: track(earlier: 1 / 5.5), behind: track(earlier: 0)).lagMs
    #expect(abs(lag) < 10)
  }

  @Test func contoursThatTellNothingThrow() {
    let flat = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 220, count: 600))
    let still = #expect(throws: Unmeasurable.self) { try ContourLag(of: flat, behind: flat) }
    #expect(still?.cause == .flatContour)
    var short = speech()
    for frame in 80..<short.count { short.f0Hz[frame] = 0 }
    let brief = #expect(throws: Unmeasurable.self) {
      try ContourLag(of: short, behind: speech())
    }
    #expect(brief?.cause == .tooLittleVoice)
    #expect(brief?.description.hasPrefix("only 0.4 s ") == true)
    // Another contour has no lag.
    var random = SeededGenerator(seed: 3)
    var other = speech()
    for frame in other.f0Hz.indices where other.f0Hz[frame] > 0 {
      other.f0Hz[frame] = 120 * exp2((random.uniform() - 0.5) / 4)
    }
    #expect(throws: Unmeasurable.self) { try ContourLag(of: other, behind: speech()) }
  }
}
