import DSP
import Foundation

/// How a voice sounds, in numbers: each `nil` where it is not defined.
///
/// - Cost: about 0.1 of real time on one core. Allocates.
public struct VoiceQuality: Codable, Equatable, Sendable {
  /// Mean ratio of harmonics to noise; see `Harmonicity`.
  public var harmonicityDb: Double?
  /// Mean smoothed prominence of the cepstral peak; see `CepstralProminence`.
  public var cepstralProminenceDb: Double?
  /// Mean change from one period to the next, a share of the period; see `Jitter`.
  public var jitter: Double?
  /// Mean change of amplitude from one period to the next; see `Shimmer`.
  public var shimmerDb: Double?
  /// Ratio of harmonics to noise between 2 and 7 kHz; less is breathier; see `Breathiness`.
  public var bandHarmonicityDb: Double?
  /// Fall of the harmonics' levels; see `SpectralTilt`.
  public var tiltDbPerOctave: Double?

  public init(of signal: Signal, following track: PitchTrack) throws(SettingsError) {
    harmonicityDb = try Harmonicity(of: signal, following: track).meanDecibels
    cepstralProminenceDb = try CepstralProminence(of: signal, .singing).meanDecibels
    let marks = PeriodMarks(of: signal, following: track)
    jitter = Jitter(of: marks).local
    shimmerDb = Shimmer(of: signal, at: marks).localDb
    bandHarmonicityDb = (try? Breathiness(of: signal, following: track))?.bandHarmonicityDb
    tiltDbPerOctave = Self.tilt(of: signal, following: track)
  }

  /// Over the harmonics of every voiced 50 ms.
  private static func tilt(of signal: Signal, following track: PitchTrack) -> Double? {
    let sampler = HarmonicSampler(of: signal, ceilingHz: 5_000)
    let every = max(1, Int(0.05 / track.hopSeconds))
    let levels = stride(from: 0, to: track.count, by: every).compactMap { frame in
      track.f0Hz[frame] > 0
        ? sampler.levels(
          atSeconds: Double(frame) * track.hopSeconds, expectedHz: track.f0Hz[frame]) : nil
    }
    return SpectralTilt(of: levels)?.dbPerOctave
  }
}
