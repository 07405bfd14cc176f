import DSP
import Foundation

/// The phase of a voice about the middle of a frame: a cubic of time, so a parabola of pitch.
struct VoicePath: Equatable {
  var f0Hz: Double
  var slopeHzPerSecond = 0.0
  /// Change of the slope.
  var curvatureHzPerSecond2 = 0.0

  /// Radians of the first harmonic per power 1, 2, 3 of time, in units of `seconds`.
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
}

/// One harmonic of one voice.
struct Partial {
  var voice: Int
  var number: Int
  var amplitude = Complex()
  /// Another voice's partial is so near that this one tells nothing about pitch.
  var isShared = false
  /// Another voice's partial is so near that it could pass for this one.
  var isCrowded = false
  /// Every partial of a higher voice lies on one of this voice's, and this is one of those: which of
  /// the two voices sounds there is not known, so it tells nothing about this voice's pitch.
  var isCovered = false
}

/// Voices made of harmonics, held against a frame of sound: what they leave of it, and in which
/// direction they would fit better.
///
/// Sums that decide where the fit ends up run over every sample. The products of partials with each
/// other only decide how fast it gets there: they are smooth, so 64 points are enough, and partials
/// more than `reachBins` apart count as orthogonal.
struct HarmonicModel {
  static let blockCount = 64
  private static let lanes = 8
  private static let width = blockCount / lanes
  /// Of 1 / window length. Hann's side lobes are 41 dB down from there on.
  static let reachBins = 3.2
  /// Nearer than this, of 1 / window length, two partials are one to the ear of the fit.
  static let sharedBins = 0.5
  /// Nearer than this, one partial takes over most of another's energy where that falls silent.
  static let crowdedBins = 1.0
  /// Voices nearer to an octave, a twelfth, a double octave and so on than this have the partials of
  /// the lower one covered. As far as singers stray from their notes, both of them.
  static let coveringCents = 60.0
  /// Holds the split between two coinciding partials still; far below what moves a pitch.
  static let ridge = 1e-5

  let frame: HarmonicFrame
  var paths: [VoicePath]
  /// Voice by voice, from the first harmonic up.
  var partials: [Partial] = []
  private var harmonics: [Int]
  /// Indices of `partials` by frequency.
  var order: [Int] = []
  /// The first partial, by frequency, that each one's row reaches back to.
  var first: [Int] = []
  private(set) var phasors: [SIMD8<Float>] = []

  init(_ frame: HarmonicFrame, paths: [VoicePath]) {
    self.frame = frame
    self.paths = paths
    harmonics = paths.map { _ in 0 }
  }

  /// The same voices, amplitudes too, held against another frame.
  func moved(to frame: HarmonicFrame) -> HarmonicModel {
    var copy = HarmonicModel(frame, paths: paths)
    copy.partials = partials
    copy.harmonics = harmonics
    return copy
  }

  /// Gives each voice so many harmonics; those it had keep their amplitude.
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

  /// Sums over the frame: its residual against every partial, with the powers 0 to 3 of time.
  struct Projections {
    var energy = 0.0
    var moments: [Complex]
  }

  /// How the model lies: everything that a step needs.
  mutating func projections() -> Projections {
    var result = Projections(moments: [Complex](repeating: Complex(), count: 4 * partials.count))
    let width = Self.width
    var weighted = [SIMD8<Float>](repeating: .zero, count: 4 * width)
    var lanes = [SIMD8<Float>](repeating: .zero, count: 8 * partials.count)
    var sums = lanes.mutableSpan
    for block in 0..<frame.blockCount {
      fill(from: frame.start + Double(block * Self.blockCount) * frame.step, by: frame.step)
      let z = phasors.span
      let sound = frame.samples.span
      let weight = frame.weights.span
      let time = frame.times.span
      var rest = weighted.mutableSpan
      let base = block * width
      for v in 0..<width { unsafe rest[unchecked: v] = sound[unchecked: base + v] }
      for p in partials.indices {
        let (re, im) = (Float(partials[p].amplitude.re), Float(partials[p].amplitude.im))
        let at = 2 * width * p
        for v in 0..<width {
          unsafe rest[unchecked: v] += im * z[unchecked: at + width + v] - re * z[unchecked: at + v]
        }
      }
      var energy = SIMD8<Float>.zero
      for v in 0..<width {
        var value = unsafe rest[unchecked: v]
        let t = unsafe time[unchecked: base + v]
        let square = value * value
        value *= unsafe weight[unchecked: base + v]
        energy += unsafe square * weight[unchecked: base + v]
        for power in 0..<4 {
          unsafe rest[unchecked: power * width + v] = value
          value *= t
        }
      }
      result.energy += Double(energy.sum())
      for p in partials.indices {
        let at = 2 * width * p
        var (re0, re1, re2, re3) = (sums[8 * p], sums[8 * p + 1], sums[8 * p + 2], sums[8 * p + 3])
        for v in 0..<width {
          let c = unsafe z[unchecked: at + v]
          unsafe re0 += rest[unchecked: v] * c
          unsafe re1 += rest[unchecked: width + v] * c
          unsafe re2 += rest[unchecked: 2 * width + v] * c
          unsafe re3 += rest[unchecked: 3 * width + v] * c
        }
        (sums[8 * p], sums[8 * p + 1], sums[8 * p + 2], sums[8 * p + 3]) = (re0, re1, re2, re3)
        var (im0, im1, im2, im3) = (
          sums[8 * p + 4], sums[8 * p + 5], sums[8 * p + 6], sums[8 * p + 7]
        )
        for v in 0..<width {
          let s = unsafe z[unchecked: at + width + v]
          unsafe im0 += rest[unchecked: v] * s
          unsafe im1 += rest[unchecked: width + v] * s
          unsafe im2 += rest[unchecked: 2 * width + v] * s
          unsafe im3 += rest[unchecked: 3 * width + v] * s
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

  /// Writes every partial, at amplitude 1, at 64 times of the frame from -1 to 1.
  mutating func fill(from start: Double, by step: Double) {
    let (count, width) = (Self.blockCount, Self.width)
    if phasors.count != 2 * width * partials.count {
      phasors = [SIMD8<Float>](repeating: .zero, count: 2 * width * partials.count)
    }
    var first = 0
    for (voice, path) in paths.enumerated() where harmonics[voice] > 0 {
      let a = path.coefficients(per: frame.halfSeconds)
      // The phasor of a cubic phase, by its differences.
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
      for n in 0..<count {
        phasors[at + n / 8][n % 8] = Float(z.re)
        phasors[at + width + n / 8][n % 8] = Float(z.im)
        z = z * turn
        turn = turn * change
        change = change * bend
      }
      let highest = harmonics[voice]
      var table = phasors.mutableSpan
      for h in 1..<highest {
        let (from, to) = (at + 2 * width * (h - 1), at + 2 * width * h)
        for v in 0..<width {
          let (c1, s1) = unsafe (table[unchecked: at + v], table[unchecked: at + width + v])
          let (c, s) = unsafe (table[unchecked: from + v], table[unchecked: from + width + v])
          unsafe table[unchecked: to + v] = c * c1 - s * s1
          unsafe table[unchecked: to + width + v] = s * c1 + c * s1
        }
      }
      first += harmonics[voice]
    }
  }
}
