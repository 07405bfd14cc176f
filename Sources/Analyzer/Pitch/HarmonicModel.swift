import DSP
import Foundation

/// The phase of a voice about the centre of a frame: a cubic in time, so a parabola of pitch.
struct VoicePath: Equatable {
  var f0Hz: Double
  var slopeHzPerSecond = 0.0
  /// Rate of change of the slope.
  var curvatureHzPerSecond2 = 0.0

  /// Returns the first harmonic's phase in radians per power 1, 2, 3 of time, in units of
  /// `seconds`.
  func coefficients(per seconds: Double) -> SIMD4<Double> {
    2 * .pi * seconds
      * SIMD4(
        f0Hz, slopeHzPerSecond * seconds / 2, curvatureHzPerSecond2 * seconds * seconds / 6, 0)
  }

  init(f0Hz: Double) { self.f0Hz = f0Hz }

  init(coefficients: SIMD4<Double>, per seconds: Double) {
    let scaled = coefficients / (2 * .pi * seconds)
    f0Hz = scaled[0]
    slopeHzPerSecond = scaled[1] * 2 / seconds
    curvatureHzPerSecond2 = scaled[2] * 6 / (seconds * seconds)
  }

  /// Distance from an octave, twelfth, double octave and so on, within which a higher voice covers
  /// the lower one's partials: the sum of what two singers stray from their notes.
  private static let coveringCents = 60.0

  /// Returns the number, from 2 on, of the harmonic of a lower voice on which this voice lies; `nil` if it
  /// lies on none.
  func harmonic(of lower: VoicePath) -> Int? {
    let multiple = (f0Hz / lower.f0Hz).rounded()
    guard multiple >= 2, abs(cents(f0Hz, over: multiple * lower.f0Hz)) < Self.coveringCents else {
      return nil
    }
    return Int(min(multiple, 1e6))
  }

  /// True if all harmonics of this voice lie on those of a lower one.
  func isCovered(byAnyOf voices: [VoicePath]) -> Bool {
    voices.contains { harmonic(of: $0) != nil }
  }
}

/// One harmonic of one voice.
struct Partial {
  var voice: Int
  var number: Int
  var amplitude = Complex()
  /// True if another voice's partial is so close that this one carries no pitch information.
  var isShared = false
  /// True if another voice's partial is so close that it could replace this one.
  var isCrowded = false
  /// True for the partials of a lower voice on which those of a higher voice lie. Which of the two
  /// sounds there is unknown, so they carry no information about this voice's pitch.
  var isCovered = false
}

/// Harmonic voices fitted to a frame of sound: the residual, and the direction of a better fit.
///
/// Sums that determine the result run over every sample. The products of partials only determine
/// the speed of convergence: they are smooth, so 64 points suffice, and partials more than
/// `reachBins` apart count as orthogonal.
struct HarmonicModel {
  static let blockCount = 64
  private static let lanes = 8
  private static let width = blockCount / lanes
  /// Distance beyond which partials count as orthogonal, in 1 / window length. Hann's side lobes
  /// are 41 dB down from there.
  static let reachBins = 3.2
  /// Distance below which two partials can't be separated, in 1 / window length.
  static let sharedBins = 0.5
  /// Distance below which one partial takes over most of another's energy if that is removed.
  static let crowdedBins = 1.0
  /// Regularization of the split between coinciding partials; far too small to move a pitch.
  static let ridge = 1e-5

  let frame: HarmonicFrame
  var paths: [VoicePath]
  /// Partials voice by voice, in order of their number.
  var partials: [Partial] = []
  private var harmonics: [Int]
  /// Indices of `partials` by ascending frequency.
  var order: [Int] = []
  /// Index in `order` of the first partial in each one's row.
  var first: [Int] = []
  private(set) var phasors: [SIMD8<Float>] = []

  init(_ frame: HarmonicFrame, paths: [VoicePath]) {
    self.frame = frame
    self.paths = paths
    harmonics = paths.map { _ in 0 }
  }

  /// Returns the same voices, with their amplitudes, for another frame.
  func moved(to frame: HarmonicFrame) -> HarmonicModel {
    var copy = HarmonicModel(frame, paths: paths)
    copy.partials = partials
    copy.harmonics = harmonics
    return copy
  }

  /// Sets each voice's number of harmonics; existing ones keep their amplitude.
  mutating func setHarmonics(_ counts: [Int]) {
    var known: [[Partial]] = paths.map { _ in [] }
    for partial in partials { known[partial.voice].append(partial) }
    partials = counts.indices.flatMap { voice in
      (1..<counts[voice] + 1).map { number in
        number <= known[voice].count
          ? known[voice][number - 1] : Partial(voice: voice, number: number)
      }
    }
    harmonics = counts
  }

  /// Sums over the frame: the residual's products with each partial and time to the powers 0 to 3.
  struct Projections {
    var energy = 0.0
    var moments: [Complex]
  }

  /// Computes the sums that a step needs.
  mutating func projections() -> Projections {
    var result = Projections(moments: [Complex](repeating: Complex(), count: 4 * partials.count))
    let (width, window) = (Self.width, frame.window)
    var weighted = [SIMD8<Float>](repeating: .zero, count: 4 * width)
    var lanes = [SIMD8<Float>](repeating: .zero, count: 8 * partials.count)
    var sums = lanes.mutableSpan
    for block in 0..<window.blockCount {
      fill(from: window.start + Double(block * Self.blockCount) * window.step, by: window.step)
      let z = phasors.span
      let sound = frame.samples.span
      let weight = window.weights.span
      let time = window.times.span
      var rest = weighted.mutableSpan
      let base = block * width
      for v in 0..<width { rest[inBounds: v] = sound[inBounds: base + v] }
      for p in partials.indices {
        let (re, im) = (Float(partials[p].amplitude.re), Float(partials[p].amplitude.im))
        let at = 2 * width * p
        for v in 0..<width {
          rest[inBounds: v] += im * z[inBounds: at + width + v] - re * z[inBounds: at + v]
        }
      }
      var energy = SIMD8<Float>.zero
      for v in 0..<width {
        var value = rest[inBounds: v]
        let t = time[inBounds: base + v]
        let square = value * value
        value *= weight[inBounds: base + v]
        energy += square * weight[inBounds: base + v]
        for power in 0..<4 {
          rest[inBounds: power * width + v] = value
          value *= t
        }
      }
      result.energy += Double(energy.sum())
      for p in partials.indices {
        let at = 2 * width * p
        var (re0, re1, re2, re3) = (sums[8 * p], sums[8 * p + 1], sums[8 * p + 2], sums[8 * p + 3])
        for v in 0..<width {
          let c = z[inBounds: at + v]
          re0 += rest[inBounds: v] * c
          re1 += rest[inBounds: width + v] * c
          re2 += rest[inBounds: 2 * width + v] * c
          re3 += rest[inBounds: 3 * width + v] * c
        }
        (sums[8 * p], sums[8 * p + 1], sums[8 * p + 2], sums[8 * p + 3]) = (re0, re1, re2, re3)
        var (im0, im1, im2, im3) = (
          sums[8 * p + 4], sums[8 * p + 5], sums[8 * p + 6], sums[8 * p + 7]
        )
        for v in 0..<width {
          let s = z[inBounds: at + width + v]
          im0 += rest[inBounds: v] * s
          im1 += rest[inBounds: width + v] * s
          im2 += rest[inBounds: 2 * width + v] * s
          im3 += rest[inBounds: 3 * width + v] * s
        }
        (sums[8 * p + 4], sums[8 * p + 5], sums[8 * p + 6], sums[8 * p + 7]) = (im0, im1, im2, im3)
      }
    }
    for p in partials.indices {
      for power in 0..<4 {
        result.moments[4 * p + power] = Complex(
          Double(sums[8 * p + power].sum()), -Double(sums[8 * p + 4 + power].sum()))
      }
    }
    return result
  }

  /// Writes each partial, at amplitude 1, at 64 times of the frame.
  mutating func fill(from start: Double, by step: Double) {
    let (count, width) = (Self.blockCount, Self.width)
    if phasors.count != 2 * width * partials.count {
      phasors = [SIMD8<Float>](repeating: .zero, count: 2 * width * partials.count)
    }
    var first = 0
    for (voice, path) in paths.enumerated() where harmonics[voice] > 0 {
      let a = path.coefficients(per: frame.halfSeconds)
      // A recurrence over differences computes the phasor of a cubic phase.
      func phase(_ u: Double) -> Double { ((a[2] * u + a[1]) * u + a[0]) * u }
      let values = (0..<4).map { phase(start + Double($0) * step) }
      let d1 = values[1] - values[0]
      let d2 = values[2] - 2 * values[1] + values[0]
      let d3 = values[3] - 3 * values[2] + 3 * values[1] - values[0]
      var z = Complex(angle: values[0])
      var turn = Complex(angle: d1)
      var change = Complex(angle: d2)
      let bend = Complex(angle: d3)
      let at = 2 * width * first
      precondition(at >= 0 && at + 2 * width <= phasors.count)
      unsafe phasors.withUnsafeMutableBytes { bytes in
        for n in 0..<count {
          let (re, im) = (32 * at + 4 * n, 32 * (at + width) + 4 * n)
          unsafe bytes.storeBytes(of: Float(z.re), toByteOffset: re, as: Float.self)
          unsafe bytes.storeBytes(of: Float(z.im), toByteOffset: im, as: Float.self)
          z = z * turn
          turn = turn * change
          change = change * bend
        }
      }
      let highest = harmonics[voice]
      var table = phasors.mutableSpan
      for h in 1..<highest {
        let (from, to) = (at + 2 * width * (h - 1), at + 2 * width * h)
        for v in 0..<width {
          let (c1, s1) = (table[inBounds: at + v], table[inBounds: at + width + v])
          let (c, s) = (table[inBounds: from + v], table[inBounds: from + width + v])
          table[inBounds: to + v] = c * c1 - s * s1
          table[inBounds: to + width + v] = s * c1 + c * s1
        }
      }
      first += harmonics[voice]
    }
  }
}
