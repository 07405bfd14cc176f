import DSP
import Foundation

/// What is plainly wrong with a signal: samples that are not numbers, a direct part, clipping,
/// gaps, and the noise where it should be quiet.
///
/// Counts and times need no model of the voice and no reference. Samples that are not finite are
/// counted and otherwise passed over.
///
/// - Cost: about 0.001 of real time. Allocates one level per 10 ms.
public struct SignalDefects: Codable, Equatable, Sendable {
  /// What counts as a defect.
  public struct Settings: Codable, Equatable, Sendable {
    /// Samples side by side at one level, that of a peak, which make a clip.
    public var leastClipSamples = 3
    /// Peaks below this level are no clips, however flat.
    public var leastClipDbfs = -20.0
    /// Exact zeros between sound that make a gap.
    public var leastDropoutMs = 1.0
    /// How loud the sound beside a gap must be, at its end or its beginning, over 5 ms.
    public var leastBesideDropoutDbfs = -60.0

    public init() {}

    public func validate() throws(SettingsError) {
      try require("leastClipSamples", Double(leastClipSamples), in: 2...1000)
      try require("leastClipDbfs", leastClipDbfs, in: -120...0)
      try require("leastDropoutMs", leastDropoutMs, in: 0.05...1000)
      try require("leastBesideDropoutDbfs", leastBesideDropoutDbfs, in: -120...0)
    }
  }

  /// A stretch of time.
  public struct Stretch: Codable, Equatable, Sendable {
    public var startSeconds: Double
    public var durationMs: Double
  }

  /// Samples that are NaN or infinite.
  public var nonFiniteCount = 0
  /// Where they lie, those side by side as one stretch.
  public var nonFinite: [Stretch] = []
  /// The mean of all finite samples; full scale is 1.
  public var dcOffset = 0.0
  /// Flat tops: runs of equal samples (within 1e-6 of full scale) higher than both neighbours.
  public var clips: [Stretch] = []
  /// The share of samples that lie in `clips`.
  public var clippedShare = 0.0
  /// Gaps of exact zeros in the midst of sound.
  public var dropouts: [Stretch] = []
  /// The level of the quietest tenth of all frames of 10 ms; `nil` where they are digital silence
  /// or there are fewer than ten frames. In a sound without pauses this is the level of the sound.
  public var noiseFloorDbfs: Double?

  init() {}

  /// - Throws: a setting that makes no sense.
  public init(of signal: Signal, _ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self = DefectSearch(signal, settings).found()
  }

  /// Reads the sound once, in order.
  public init<Sound: SoundSource>(of sound: Sound) throws(Sound.Failure) {
    self = try DefectSearch(sound, Settings()).found()
  }
}
