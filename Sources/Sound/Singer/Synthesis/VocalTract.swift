import Foundation

/// The vocal tract: a cascade of 24 resonators, of which five formants and the nasal pole move.
///
/// Each section is Klatt's digital resonator with unit gain at 0 Hz. The fixed sections above the
/// fifth formant continue the series of a uniform tube to half the sample rate, which extends the
/// spectrum above the moving formants. Coefficients are interpolated from sample to sample; the
/// region of stable coefficients is convex, so the filter stays stable.
///
/// All sections run in parallel, each on its neighbour's output of one sample ago, so the cascade
/// delays by one sample per section.
///
/// - Source: Klatt, "Software for a cascade/parallel formant synthesizer", J. Acoust. Soc. Am.
///   67(3), 1980.
struct VocalTract {
  static let delaySamples = 23

  private var moving: Bank
  private var middle: Bank
  private var upper: Bank
  private var zero: NasalZero
  private let sampleRateHz: Double

  init(voice: Voice, shape: TractShape, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    let fixed = (6...23).map { number in
      let hz = Double(2 * number - 1) * 500 * voice.formantScale
      return hz < 0.49 * sampleRateHz ? Resonance(hz, Self.bandwidth(hz), sampleRateHz) : .none
    }
    moving = Bank(Array(repeating: .none, count: 6) + fixed[0..<2])
    middle = Bank(Array(fixed[2..<10]))
    upper = Bank(Array(fixed[10..<18]))
    zero = NasalZero()
    aim(at: shape, overSamples: 1)
    settle()
  }

  /// Bandwidth of a fixed resonance. Losses at walls and mouth widen the higher ones; the rate is
  /// our choice.
  private static func bandwidth(_ hz: Double) -> Double { 80 + 3e-6 * hz * hz }

  /// Moves to `shape` within the next `count` samples.
  mutating func aim(at shape: TractShape, overSamples count: Int) {
    for lane in 0...TractShape.nasalPole {
      let resonance = Resonance(shape.frequenciesHz[lane], shape.bandwidthsHz[lane], sampleRateHz)
      moving.aim(lane, at: resonance, overSamples: count)
    }
    let lane = TractShape.nasalZero
    zero.aim(
      at: Resonance(shape.frequenciesHz[lane], shape.bandwidthsHz[lane], sampleRateHz),
      overSamples: count)
  }

  /// Applies the target shape immediately.
  private mutating func settle() {
    moving.advance()
    zero.advance()
  }

  /// Filters one sample.
  @inline(__always) mutating func process(_ input: Double) -> Double {
    zero.advance()
    moving.advance()
    let (toMiddle, toUpper) = (moving.y1[7], middle.y1[7])
    moving.step(zero.process(input))
    middle.step(toMiddle)
    upper.step(toUpper)
    return upper.y1[7]
  }
}

/// A pair of poles, as the coefficients of `y[n] = a·x[n] + b·y[n-1] + c·y[n-2]`.
struct Resonance {
  var a: Double
  var b: Double
  var c: Double

  static let none = Resonance(a: 1, b: 0, c: 0)

  private init(a: Double, b: Double, c: Double) { (self.a, self.b, self.c) = (a, b, c) }

  init(_ frequencyHz: Double, _ bandwidthHz: Double, _ sampleRateHz: Double) {
    let radius = exp(-.pi * bandwidthHz / sampleRateHz)
    c = -radius * radius
    b = 2 * radius * cos(2 * .pi * min(frequencyHz / sampleRateHz, 0.5))
    a = 1 - b - c
  }
}

/// Eight resonators in series, computed in parallel.
private struct Bank {
  private var a = SIMD8<Double>(repeating: 1)
  private var b = SIMD8<Double>(repeating: 0)
  private var c = SIMD8<Double>(repeating: 0)
  private var bStep = SIMD8<Double>(repeating: 0)
  private var cStep = SIMD8<Double>(repeating: 0)
  /// The last outputs, and below those before them.
  private(set) var y1 = SIMD8<Double>(repeating: 0)
  private var y2 = SIMD8<Double>(repeating: 0)

  init(_ resonances: [Resonance]) {
    for (lane, resonance) in resonances.enumerated() {
      (a[lane], b[lane], c[lane]) = (resonance.a, resonance.b, resonance.c)
    }
  }

  mutating func aim(_ lane: Int, at resonance: Resonance, overSamples count: Int) {
    bStep[lane] = (resonance.b - b[lane]) / Double(count)
    cStep[lane] = (resonance.c - c[lane]) / Double(count)
  }

  @inline(__always) mutating func advance() {
    b += bStep
    c += cStep
    a = 1 - b - c
  }

  @inline(__always) mutating func step(_ input: Double) {
    let x = SIMD8(input, y1[0], y1[1], y1[2], y1[3], y1[4], y1[5], y1[6])
    let y = a * x + b * y1 + c * y2
    y2 = y1
    y1 = y
  }
}

/// The zero of a side branch: an inverse resonator.
private struct NasalZero {
  private var b = 0.0
  private var c = 0.0
  private var bStep = 0.0
  private var cStep = 0.0
  private var x1 = 0.0
  private var x2 = 0.0

  mutating func aim(at resonance: Resonance, overSamples count: Int) {
    bStep = (resonance.b - b) / Double(count)
    cStep = (resonance.c - c) / Double(count)
  }

  @inline(__always) mutating func advance() {
    b += bStep
    c += cStep
  }

  @inline(__always) mutating func process(_ x: Double) -> Double {
    let y = (x - b * x1 - c * x2) / (1 - b - c)
    (x1, x2) = (x, x1)
    return y
  }
}
