import DSP
import Foundation

/// Finds the pitch of a voice, offline.
///
/// Each frame proposes a few periods (`PeriodFinder`). The best path through all frames chooses
/// among them (`PitchPath`). Each chosen period is measured again (`PeriodRefiner`). Voicing is
/// decided after that (`VoicingDecision`), so that evidence of noise never decides between octaves.
/// Finally a short curve through the measurements gives the pitch at each instant (`PitchCurve`).
///
/// - Input: mono, any rate from 8 kHz; samples that are not finite count as 0. Output: one frame
///   every `hopMs`.
/// - Cost: about 0.003 of real time on one core at a hop of 10 ms. Allocates.
/// - Source: Boersma, "Accurate short-term analysis of the fundamental frequency and the
///   harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17, 1993, for candidates and
///   path; each part names its own source.
public struct PitchTracker: Sendable {
  /// Settings of the tracker. Costs are in units of correlation.
  public struct Settings: Codable, Equatable, Sendable {
    /// Lowest pitch of the long window, which spans three periods of it. Pitches down to half of it are
    /// searched where nothing repeats well.
    public var floorHz = 60.0
    public var ceilingHz = 3800.0
    public var hopMs = 5.0
    /// Minimum probability of a voice in a frame that gets a pitch.
    public var voicingThreshold = 0.4
    /// Preference for a candidate an octave higher.
    public var octaveCost = 0.02
    /// Cost of a jump by an octave within 10 ms.
    public var octaveJumpCost = 0.5

    public init() {}

    /// Lowest pitch of all.
    var deepFloorHz: Double { floorHz / 2 }

    public func validate() throws(SettingsError) {
      try require("floorHz", floorHz, in: 40...600)
      try require("ceilingHz", ceilingHz, in: 2 * floorHz...3800)
      try require("hopMs", hopMs, in: 1...50)
      try require("voicingThreshold", voicingThreshold, in: 0...1)
      try require("octaveCost", octaveCost, in: 0...1)
      try require("octaveJumpCost", octaveJumpCost, in: 0...10)
    }
  }

  public let settings: Settings

  /// Maximum distance of analyzed frames, at any hop.
  private static let longestHopSeconds = 0.010

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// Tracks a sound while reading it twice from beginning to end, or once if it is short. Memory is
  /// little more than the result: about 150 bytes a frame.
  public func track<Sound: SoundSource>(_ sound: Sound) throws(Sound.Failure) -> PitchTrack {
    let hop = settings.hopMs / 1000
    let perHop = max(1, Int((hop / Self.longestHopSeconds - 1e-9).rounded(.up)))
    let innerHop = hop / Double(perHop)
    let shownCount = Int(sound.durationSeconds / hop) + 1
    let frameCount = (shownCount - 1) * perHop + 1

    let heard = HeardSound(sound)
    var search = PitchSearch(
      settings, heard, whole: heard.whole, frameCount, hopSeconds: innerHop)
    let (frames, measured) = try search.frames()
    let voicing = VoicingDecision.probabilities(
      VoicingEvidence.all(frames, measured, hopSeconds: innerHop), hopSeconds: innerHop)
    let curve = PitchCurve(
      measured, voiced: voicing.map { $0 > settings.voicingThreshold }, hopSeconds: innerHop)

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
      uncertaintyCents: values.map { $0.map { 1200 * $0.deviation } })
  }
}
