import DSP
import Foundation

/// The breathiness of a voice: the harmonics-to-noise ratio of its band from 2 to 7 kHz, in dB.
///
/// Breath noise is strong in this band, where the harmonics of a voice are weak. A lower ratio is
/// breathier. Jitter lowers it too, by more than it lowers the ratio of the whole sound.
///
/// - Domain: voiced frames of a voice up to about 700 Hz, sampled at 16 kHz or more; else
///   undefined.
/// - Cost: about 0.01 of real time. Allocates.
/// - Source: de Krom, "Some spectral correlates of pathological breathy and rough voice quality for
///   different types of vowel fragments", JSHR 38, 1995, for ratios by band; the band and the
///   length of the filter are our choices.
public struct Breathiness: Equatable, Sendable {
  public static let bandHz = 2000.0...7200.0
  private static let rateHz = 16_000.0

  /// Mean over voiced frames; high for a clear voice.
  public let bandHarmonicityDb: Double

  /// A reason why the measure is undefined.
  public enum Absence: Error, Equatable, CustomStringConvertible {
    case sampleRate(hz: Double)
    case noVoice

    public var description: String {
      switch self {
      case .sampleRate(let hz): "the sample rate is \(hz) Hz; use a recording of 16 kHz or more"
      case .noVoice: "no voiced frame has sound between 2 and 7 kHz"
      }
    }
  }

  public init(of signal: Signal, following track: PitchTrack) throws(Absence) {
    guard signal.sampleRateHz >= Self.rateHz else { throw .sampleRate(hz: signal.sampleRateHz) }
    guard let mean = Self.harmonicity(of: signal, following: track)?.meanDecibels else {
      throw .noVoice
    }
    bandHarmonicityDb = mean
  }

  /// The harmonicity of the band over time; `nil` under 16 kHz.
  static func harmonicity(of signal: Signal, following track: PitchTrack) -> Harmonicity? {
    guard signal.sampleRateHz >= rateHz else { return nil }
    var settings = Harmonicity.Settings()
    settings.silenceThreshold = 0.02
    return try? Harmonicity(
      of: highPassed(signal.withoutInfrasound().resampled(to: rateHz)), following: track, settings)
  }

  /// The sound above the lower end of `bandHz`, by a windowed sinc of 4 ms without delay.
  private static func highPassed(_ signal: Signal) -> Signal {
    let reach = Int(0.004 * signal.sampleRateHz)
    let cutoff = bandHz.lowerBound / signal.sampleRateHz
    let taps = (-reach...reach).map { offset -> Double in
      let x = Double(offset)
      let low = offset == 0 ? 2 * cutoff : sin(2 * .pi * cutoff * x) / (.pi * x)
      let taper = Window.kaiser(beta: 8).value(at: x / Double(reach + 1))
      return (offset == 0 ? 1 : 0) - low * taper
    }
    let samples = signal.samples
    return Signal(
      samples.indices.map { index in
        let near = max(0, index - reach)...min(samples.count - 1, index + reach)
        return Float(near.reduce(0.0) { $0 + Double(samples[$1]) * taps[$1 - index + reach] })
      }, sampleRateHz: signal.sampleRateHz)
  }
}
