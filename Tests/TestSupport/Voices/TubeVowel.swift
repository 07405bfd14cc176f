import DSP
import Foundation

/// A vowel whose formants are known.
public enum TubeVowel {
  /// Returns 0.6 s of a vowel: harmonics of a source with a slope of -12 dB per octave above 100 Hz and
  /// +6 at the lips, unlike the pulse of the reader's model, through resonances. Resonances
  /// continue above the fifth as in a tube; otherwise the spectrum would fall too steeply.
  public static func signal(f0Hz: Double, formantsHz: [Double], vibratoCents: Double = 30)
    -> Signal
  {
    let rateHz = 24_000.0
    let spacingHz = (formantsHz[4] - formantsHz[2]) / 2
    let higherHz = Array(stride(from: formantsHz[4] + spacingHz, through: 20_000, by: spacingHz))
    let bandwidthsHz = [60.0, 90, 120, 180, 260] + higherHz.map { _ in 400 }
    func gain(_ hz: Double) -> Double {
      zip(formantsHz + higherHz, bandwidthsHz).reduce(hz / (1 + hz * hz / 1e4)) { gain, resonance in
        let (f, b) = resonance
        let quarter = b * b / 4
        let (below, above) = (hz - f, hz + f)
        return gain * (f * f + quarter)
          / ((below * below + quarter) * (above * above + quarter)).squareRoot()
      }
    }
    var turns = 0.0
    var samples: [Float] = []
    for n in 0..<14_400 {
      let hz = f0Hz * exp2(vibratoCents / 1200 * sin(2 * .pi * 5.5 * Double(n) / rateHz))
      turns += hz / rateHz
      let sum = (1...Int(9_000 / f0Hz)).reduce(0.0) { sum, h in
        sum + gain(Double(h) * hz)
          * sin(2 * .pi * (turns * Double(h)).truncatingRemainder(dividingBy: 1))
      }
      samples.append(Float(sum))
    }
    let peak = samples.map { abs($0) }.max()!
    return Signal(samples.map { 0.5 * $0 / peak }, sampleRateHz: rateHz)
  }
}
