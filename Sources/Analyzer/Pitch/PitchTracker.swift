import DSP
import Foundation

/// Finds the pitch of a voice, offline.
///
/// Each frame proposes a few periods (`PeriodFinder`); the best path through all frames chooses
/// among them (`PitchPath`); each period on it is measured again (`PeriodRefiner`); only then is it
/// asked where there is a voice (`VoicingDecision`), so that what tells voice from noise never
/// decides between octaves; and a short curve through the measurements gives the pitch at each
/// instant (`PitchCurve`).
///
/// - Input: mono, any rate from 8 kHz; samples that are not finite count as 0. Output: one frame
///   every `hopMs`.
/// - Cost: about 0.003 of real time on one core at a hop of 10 ms. Allocates.
/// - Source: Boersma, "Accurate short-term analysis of the fundamental frequency and the
///   harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17, 1993, for candidates and
///   path; the rest is named where it is done.
public struct PitchTracker: Sendable {
  /// What can be chosen. Costs are in units of correlation.
  public struct Settings: Codable, Equatable, Sendable {
    public var floorHz = 60.0
    public var ceilingHz = 1200.0
    public var hopMs = 5.0
    /// Frames that are likelier to hold a voice than this are given a pitch.
    public var voicingThreshold = 0.4
    /// How much a candidate an octave higher is preferred.
    public var octaveCost = 0.02
    /// Of a jump of an octave within 10 ms.
    public var octaveJumpCost = 0.5

    public init() {}

    public func validate() throws(SettingsError) {
      try require("floorHz", floorHz, in: 40...600)
      try require("ceilingHz", ceilingHz, in: 2 * floorHz...1600)
      try require("hopMs", hopMs, in: 1...50)
      try require("voicingThreshold", voicingThreshold, in: 0...1)
      try require("octaveCost", octaveCost, in: 0...1)
      try require("octaveJumpCost", octaveJumpCost, in: 0...10)
    }
  }

  public let settings: Settings

  /// Frames at most this far apart are looked at, whatever the hop.
  private static let longestHopSeconds = 0.010

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// Reads the sound twice from its beginning to its end, a short one once, and keeps little but
  /// the answer: about 150 bytes a frame.
  public func track<Sound: SoundSource>(_ sound: Sound) throws(Sound.Failure) -> PitchTrack {
    let hop = settings.hopMs / 1000
    let perHop = max(1, Int((hop / Self.longestHopSeconds - 1e-9).rounded(.up)))
    let innerHop = hop / Double(perHop)
    let shownCount = Int(sound.durationSeconds / hop) + 1
    let frameCount = (shownCount - 1) * perHop + 1

    var search = PitchSearch(settings, HeardSound(sound), frameCount, hopSeconds: innerHop)
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
