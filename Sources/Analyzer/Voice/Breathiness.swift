import DSP
import Foundation

/// How much of a voice is breath: the harmonics-to-noise ratio of its band from 2 to 7 kHz, in dB.
///
/// Air hisses above, where the harmonics of a voice are weak. The lower the ratio, the breathier;
/// jitter lowers it too, by more than it lowers the ratio of the whole sound.
///
/// - Domain: voiced frames of a voice up to about 700 Hz, sampled at 16 kHz or more; undefined else.
/// - Cost: about 0.01 of real time. Allocates.
/// - Source: de Krom, "Some spectral correlates of pathological breathy and rough voice quality for
///   different types of vowel fragments", JSHR 38, 1995, for ratios by band; the band and the length
///   of the filter are our choices.
public struct Breathiness: Equatable, Sendable {
  public static let bandHz = 2000.0...7200.0
  private static let rateHz = 16_000.0

  /// Mean over voiced frames; high where the voice is clear.
  public let bandHarmonicityDb: Double

  /// Why there is nothing to say.
  public enum Absence: Error, Equatable, CustomStringConvertible {
    case sampleRate(hz: Double)
    case noVoice

    public var description: String {
      switch self {
      case .sampleRate(let hz): "a sound at \(hz) Hz has no band up to 7 kHz; use 16 kHz or more"
      case .noVoice: "there is no voiced frame whose upper band sounds"
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

  /// That of the band alone; `nil` under 16 kHz.
  static func harmonicity(of signal: Signal, following track: PitchTrack) -> Harmonicity? {
    guard signal.sampleRateHz >= rateHz else { return nil }
    var settings = Harmonicity.Settings()
    settings.silenceThreshold = 0.02
    return try? Harmonicity(
      of: highPassed(signal.withoutInfrasound().resampled(to: rateHz)), following: track, settings)
  }

  /// Above `bandHz`'s lower end; a windowed sinc of 4 ms, which delays nothing.
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
