import DSP
import Foundation

/// Measures of voice quality, each `nil` if undefined.
///
/// - Cost: about 0.1 of real time on one core. Allocates.
public struct VoiceQuality: Codable, Equatable, Sendable {
  /// Mean ratio of harmonics to noise; see `Harmonicity`.
  public var harmonicityDb: Double?
  /// Mean smoothed prominence of the cepstral peak; see `CepstralProminence`.
  public var cepstralProminenceDb: Double?
  /// Mean change from one period to the next, relative to the period; see `Jitter`.
  public var jitter: Double?
  /// Mean change of amplitude from one period to the next; see `Shimmer`.
  public var shimmerDb: Double?
  /// Ratio of harmonics to noise between 2 and 7 kHz; lower is breathier; see `Breathiness`.
  public var bandHarmonicityDb: Double?
  /// Slope of the harmonics' levels; see `SpectralTilt`.
  public var tiltDbPerOctave: Double?

  public init(of signal: Signal, following track: PitchTrack) throws(SettingsError) {
    var gathering = Gathering(peak: nil)
    try gathering.add(
      VoiceStretch(signal: signal, track: track, own: 0..<track.count, firstFrame: 0))
    self = gathering.quality
  }

  /// Measures the sound stretch by stretch, with loudness relative to the whole sound.
  public init(of sound: some SoundSource, following track: PitchTrack) throws {
    var gathering = Gathering(peak: try Self.peak(of: sound))
    try sound.forEachStretch(of: track) { try gathering.add($0) }
    self = gathering.quality
  }

  private init() {}

  /// The largest magnitude, without infrasound.
  private static func peak<Sound: SoundSource>(of sound: Sound) throws(Sound.Failure) -> Double {
    var (lowest, highest) = (Float.infinity, -Float.infinity)
    try HeardSound(sound).forEachBlock { samples in
      for sample in samples {
        lowest = min(lowest, sample)
        highest = max(highest, sample)
      }
    }
    guard sound.count > 0 else { return 0 }
    return Double(max(highest, -lowest))
  }

  /// The sums over the stretches so far.
  private struct Gathering {
    /// Peak of the whole sound; `nil` if there is only one stretch, whose own peak counts.
    let peak: Double?
    private var harmonicity = Mean()
    private var prominence = Mean()
    private var bandHarmonicity = Mean()
    private var periods: [[Double]] = []
    private var amplitudes: [[Double]] = []
    private var tilt = SpectralTilt.Gathering()

    init(peak: Double?) { self.peak = peak }

    private struct Mean {
      private var (sum, count) = (0.0, 0)
      mutating func add(_ value: Double) { (sum, count) = (sum + value, count + 1) }
      var value: Double? { count > 0 ? sum / Double(count) : nil }
    }

    mutating func add(_ stretch: VoiceStretch) throws(SettingsError) {
      let (signal, track) = (stretch.signal, stretch.ownTrack)
      let whole = try Harmonicity(of: signal, following: track, peak: peak)
      for case let value? in whole.decibels { harmonicity.add(value) }
      let cepstrum = try CepstralProminence(of: signal, .singing)
      for (index, value) in cepstrum.decibels.enumerated()
      where stretch.isOwn(cepstrum.seconds(index)) {
        if let value { prominence.add(value) }
      }
      let marks = PeriodMarks(of: signal, following: track)
      periods += marks.periods
      amplitudes += Shimmer.amplitudes(of: signal, at: marks)
      let band = Breathiness.harmonicity(of: signal, following: track)
      for case let value? in band?.decibels ?? [] { bandHarmonicity.add(value) }
      addTilt(signal, track)
    }

    /// Adds the tilt of the harmonics in a voiced frame every 50 ms.
    private mutating func addTilt(_ signal: Signal, _ track: PitchTrack) {
      let sampler = HarmonicSampler(of: signal, ceilingHz: 5_000)
      let every = max(1, Int(0.05 / track.hopSeconds))
      for frame in stride(from: 0, to: track.count, by: every) where track.f0Hz[frame] > 0 {
        if let levels = sampler.levels(
          atSeconds: Double(frame) * track.hopSeconds, expectedHz: track.f0Hz[frame])
        {
          tilt.take(levels)
        }
      }
    }

    var quality: VoiceQuality {
      var quality = VoiceQuality()
      quality.harmonicityDb = harmonicity.value
      quality.cepstralProminenceDb = prominence.value
      quality.jitter = Jitter(periods: periods).local
      quality.shimmerDb = Shimmer(amplitudes: amplitudes).localDb
      quality.bandHarmonicityDb = bandHarmonicity.value
      quality.tiltDbPerOctave = tilt.tilt?.dbPerOctave
      return quality
    }
  }
}
