import DSP
import Foundation

/// One length of window of ``SpectralPitch``, and the pitches it serves: those of which it holds
/// from four to sixteen periods, best where it holds eight.
struct PitchScale {
  private let windowCount: Int
  private let rateHz: Double
  /// Which pitches, as a range of all candidates, and how much they count here.
  private let pitches: Range<Int>
  private let weights: [Float]
  /// Where each band lies in the spectrum: the bin below, and the share of the bin above.
  private let bands: [(bin: Int, share: Float)]
  /// For each pitch, the first band that counts, and its kernel from there on.
  private let kernels: [(firstBand: Int, values: [Float])]

  /// Windows of a power of two that serve all of `pitches`.
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
    // Octaves from the pitch that this window suits best; those beyond the last window are its own.
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

  /// Steps of 0.2 ERB.
  private static func bandsHz(from lowest: Double, to highest: Double) -> [Double] {
    func erbs(_ hz: Double) -> Double { 21.4 * log10(1 + hz / 229) }
    let (start, end) = (erbs(lowest), erbs(highest))
    return stride(from: start, to: end, by: 0.2).map { 229 * (pow(10, $0 / 21.4) - 1) }
  }

  /// Cosine lobes, up on the first and the prime harmonics and down beside them, falling as the
  /// root of the frequency; of unit length where it is up.
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

  /// Up to the highest that fits under 6 kHz over 60 Hz.
  private static let primes = (2...100).filter { n in !(2..<n).contains { n % $0 == 0 } }

  /// Adds what this window says of its pitches to rows of `width` strengths, one row a hop.
  func add(
    to strengths: inout [Float], hopSeconds: Double, _ width: Int, of sound: Signal
  ) {
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

  /// The root of the amplitude in each band.
  private func loudness(_ transform: borrowing FourierTransform) -> [Float] {
    bands.map { band in
      let below = transform[band.bin].power.squareRoot()
      let above = transform[band.bin + 1].power.squareRoot()
      return (below + band.share * (above - below)).squareRoot()
    }
  }

  /// How much the spectrum resembles each pitch's kernel, at most 1.
  private func match(_ loudness: [Float], into strengths: inout [Float], at place: Int) {
    // The energy from each band up, so that what lies below a pitch doesn't count against it.
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

/// Two sums at once, which the compiler turns into vectors.
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
