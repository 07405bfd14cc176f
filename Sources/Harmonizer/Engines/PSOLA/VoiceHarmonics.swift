import DSP

/// The harmonics of a voice at one moment, read off two of its periods.
///
/// A Hann window of two periods has its zeros at the neighbours of a harmonic, so each is seen by
/// itself. Joined by a curve in decibels they are the envelope, as far as the voice tells; joined by
/// the main lobe of the window of a grain they are what that grain gives.
///
/// - Allocates: in `init` only.
/// - Cost: one transform a reading.
struct VoiceHarmonics: ~Copyable {
  private static var most: Int { @_noLocks get { 96 } }

  /// Number of known harmonics, from the fundamental on.
  private(set) var count = 0
  private var transform: FourierTransform
  private var excerpt: RealtimeArray<Float>
  private var values: RealtimeArray<ComplexFloat>  // by number; the 0th is 0
  private var levels: RealtimeArray<Float>  // log2 of magnitudes, by number
  private let highestHz = 6500.0
  private let sampleRateHz: Double

  /// - Parameter longest: period, in samples.
  init(longest: Double, sampleRateHz: Double) {
    // Nearly three excerpts, so that a spectrum may be read between its bins.
    let length = powerOfTwo(above: Int(5 * longest))
    transform = FourierTransform(count: length)
    excerpt = RealtimeArray(repeating: 0, count: length)
    values = RealtimeArray(repeating: ComplexFloat(0, 0), count: Self.most + 1)
    levels = RealtimeArray(repeating: 0, count: Self.most + 1)
    self.sampleRateHz = sampleRateHz
  }

  @_noLocks mutating func reset() { count = 0 }

  /// Reads them off the periods around `time`.
  @_semantics("no_performance_analysis")
  mutating func read(_ past: borrowing HistoryBuffer, at time: Double, period: Double) {
    let (middle, half, length) = (nearestOf(time), Int(period), excerpt.count)
    precondition(2 * half + 16 < length, "a longer period than can be read")
    excerpt.clear()
    var place = -half
    while place <= half {
      let window = Hann.eight(from: Float(place), perWidth: Float(1 / period))
      let sound = window * past[eightAt: middle &+ place]
      // The middle goes to sample 0, so that phases are those at the mark.
      for i in 0..<8 { excerpt[(place &+ i &+ length) & (length &- 1)] = sound[i] }
      place += 8
    }
    transform.forward(excerpt)
    count = min(Self.most, Int(min(highestHz, 0.45 * sampleRateHz) * period / sampleRateHz))
    for k in 0..<max(count, 0) {
      let value = value(atBin: Double((k + 1) * length) / period)
      values[k + 1] = value
      levels[k + 1] = 0.5 * QuickMath.log2(max(value.power, 1e-20))
    }
  }

  /// The cubic through the four bins around a place.
  private func value(atBin place: Double) -> ComplexFloat {
    let whole = Int(place)
    let f = Float(place - Double(whole))
    let g = 1 - f
    let (far, below) = (-f * g * (1 + g) / 6, g * (1 + f) * (1 + g) / 2)
    let (above, beyond) = (f * (1 + f) * (1 + g) / 2, -f * g * (1 + f) / 6)
    let (a, b, c, d) = (
      transform[whole - 1], transform[whole], transform[whole + 1], transform[whole + 2]
    )
    return ComplexFloat(
      far * a.re + below * b.re + above * c.re + beyond * d.re,
      far * a.im + below * b.im + above * c.im + beyond * d.im)
  }

  /// The envelope at a multiple of the fundamental, up to `count`: log2 of amplitude.
  @_semantics("no_performance_analysis") func level(at number: Double) -> Float {
    let place = min(max(number, 1), Double(count))
    let whole = min(Int(place), max(count - 1, 1))
    let f = Float(place - Double(whole))
    let (b, c) = (levels[whole], levels[min(whole + 1, count)])
    let (a, d) = (levels[max(whole - 1, 1)], levels[min(whole + 2, count)])
    // Catmull and Rom's cubic: through all, smooth, and never far from the straight line.
    return b + 0.5 * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)))
  }

  /// Returns the level of a grain of this half width, in periods: log2 of amplitude.
  @_semantics("no_performance_analysis")
  func grainLevel(at number: Double, halfWidth: Double) -> Float {
    let reach = 2 / halfWidth  // the main lobe and one each side
    var sum = ComplexFloat(0, 0)
    var k = Int(number - reach + 4096) - 4095
    while Double(k) < number + reach, k <= count {
      let weight = Self.lobe(2 * (number - Double(k)) * halfWidth)
      let value = values[abs(k)]
      sum.re += weight * value.re
      sum.im += weight * (k < 0 ? -value.im : value.im)
      k += 1
    }
    return 0.5 * QuickMath.log2(max(sum.power, 1e-20))
  }

  /// The transform of a Hann window, `x` bins from its middle; 1 there.
  @inline(__always) private static func lobe(_ x: Double) -> Float {
    let away = abs(x)
    if away < 1e-4 { return 1 }
    if abs(away - 1) < 1e-4 { return 0.5 }
    return QuickMath.circle(turns: x / 2).im / Float(.pi * x * (1 - x * x))
  }
}
