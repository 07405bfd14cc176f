import DSP
import Foundation

/// Tables of the LF pulse: one row per pulse shape and number of harmonics.
///
/// A row holds one period, starting at the closure, band-limited to a number of harmonics. It suits
/// any pitch whose harmonics stay below half the sample rate. Interpolation between rows fades the
/// upper harmonics and the shape without a step.
///
/// - Allocates: 6 MB, once.
struct GlottalWavetable: Sendable {
  static let shared = GlottalWavetable()

  /// Samples in a period. Cubic interpolation errs by 0.9 % of the 512th harmonic and by 10⁻⁷ of
  /// the 32nd; with the source's slope of -12 dB per octave that is below -100 dB everywhere.
  static let period = 4096
  static let shapes = 12
  static let shapeRange = 0.3...2.7
  /// Distance between rows, which have three extra samples at the end and one at the start.
  static let stride = period + 4
  static let flowPeriod = 512

  /// Number of harmonics at each level: 1 to 7, then four levels per octave.
  static let limits: [Int] = (1...7).map { $0 } + (0...24).map { Int(8 * exp2(Double($0) / 4)) }

  /// Rows, shape by shape and level by level.
  let rows: [Float]
  /// The flow, one row per shape, from 0 (closed) to 1 (widest).
  let flow: [Float]

  private init() {
    var rows: [Float] = []
    var flow: [Float] = []
    rows.reserveCapacity(Self.shapes * Self.limits.count * Self.stride)
    for index in 0..<Self.shapes {
      let share = Double(index) / Double(Self.shapes - 1)
      let pulse = GlottalPulse(shape: Self.shapeRange.lowerBound * pow(9, share))
      let harmonics = (1...Self.limits.last!).map { pulse.harmonic($0) }
      for limit in Self.limits {
        let samples = Self.period(of: harmonics.prefix(limit), count: Self.period)
        rows.append(samples[Self.period - 1])
        rows += samples
        rows += samples.prefix(3)
      }
      flow += Self.flow(of: harmonics)
    }
    (self.rows, self.flow) = (rows, flow)
  }

  /// Sums a Fourier series over one period.
  private static func period(of harmonics: ArraySlice<Complex>, count: Int) -> [Float] {
    var transform = FourierTransform(count: count)
    var spectrum = transform.spectrum
    for bin in spectrum.indices { spectrum[bin] = ComplexFloat(0, 0) }
    for (index, value) in harmonics.enumerated() {
      spectrum[index + 1] = ComplexFloat(Float(value.re), Float(value.im))
    }
    transform.inverse()
    let samples = transform.samples
    return samples.indices.map { samples[$0] }
  }

  private static func flow(of harmonics: [Complex]) -> [Float] {
    let integral = harmonics.prefix(flowPeriod / 2 - 1).enumerated().map { index, value in
      value / Complex(0, 2 * .pi * Double(index + 1))
    }
    let samples = period(of: integral[...], count: flowPeriod)
    let (low, high) = (samples.min()!, samples.max()!)
    return samples.map { ($0 - low) / (high - low) }
  }

  /// The position in the tables for a pulse shape and a number of harmonics.
  struct Place {
    /// Row of the brighter shape at the lower level, as an offset into `rows`.
    var first = 0
    /// Offset from that row to the next level; 0 at the lowest.
    var levelStep = 0
    /// Offset from a row to the next shape.
    var shapeStep = 0
    /// Weights of the next level and of the next shape.
    var levelShare = 0.0
    var shapeShare = 0.0
    /// Offset of the flow's row.
    var flow = 0
  }

  /// - Parameter harmonics: number that fits below the band limit, at least 1.
  static func place(shape: Double, harmonics: Double) -> Place {
    let low = shapeRange.lowerBound
    let shapePosition = log2(shape / low) / log2(shapeRange.upperBound / low) * Double(shapes - 1)
    let shapeIndex = min(max(Int(shapePosition), 0), shapes - 2)
    let level = harmonics < 8 ? harmonics - 1 : 7 + 4 * log2(harmonics / 8)
    let levelIndex = min(max(Int(level), 0), limits.count - 1)
    let below = max(levelIndex - 1, 0)
    return Place(
      first: (shapeIndex * limits.count + below) * stride,
      levelStep: (levelIndex - below) * stride,
      shapeStep: limits.count * stride,
      levelShare: min(level - Double(levelIndex), 1),
      shapeShare: min(max(shapePosition - Double(shapeIndex), 0), 1),
      flow: (shapePosition - Double(shapeIndex) < 0.5 ? shapeIndex : shapeIndex + 1) * flowPeriod)
  }
}
