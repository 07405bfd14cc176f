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
  /// Mean change from one period to the next, relative to the period; see `Perturbation`.
  public var jitter: Double?
  /// Mean change of amplitude from one period to the next; see `Perturbation`.
  public var shimmerDb: Double?
  /// Mean ratio of harmonics to noise between 2 and 7 kHz, where breath noise is strong and the
  /// harmonics of a voice are weak: lower is breathier. `nil` also under 16 kHz.
  ///
  /// - Source: de Krom, "Some spectral correlates of pathological breathy and rough voice quality for
  ///   different types of vowel fragments", JSHR 38, 1995, for ratios by band; the band and the
  ///   length of the filter are our choices.
  public var bandHarmonicityDb: Double?
  /// Slope of the harmonics' levels; see `SpectralTilt`.
  public var tiltDbPerOctave: Double?

  /// Measures the sound stretch by stretch, with loudness relative to the whole sound.
  public init(of sound: some SoundSource, following track: PitchTrack) throws {
    var bandPeak = 0.0
    if sound.sampleRateHz >= Self.bandRateHz {
      try sound.forEachStretch(of: track) { stretch in
        bandPeak = stretch.signal.upperBand.samples.reduce(bandPeak) { max($0, Double(abs($1))) }
      }
    }
    var gathering = Gathering(peak: try Self.peak(of: sound), bandPeak: bandPeak)
    try sound.forEachStretch(of: track) { gathering.add($0) }
    self = gathering.quality
  }

  private init() {}

  /// Sample rate of `bandHarmonicityDb`, and the lower end of its band.
  fileprivate static let (bandRateHz, bandHz) = (16_000.0, 2000.0)

  /// The largest magnitude, without infrasound.
  private static func peak<Sound: SoundSource>(of sound: Sound) throws(Sound.Failure) -> Double {
    var (lowest, highest) = (Float.infinity, -Float.infinity)
    try AudibleSound(sound).forEachBlock { samples in
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
    /// Peak of the whole sound.
    let peak: Double
    /// The same from 2 kHz up.
    let bandPeak: Double
    private var harmonicity = Mean()
    private var prominence = Mean()
    private var bandHarmonicity = Mean()
    private var periods: [[Double]] = []
    private var amplitudes: [[Double]] = []
    private var tilt = SpectralTilt.Gathering()

    init(peak: Double, bandPeak: Double) { (self.peak, self.bandPeak) = (peak, bandPeak) }

    private struct Mean {
      private var (sum, count) = (0.0, 0)
      mutating func add(_ value: Double) { (sum, count) = (sum + value, count + 1) }
      var value: Double? { count > 0 ? sum / Double(count) : nil }
    }

    mutating func add(_ stretch: VoiceStretch) {
      let (signal, track) = (stretch.signal, stretch.ownTrack)
      let whole = Harmonicity(of: signal, following: track, peak: peak)
      for case let value? in whole.decibels { harmonicity.add(value) }
      let cepstrum = CepstralProminence(of: signal, .singing)
      for (index, value) in cepstrum.decibels.enumerated()
      where track.f0Hz(atSeconds: cepstrum.seconds(index)) != nil {
        if let value { prominence.add(value) }
      }
      let marks = PeriodMarks(of: signal, following: track)
      periods += marks.periods
      amplitudes += Perturbation.amplitudes(of: signal, at: marks)
      if signal.sampleRateHz >= VoiceQuality.bandRateHz {
        let band = Harmonicity(
          of: signal.upperBand, following: track, silenceThreshold: 0.02, peak: bandPeak)
        for case let value? in band.decibels { bandHarmonicity.add(value) }
      }
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
      quality.jitter = Perturbation.jitter(periods: periods)
      quality.shimmerDb = Perturbation.shimmerDb(amplitudes: amplitudes)
      quality.bandHarmonicityDb = bandHarmonicity.value
      quality.tiltDbPerOctave = tilt.tilt?.dbPerOctave
      return quality
    }
  }
}

extension Signal {
  /// The sound from 2 kHz to nearly 8 kHz, by a windowed sinc of 4 ms without delay.
  fileprivate var upperBand: Signal {
    let sound = withoutInfrasound().resampled(to: VoiceQuality.bandRateHz)
    let reach = Int(0.004 * sound.sampleRateHz)
    let cutoff = VoiceQuality.bandHz / sound.sampleRateHz
    let taps = (-reach...reach).map { offset -> Double in
      let x = Double(offset)
      let low = offset == 0 ? 2 * cutoff : sin(2 * .pi * cutoff * x) / (.pi * x)
      let taper = Window.kaiser(beta: 8).value(at: x / Double(reach + 1))
      return (offset == 0 ? 1 : 0) - low * taper
    }
    let samples = sound.samples
    return Signal(
      samples.indices.map { index in
        let near = max(0, index - reach)...min(samples.count - 1, index + reach)
        return Float(near.reduce(0.0) { $0 + Double(samples[$1]) * taps[$1 - index + reach] })
      }, sampleRateHz: sound.sampleRateHz)
  }
}
