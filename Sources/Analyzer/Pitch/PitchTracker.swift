import DSP
import Foundation

/// Finds the pitch of a voice, offline, by autocorrelation and a search for the best path.
///
/// Each frame proposes a few periods; the cheapest path through all frames decides among them and
/// silence; each period on it is then measured again over four periods of its own.
///
/// - Input: mono, any rate from 8 kHz. Output: one frame every `hopMs`.
/// - Cost: about 0.005 of real time on one core. Allocates.
/// - Source: Boersma, "Accurate short-term analysis of the fundamental frequency and the
///   harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17, 1993.
public struct PitchTracker: Sendable {
  /// What can be chosen. Strengths and costs are in units of correlation.
  public struct Settings: Codable, Equatable, Sendable {
    public var floorHz = 60.0
    public var ceilingHz = 1200.0
    public var hopMs = 5.0
    /// A correlation below this counts as unvoiced.
    public var voicingThreshold = 0.55
    /// Frames whose peak lies below this share of the sound's peak count as silence.
    public var silenceThreshold = 0.03
    /// How much a candidate an octave higher is preferred.
    public var octaveCost = 0.01
    /// Of a jump of an octave within 10 ms.
    public var octaveJumpCost = 0.35
    /// Of a change between voiced and unvoiced within 10 ms.
    public var voicingChangeCost = 0.14

    public init() {}

    public func validate() throws(SettingsError) {
      try require("floorHz", floorHz, in: 40...600)
      try require("ceilingHz", ceilingHz, in: 2 * floorHz...1600)
      try require("hopMs", hopMs, in: 1...50)
      try require("voicingThreshold", voicingThreshold, in: 0...1)
      try require("silenceThreshold", silenceThreshold, in: 0...1)
      try require("octaveCost", octaveCost, in: 0...1)
      try require("octaveJumpCost", octaveJumpCost, in: 0...10)
      try require("voicingChangeCost", voicingChangeCost, in: 0...10)
    }
  }

  public let settings: Settings

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  public func track(_ signal: Signal) -> PitchTrack {
    let hop = settings.hopMs / 1000
    let frameCount = Int(signal.durationSeconds / hop) + 1
    let finite = Signal(
      signal.samples.map { $0.isFinite ? $0 : 0 }, sampleRateHz: signal.sampleRateHz)
    let coarse = finite.resampled(to: PeriodFinder.sampleRateHz)
    let frames = PeriodFinder(settings, coarse).candidates(frameCount: frameCount)
    var path = PitchPath(settings).cheapest(through: frames)
    let refiner = PeriodRefiner(coarse)
    for i in path.indices where path[i] > 0 {
      path[i] = refiner.refined(path[i], atSeconds: Double(i) * hop)
    }
    return PitchTrack(
      hopSeconds: hop, f0Hz: path,
      voicing: frames.map { frame in frame.candidates.map(\.correlation).max() ?? 0 })
  }
}

/// The periods that one frame proposes.
struct PitchFrame {
  struct Candidate {
    var f0Hz: Double
    /// Of the sound with itself a period later, at most 1.
    var correlation: Double
  }

  var candidates: [Candidate]
  /// The frame's peak over the sound's.
  var relativePeak: Double
}
