import DSP
import Foundation

/// One window length of ``SpectralPitch`` and its pitches: those with 4 to 16 periods in the window;
/// the weight is largest at 8 periods.
struct PitchScale {
  private let windowCount: Int
  private let rateHz: Double
  /// Indices of the pitches among all candidates.
  private let pitches: Range<Int>
  /// Weight of each pitch at this window length.
  private let weights: [Float]
  /// Position of each band in the spectrum: the bin below, and the share of the bin above.
  private let bands: [(bin: Int, share: Float)]
  /// The first band of each pitch's kernel, and the kernel's values from there.
  private let kernels: [(firstBand: Int, values: [Float])]

  /// Returns scales with windows of a power of two that cover all of `pitches`.
  static func all(of pitches: [Double], rateHz: Double) -> [PitchScale] {
    func exponent(_ hz: Double) -> Int { Int(log2(8 * rateHz / hz).rounded()) }
    return (exponent(pitches.last!)...exponent(pitches.first!)).map {
      PitchScale(windowCount: 1 << $0, pitches, rateHz)
    }
  }

  private init(windowCount: Int, _ candidates: [Double], _ rateHz: Double) {
    self.windowCount = windowCount
    self.rateHz = rateHz
    let best = 8 * rateHz / Double(windowCount)
    // Octaves from the pitch with 8 periods. The longest and the shortest window also serve the
    // pitches beyond, with full weight.
    let lowest = 8 * rateHz / candidates.first!
    let highest = 8 * rateHz / candidates.last!
    let distances = candidates.map { hz -> Double in
      let octaves = log2(hz / best)
      let isLongest = Double(windowCount * 2) > lowest * 2.0.squareRoot()
      let isShortest = Double(windowCount) / 2 < highest / 2.0.squareRoot()
      if isLongest && octaves < 0 || isShortest && octaves > 0 { return 0 }
      return abs(octaves)
    }
    let first = distances.firstIndex { $0 < 1 } ?? 0
    let last = distances.lastIndex { $0 < 1 } ?? -1
    pitches = first..<(last + 1)
    weights = distances[pitches].map { Float(1 - $0) }

    let bandsHz = Self.bandsHz(from: candidates.first! / 4, to: rateHz / 2)
    bands = bandsHz.map { hz in
      let position = hz / rateHz * Double(windowCount)
      let bin = min(Int(position), windowCount / 2 - 1)
      return (bin, Float(position - Double(bin)))
    }
    kernels = candidates[pitches].map { hz in
      let start = bandsHz.firstIndex { $0 > hz / 4 } ?? 0
      return (start, Self.kernel(hz, bandsHz[start...]))
    }
  }

  /// Returns the bands' frequencies, 0.2 ERB apart.
  private static func bandsHz(from lowest: Double, to highest: Double) -> [Double] {
    func erbs(_ hz: Double) -> Double { 21.4 * log10(1 + hz / 229) }
    let (start, end) = (erbs(lowest), erbs(highest))
    return stride(from: start, to: end, by: 0.2).map { 229 * (pow(10, $0 / 21.4) - 1) }
  }

  /// Returns the kernel of a pitch: cosine lobes, positive on the first and the prime harmonics and
  /// negative beside them, weighted by 1 over the root of the frequency. Its positive part has unit
  /// length.
  private static func kernel(_ hz: Double, _ bandsHz: ArraySlice<Double>) -> [Float] {
    let highest = Int(bandsHz.last! / hz - 0.75)
    let harmonics = ([1] + primes).filter { $0 <= max(1, highest) }
    let raw = bandsHz.map { band -> Double in
      let ratio = band / hz
      let lobes = harmonics.reduce(0.0) { sum, harmonic in
        let distance = abs(ratio - Double(harmonic))
        if distance < 0.25 { return cos(2 * .pi * ratio) }
        return distance < 0.75 ? sum + cos(2 * .pi * ratio) / 2 : sum
      }
      return lobes * (1 / band).squareRoot()
    }
    let length = raw.reduce(0) { $1 > 0 ? $0 + $1 * $1 : $0 }.squareRoot()
    return raw.map { Float($0 / length) }
  }

  /// Primes up to 100, the highest harmonic of 60 Hz below 6 kHz.
  private static let primes = (2...100).filter { n in !(2..<n).contains { n % $0 == 0 } }

  /// Adds the weighted strengths of this window's pitches to rows of `width`, one row for each hop.
  func add(to strengths: inout [Float], hopSeconds: Double, _ width: Int, of sound: Signal) {
    guard !pitches.isEmpty else { return }
    let hop = windowCount / 4
    let count = sound.count / hop + 2
    var transform = FourierTransform(count: windowCount)
    let window = Window.hann.samples(windowCount).map { Float($0) }
    var cut = [Float](repeating: 0, count: windowCount)
    var own = [Float](repeating: 0, count: count * pitches.count)
    for frame in 0..<count {
      let start = frame * hop - windowCount / 2
      for i in 0..<windowCount {
        let at = start + i
        cut[i] = at >= 0 && at < sound.count ? sound.samples[at] * window[i] : 0
      }
      transform.forward(cut.span)
      match(loudness(transform), into: &own, at: frame * pitches.count)
    }
    let rows = strengths.count / width
    for row in 0..<rows {
      let position = Double(row) * hopSeconds * rateHz / Double(hop)
      let before = min(Int(position), count - 2)
      let share = Float(position - Double(before))
      for (i, pitch) in pitches.enumerated() {
        let (a, b) = (own[before * pitches.count + i], own[(before + 1) * pitches.count + i])
        strengths[row * width + pitch] += weights[i] * (a + share * (b - a))
      }
    }
  }

  /// Returns the square root of the amplitude in each band.
  private func loudness(_ transform: borrowing FourierTransform) -> [Float] {
    bands.map { band in
      let below = transform[band.bin].power.squareRoot()
      let above = transform[band.bin + 1].power.squareRoot()
      return (below + band.share * (above - below)).squareRoot()
    }
  }

  /// Writes the normalized correlation of the spectrum with each pitch's kernel, at most 1.
  private func match(_ loudness: [Float], into strengths: inout [Float], at place: Int) {
    // The energy from each band up: sound below a pitch does not lower its strength.
    var energies = [Float](repeating: 0, count: loudness.count + 1)
    for i in loudness.indices.reversed() {
      energies[i] = energies[i + 1] + loudness[i] * loudness[i]
    }
    for (index, kernel) in kernels.enumerated() {
      let energy = energies[kernel.firstBand]
      guard energy > 1e-9 else { continue }
      let (a, b) = (loudness.span.extracting(kernel.firstBand...), kernel.values.span)
      strengths[place + index] = dot(a, b) / energy.squareRoot()
    }
  }
}

/// Returns the inner product, summed in eight lanes that the compiler turns into vectors.
private func dot(_ a: Span<Float>, _ b: Span<Float>) -> Float {
  precondition(a.count >= b.count, "a kernel is no longer than the spectrum")
  var sum = SIMD8<Float>(repeating: 0)
  let whole = b.count / 8 * 8
  for i in stride(from: 0, to: whole, by: 8) {
    for lane in 0..<8 { unsafe sum[lane] += a[unchecked: i &+ lane] * b[unchecked: i &+ lane] }
  }
  var rest: Float = 0
  for i in whole..<b.count { rest += a[i] * b[i] }
  return sum.sum() + rest
}
