import DSP
import Foundation

/// A voice of exactly known pitch: a sum of sines, shaped by three resonances.
public struct TestVoice {
  public var sampleRateHz: Double
  public var seconds: Double
  /// Level of added noise relative to the voice; `nil` for none.
  public var noiseDb: Double?
  /// Factor on all resonance frequencies.
  public var formantScale: Double
  public var f0Hz: (Double) -> Double

  public init(
    sampleRateHz: Double = 48_000, seconds: Double = 1, noiseDb: Double? = nil,
    formantScale: Double = 1, f0Hz: @escaping (Double) -> Double
  ) {
    (self.sampleRateHz, self.seconds) = (sampleRateHz, seconds)
    (self.noiseDb, self.formantScale, self.f0Hz) = (noiseDb, formantScale, f0Hz)
  }

  public func signal() -> Signal {
    var random = SeededGenerator(seed: 7)
    var turns = 0.0
    var samples: [Float] = []
    for n in 0..<Int(seconds * sampleRateHz) {
      let f0 = f0Hz(Double(n) / sampleRateHz)
      var value = 0.0
      for h in 1...60 where Double(h) * f0 < 0.45 * sampleRateHz {
        value += amplitude(Double(h) * f0) / Double(h) * sin(2 * .pi * Double(h) * turns)
      }
      // The midpoint of the two instants keeps the phase exact to second order.
      turns += f0Hz((Double(n) + 0.5) / sampleRateHz) / sampleRateHz
      if let noiseDb {
        value += 0.5 * pow(10, noiseDb / 20) * 3.46 * (random.uniform() - 0.5)
      }
      samples.append(Float(0.3 * value))
    }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }

  /// Resonances at 600 and 1700 Hz, 100 Hz wide, and a third at 2600.
  private func amplitude(_ hz: Double) -> Double {
    0.05 + resonance(hz, 600) + 0.5 * resonance(hz, 1700) + 0.3 * resonance(hz, 2600)
  }

  private func resonance(_ hz: Double, _ centreHz: Double) -> Double {
    let distance = (hz - centreHz * formantScale) / (100 * formantScale)
    return 1 / (1 + distance * distance).squareRoot()
  }
}
