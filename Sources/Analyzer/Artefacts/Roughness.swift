import DSP
import Foundation
import Statistics

/// The roughness of a sound in asper; 1 is a tone of 1 kHz and 60 dB, fully modulated at 70 Hz.
///
/// The spectrum of 0.2 s is spread over 47 channels half a Bark apart, as in the ear. The envelope
/// of each channel is filtered to the rates heard as rough (15 to 300 Hz). Its depth counts in
/// proportion to its correlation with neighbouring channels. A voice is rough by its pitch alone,
/// so compare it with the input, or with the oracle at the same pitch.
///
/// The model needs sound pressure levels. `fullScaleDb` is the level of a sine of root mean square
/// 1; the default of 91 dB makes a voice at -31 dBFS a voice of 60 dB.
///
/// - Domain: 16 kHz and up, at least 0.2 s.
/// - Cost: about 0.01 of real time at 48 kHz. Allocates.
/// - Source: Daniel and Weber, "Psychoacoustical roughness: implementation of an optimized model",
///   Acustica 83, 1997. Values agree with MoSQITo 1.2.1 within 2 %, given its spectrum at the true
///   frequencies (as released it reads each line 5 Hz too high, which costs up to 13 %).
public struct Roughness: Codable, Equatable, Sendable {
  /// One value every 0.1 s, starting at the middle of the first 0.2 s.
  public var asper: [Double]
  /// The mean over frames that are not silent.
  public var meanAsper: Double

  public static let hopSeconds = 0.1

  /// - Parameter fullScaleDb: sound pressure level of a root mean square of 1.
  public init(of signal: Signal, fullScaleDb: Double = 91) throws(Unmeasurable) {
    try signal.checkedForArtefacts()
    let rateHz = signal.sampleRateHz
    guard rateHz >= 16_000 else { throw .rateTooLow(hz: rateHz, minHz: 16_000) }
    let length = Int((0.2 * rateHz).rounded()) / 2 * 2
    guard signal.count >= length else {
      throw .tooShort(seconds: signal.durationSeconds, neededSeconds: 0.2)
    }
    var model = RoughnessModel(frameCount: length, sampleRateHz: rateHz)
    let gain = pow(10, fullScaleDb / 20)  // in units of 20 µPa
    asper = stride(from: 0, through: signal.count - length, by: length / 2).map { start in
      model.asper(of: signal.samples[start..<start + length], gain: gain)
    }
    let heard = asper.filter { $0 > 0 }
    meanAsper = Statistics.mean(heard) ?? 0
  }
}
