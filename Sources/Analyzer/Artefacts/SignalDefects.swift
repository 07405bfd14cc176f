import DSP
import Foundation

/// Plain faults of a signal: samples that are not finite, DC offset, clipping, gaps, and the noise
/// floor.
///
/// The counts and times need neither a model of the voice nor a reference. Samples that are not
/// finite are counted and otherwise ignored.
///
/// - Cost: about 0.001 of real time. Allocates one level per 10 ms.
public struct SignalDefects: Codable, Equatable, Sendable {
  /// Minimum run of equal samples at a peak that counts as a clip.
  static let minClipSamples = 3
  /// Minimum level of a clip.
  static let minClipDbfs = -20.0
  /// Minimum length of a run of exact zeros that counts as a gap.
  static let minDropoutMs = 1.0
  /// Minimum level of the sound before or after a gap, over 5 ms.
  static let minBesideDropoutDbfs = -60.0

  /// A stretch of time.
  public struct Stretch: Codable, Equatable, Sendable {
    public var startSeconds: Double
    public var durationMs: Double
  }

  /// Samples that are NaN or infinite.
  public var nonFiniteCount = 0
  /// Their positions; adjacent ones form one stretch.
  public var nonFinite: [Stretch] = []
  /// The mean of all finite samples; full scale is 1.
  public var dcOffset = 0.0
  /// Flat tops: runs of equal samples (within 1e-6 of full scale) beyond both neighbours.
  public var clips: [Stretch] = []
  /// Share of samples within `clips`.
  public var clippedShare = 0.0
  /// Gaps of exact zeros within sound.
  public var dropouts: [Stretch] = []
  /// Level of the quietest tenth of all 10 ms frames; `nil` for digital silence or fewer than ten
  /// frames. In a sound without pauses this is the level of the sound itself.
  public var noiseFloorDbfs: Double?

  init() {}

  /// Searches the sound from start to end, up to three times.
  public init<Sound: SoundSource>(of sound: Sound) throws(Sound.Failure) {
    self = try DefectSearch(sound).found()
  }
}
