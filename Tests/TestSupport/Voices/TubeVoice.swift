import DSP
import Foundation

/// A vowel whose envelope is known at every frequency: the glottal pulse of Klatt and Klatt through
/// the resonances of a tube, up to 10 kHz.
///
/// - Source: "Analysis, synthesis, and perception of voice quality variations", J. Acoust. Soc. Am.
///   87(2), 1990: flow that rises as t² - t³ while the folds are open, and a first-order low-pass.
public struct TubeVoice {
  public var formantsHz = [600.0, 1400, 2600, 3600, 4500, 5500, 6500, 7500, 8500, 9500]
  public var f0Hz = 150.0
  /// Extent of a vibrato of 5.5 Hz, to either side.
  public var vibratoCents = 30.0
  /// Slope of an additional filter with unit gain at 1 kHz.
  public var tiltDbPerOctave = 0.0
  public var seconds = 0.5
  public var sampleRateHz = 32_000.0

  public init() {}

  public func levelDb(atHz hz: Double) -> Double {
    var sum = tiltDbPerOctave * log2(hz / 1000) + sourceDb(atHz: hz)
    for formant in formantsHz {
      let half = (50 + formant / 40) / 2
      let peak = formant * formant + half * half
      let (below, above) = (hz - formant, hz + formant)
      sum += 20 * log10(peak)
      sum -= 10 * log10((below * below + half * half) * (above * above + half * half))
    }
    return sum
  }

  /// Level of the flow's derivative, with folds open for 0.6 of the period and a low-pass at 2 kHz.
  private func sourceDb(atHz hz: Double) -> Double {
    let (count, open) = (200, 0.6)
    var (re, im) = (0.0, 0.0)
    for i in 0..<count {
      let x = (Double(i) + 0.5) / Double(count)
      let angle = 2 * .pi * hz / f0Hz * open * x
      re += (2 * x - 3 * x * x) * cos(angle)
      im += (2 * x - 3 * x * x) * sin(angle)
    }
    return 10 * log10(re * re + im * im) - 10 * log10(1 + hz * hz / 4e6)
  }

  public func signal() -> Signal {
    let count = Int(seconds * sampleRateHz)
    var samples = [Double](repeating: 0, count: count)
    var turns = 0.0
    var (phases, pitches) = ([Double](), [Double]())
    for n in 0..<count {
      let cents = vibratoCents * sin(2 * .pi * 5.5 * Double(n) / sampleRateHz)
      pitches.append(f0Hz * exp2(cents / 1200))
      phases.append(turns)
      turns += pitches[n] / sampleRateHz
    }
    for h in 1...Int(min(0.45 * sampleRateHz, 10_000) / pitches.max()!) {
      // Levels are interpolated linearly between nine points of the pitch's range.
      let (low, high) = (pitches.min()!, pitches.max()!)
      let table = (0...8).map { index in
        let hz = low + (high - low) * Double(index) / 8
        return pow(10, levelDb(atHz: Double(h) * hz) / 20)
      }
      for n in 0..<count {
        let place = high > low ? (pitches[n] - low) / (high - low) * 7.999 : 0
        let share = place - place.rounded(.down)
        let amplitude = table[Int(place)] * (1 - share) + table[Int(place) + 1] * share
        samples[n] += amplitude * cos(2 * .pi * Double(h) * phases[n])
      }
    }
    let peak = samples.map(abs).max()!
    return Signal(samples.map { Float(0.5 * $0 / peak) }, sampleRateHz: sampleRateHz)
  }
}
