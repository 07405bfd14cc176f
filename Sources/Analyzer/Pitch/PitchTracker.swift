import DSP
import Foundation

// How the pitch tracker works
//
// A voice repeats after a period. So does it after two periods, and a formant repeats after a part of
// one. A single frame therefore always fits several pitches an octave or more apart, and the tracker's
// main work is to choose among them. It proposes, chooses and measures in separate steps, because each
// step needs other evidence.
//
// 1. Noise. Steady noise lowers every correlation, and that of a soft voice most. Before the search,
//    `NoiseFloor` measures the noise of the whole sound, from at least 300 frames spread over
//    it, or all of a shorter sound, and the spectra of the long windows are reduced by it. (Source: Martin, 2001, for noise from quiet values; Wiener's gain.)
// 2. Candidates. `FrameCorrelation` divides the autocorrelation of a frame at 8 kHz by that of its
//    window, so that a long period has no disadvantage. (Source: Boersma, 1993.) `PeriodFinder` reads
//    the peaks under two windows: 55 ms, which is robust in noise, and 20 ms, which separates quick notes.
// 3. Rating. `CandidateEvidence` describes each candidate: its correlations under both windows, those of
//    its halves and thirds, and the powers of its harmonics, of every second and third of them, and of what
//    lies between. (Sources: Hermes, 1988; Sun, 2002.) A network of about 1200 weights converts these
//    values to log odds. No single value decides: a subharmonic, a breath or a formant changes one or two.
// 4. Path. `PitchPath` chooses one candidate a frame by the Viterbi algorithm: the sum of log odds less
//    a cost of `octaveJumpCost` for each leap of an octave within 10 ms. Voicing has no part in the
//    path: evidence of noise must not decide between octaves.
// 5. Measurement. A correlation at 8 kHz locates a period to a few cents. `PeriodRefiner` measures each
//    chosen period again at 32 kHz, over one and a half periods to either side, at least 12 ms. It also
//    returns the stretch of time that the result averages, and its variance. (Source: Quazi, 1981.)
// 6. Voicing. `VoicingEvidence` describes a frame: its period, its level beside that of the sound before and
//    after, and how far it exceeds the tail of a room, whose decay `RoomDecay` estimates from the whole sound.
//    (Sources: Lebart and others, 2001; Habets and others, 2009.) A second network and a Markov chain
//    (`VoicingDecision`) convert it to the probability of a voice. (Sources: Rabiner, 1989; Platt, 1999.)
// 7. Curve. A measurement is a mean over its stretch. `PitchCurve` takes the measurements up to 30 ms away,
//    fits the cubic whose means over their stretches agree with them, and gives the pitch at the instant of
//    each frame. Neither a glide nor the bend of a vibrato then biases the result.
// 8. Doubt. Where the log odds of another candidate come close over 60 ms, the stated deviation grows to
//    the distance of an octave.
//
// The weights are fitted by scripts/train-pitch on the synthetic singer, transposed and disturbed. The
// limits are in docs/reference/analyzer.md, the comparison with other trackers in docs/notes/pitch.md.

/// Finds the pitch of a voice, offline.
///
/// `PeriodFinder` proposes and rates periods, `PitchPath` chooses among them, `PeriodRefiner` measures them again,
/// `VoicingDecision` decides where there is a voice, and `PitchCurve` gives the pitch at each instant.
///
/// - Input: mono, any rate from 8 kHz; samples that are not finite count as 0. Output: one frame
///   every `hopMs`.
/// - Cost: about 0.003 of real time on one core at a hop of 10 ms. Allocates.
/// - Source: Boersma, "Accurate short-term analysis of the fundamental frequency and the
///   harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17, 1993, for candidates and
///   path; each part names its own source.
public struct PitchTracker: Sendable {
  /// Settings of the tracker.
  public struct Settings: Codable, Equatable, Sendable {
    /// Lowest pitch. A voice at 50 Hz has vibrato below it.
    public var floorHz = 45.0
    public var ceilingHz = 3800.0
    public var hopMs = 5.0
    /// Minimum probability of a voice in a frame that gets a pitch.
    public var voicingThreshold = 0.5
    /// Cost of a jump by an octave within 10 ms, in log odds.
    public var octaveJumpCost = 10.0

    public init() {}

    public func validate() throws(SettingsError) {
      try require("floorHz", floorHz, in: 40...600)
      try require("ceilingHz", ceilingHz, in: 2 * floorHz...3800)
      try require("hopMs", hopMs, in: 1...50)
      try require("voicingThreshold", voicingThreshold, in: 0...1)
      try require("octaveJumpCost", octaveJumpCost, in: 0...100)
    }
  }

  public let settings: Settings

  /// Maximum distance of analyzed frames, at any hop.
  private static let longestHopSeconds = 0.010

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// Tracks a sound. It reads parts of a long one twice for the noise and then reads it through; a short
  /// one is read once. Memory is little more than the result: about 700 bytes a frame.
  public func track<Sound: SoundSource>(_ sound: Sound) throws(Sound.Failure) -> PitchTrack {
    let hop = settings.hopMs / 1000
    let perHop = max(1, Int((hop / Self.longestHopSeconds - 1e-9).rounded(.up)))
    let innerHop = hop / Double(perHop)
    let shownCount = Int(sound.durationSeconds / hop) + 1
    let frameCount = (shownCount - 1) * perHop + 1

    let heard = AudibleSound(sound)
    var search = PitchSearch(settings, heard, whole: heard.whole, frameCount, hopSeconds: innerHop)
    let (frames, measured) = try search.frames()
    let voicing = VoicingDecision.probabilities(
      VoicingEvidence.all(frames, measured, hopSeconds: innerHop), hopSeconds: innerHop)
    let curve = PitchCurve(
      measured, voiced: voicing.map { $0 > settings.voicingThreshold }, hopSeconds: innerHop)

    let doubts = Self.doubts(frames, hopSeconds: innerHop)

    let shown = stride(from: 0, to: frameCount, by: perHop)
    let values = shown.map { curve.value(at: $0) }
    let likelyHz = zip(shown, values).map { i, value -> Double in
      value.map { exp2($0.octaves) } ?? frames[i].candidate?.f0Hz ?? 0
    }
    let shownVoicing = shown.map { voicing[$0] }
    return PitchTrack(
      hopSeconds: hop,
      f0Hz: zip(likelyHz, shownVoicing).map { $1 > settings.voicingThreshold ? $0 : 0 },
      voicing: shownVoicing, likelyHz: likelyHz,
      uncertaintyCents: zip(shown, Self.deviationsCents(of: values, hopSeconds: hop)).map {
        index, cents in
        frames[index].candidate.map { _ in hypot(cents, 1200 * doubts[index].squareRoot()) }
      })
  }

  /// Standard deviation of each pitch of the curve.
  ///
  /// The curve knows noise, but no mistaken period, no edge and no consonant. Errors of voices are larger
  /// where the pitch moves; the geometric mean of both covers 68 and 95 % of them within a few percent
  /// (docs/notes/pitch.md). A factor 20 % larger covers 4 % more.
  private static func deviationsCents(
    of values: [(octaves: Double, deviation: Double)?], hopSeconds: Double
  ) -> [Double] {
    let reach = max(1, Int((motionSeconds / hopSeconds).rounded()))
    return values.indices.map { i in
      guard let own = values[i] else { return unmeasuredDeviationCents }
      var motion = edgeMotionCents
      if i >= reach, i + reach < values.count, let before = values[i - reach],
        let after = values[i + reach]
      {
        let reachSeconds = Double(reach) * hopSeconds
        motion = 600 * abs(after.octaves - before.octaves) * motionSeconds / reachSeconds
      }
      let noise = max(1200 * own.deviation, minNoiseCents)
      return deviationFactor * (noise * (motion + minMotionCents)).squareRoot()
    }
  }

  /// Time in which the motion counts, and the motion at the edge of a voice, where it is not known.
  private static let (motionSeconds, edgeMotionCents) = (0.010, 20.0)
  private static let (minNoiseCents, minMotionCents) = (0.05, 0.3)
  private static let deviationFactor = 1.5
  /// Deviation where a period was chosen and not measured. Of 472 such frames of recordings resynthesized at a known
  /// pitch half were within 9 to 35 cents, and two thirds within 45 to 128.
  private static let unmeasuredDeviationCents = 100.0

  /// Variance of the pitch of each frame, in octaves squared, because another candidate may be right.
  ///
  /// The log odds against it are summed over `doubtSeconds` to either side, up to a leap, with the weight of frames
  /// that overlap; another candidate lies an octave off.
  static func doubts(_ frames: [ChosenFrame], hopSeconds: Double) -> [Double] {
    let reach = Int((doubtSeconds / hopSeconds).rounded())
    let octaves = frames.map { $0.candidate.map { log2($0.f0Hz) } ?? -.infinity }
    return frames.indices.map { i in
      var sum = frames[i].logOdds
      for step in [-1, 1] {
        var at = i
        while abs(at + step - i) <= reach, frames.indices.contains(at + step),
          abs(octaves[at + step] - octaves[at]) < leapOctaves
        {
          at += step
          sum += frames[at].logOdds
        }
      }
      return 1 / (1 + exp(sum * doubtWeight * hopSeconds / 0.010))
    }
  }

  private static let doubtSeconds = 0.030
  /// Weight of the log odds of a frame per 10 ms.
  private static let doubtWeight = 0.35
  /// A pitch that moves by more from one frame to the next has leapt: another candidate took over.
  /// Octaves, twelfths and fifths, which are taken for each other, are further apart.
  static var leapOctaves: Double { @_noLocks get { 0.5 } }
}
