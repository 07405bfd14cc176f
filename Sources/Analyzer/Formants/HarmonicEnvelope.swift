import DSP
import Foundation

/// The spectral envelope of voiced sound, measured at the harmonics: a level for each step of a
/// logarithmic frequency scale.
///
/// The envelope is linear between harmonics. Unlike linear prediction it stays correct where they
/// lie far apart.
struct HarmonicEnvelope {
  /// Number of steps per octave from `lowestHz` to `highestHz`: a tenth of a semitone each.
  static let stepsPerOctave = 120.0
  static let lowestHz = 200.0
  static let highestHz = 5_000.0
  /// Level of the strongest harmonic below which there is no voice to measure: the last bit of 16.
  private static let softestDbfs = -90.0
  static let stepCount = Int(log2(highestHz / lowestHz) * stepsPerOctave) + 1

  fileprivate static let stepHz = (0..<stepCount).map {
    lowestHz * exp2(Double($0) / stepsPerOctave)
  }

  /// Returns the position of a frequency in steps; negative below the first.
  static func step(atHz hz: Double) -> Double { log2(hz / lowestHz) * stepsPerOctave }

  private let signal: Signal
  private let rateHz = 16_000.0
  /// Frequency above which the sound may hold nothing, as its own filter begins there.
  private let limitHz: Double

  init(of signal: Signal) {
    self.signal = signal.resampled(to: rateHz)
    limitHz = min(rateHz / 2, 0.46 * signal.sampleRateHz)
  }

  /// Harmonics at one instant.
  struct Harmonics: Sendable {
    let f0Hz: Double
    fileprivate let limitHz: Double
    /// Levels of harmonics 1, 2, ... in decibels; at least three.
    let levelsDb: [Double]

    /// Returns the level at each step that the sound's sample rate carries.
    func levels() -> [Double] {
      HarmonicEnvelope.stepHz.prefix { $0 <= limitHz }.map { hz in
        let position = hz / f0Hz - 1
        let below = max(0, min(levelsDb.count - 2, Int(position.rounded(.down))))
        let share = max(0, min(1, position - Double(below)))
        return levelsDb[below] + share * (levelsDb[below + 1] - levelsDb[below])
      }
    }
  }

  /// Measures the harmonics; `nil` if they are too few or too faint.
  func harmonics(
    atSeconds time: Double, f0Hz: Double, _ transform: inout FourierTransform
  ) -> Harmonics? {
    // Four periods under a Hann window keep neighbouring harmonics apart.
    let count = Int(4 / f0Hz * rateHz)
    let start = Int((time * rateHz).rounded()) - count / 2
    guard start >= 0, start + count <= signal.count, count <= transform.count else { return nil }
    let cut = tapered(from: start, count)
    transform.forward(cut.span)

    let highest = Int((limitHz - f0Hz) / f0Hz)
    guard highest >= 3 else { return nil }
    let levels = (1...highest).map { 10 * log10(peak(near: Double($0) * f0Hz, f0Hz, transform)) }
    // A sine of amplitude 1 has a power of (count / 4)² under the window.
    let fullScaleDb = 20 * log10(Double(count) / 4)
    guard let loudest = levels.max(), loudest > fullScaleDb + Self.softestDbfs else { return nil }
    return Harmonics(f0Hz: f0Hz, limitHz: limitHz, levelsDb: levels)
  }

  /// Returns samples under a Hann window, whose cosine comes from a recurrence.
  private func tapered(from start: Int, _ count: Int) -> [Float] {
    var cut = [Float](repeating: 0, count: count)
    let sound = signal.samples.span
    var turned = Complex(-1, 0)
    let turn = Complex(angle: 2 * .pi / Double(max(count - 1, 1)))
    for n in 0..<count {
      cut[n] = sound[start + n] * Float(0.5 + 0.5 * turned.re)
      turned = turned * turn
    }
    return cut
  }

  /// The highest power within a quarter of `f0Hz` of `hz`, which tolerates a small pitch error.
  private func peak(near hz: Double, _ f0Hz: Double, _ transform: borrowing FourierTransform)
    -> Double
  {
    let perBin = rateHz / Double(transform.count)
    let from = max(0, Int((hz - f0Hz / 4) / perBin))
    let to = min(transform.binCount - 1, Int((hz + f0Hz / 4) / perBin) + 1)
    var power: Float = 1e-20
    for bin in from...to { power = max(power, transform[bin].power) }
    return Double(power)
  }
}
