import DSP
import Foundation

/// Sums of a spectrum's amplitudes over the harmonics of every pitch, less what lies between them.
///
/// Breath and echoes hide how a voice repeats from one period to the next. Its harmonics stand out of a spectrum of
/// 110 ms nevertheless: where breath is as loud as the voice, a correlation proposes the right period in 64 % of the
/// frames, and three of these sums do in most of the others (docs/notes/pitch.md).
///
/// - Source: Hermes, "Measurement of pitch by subharmonic summation", JASA 83(1), 1988.
struct SubharmonicSummation: ~Copyable {
  /// Number of values that describe a pitch.
  static let valueCount = 8
  /// Number of pitches proposed.
  static let maxPeaks = 3
  /// Weight of a harmonic relative to the one before (Hermes).
  private static let decay: Float = 0.84
  private static let (pitchesPerOctave, maxHarmonics, highestHz) = (36.0, 16, 3400.0)

  /// Amplitude of two neighbouring bins in a sum.
  private struct Term {
    var bin: Int
    var weights: SIMD2<Float>
  }

  private let floorHz: Double
  private let hzPerBin: Double
  private let terms: [Term]
  /// End of each pitch's terms.
  private let ends: [Int]
  private var spectrum: FrameCorrelation
  /// Power and amplitude of each bin.
  private var bins: RealtimeArray<SIMD2<Float>>
  private var total: Float = 0
  private var sums: [Float]
  private var greatest: Float = 0

  /// - Parameter windowSeconds: length of the Hann window.
  init(floorHz: Double, ceilingHz: Double, windowSeconds: Double, sampleRateHz: Double) {
    spectrum = FrameCorrelation(
      floorHz: floorHz, windowSeconds: windowSeconds, sampleRateHz: sampleRateHz)
    let binCount = spectrum.binCount
    let hzPerBin = spectrum.hzPerBin
    let count = Int(log2(ceilingHz / floorHz) * Self.pitchesPerOctave) + 1
    var terms: [Term] = []
    ends = (0..<count).map { pitch in
      let f0Hz = floorHz * exp2(Double(pitch) / Self.pitchesPerOctave)
      var weight: Float = 1
      for number in 1...max(1, min(Self.maxHarmonics, Int(Self.highestHz / f0Hz))) {
        for (part, share) in [(0.0, 1), (1 / 2, -0.5), (1 / 3, -0.25), (2 / 3, -0.25)]
          as [(Double, Float)]
        {
          let place = (Double(number) - part) * f0Hz / hzPerBin
          let bin = Int(place)
          guard bin + 1 < binCount else { continue }
          let next = Float(place - Double(bin))
          terms.append(Term(bin: bin, weights: weight * share * SIMD2(1 - next, next)))
        }
        weight *= Self.decay
      }
      return terms.count
    }
    self.terms = terms
    (self.floorHz, self.hzPerBin) = (floorHz, hzPerBin)
    bins = RealtimeArray(repeating: .zero, count: binCount)
    sums = [Float](repeating: 0, count: count)
  }

  /// Sums the harmonics of every pitch in the window around a sample.
  mutating func sum(_ samples: borrowing PaddedSamples, around centre: Int) {
    let powers = spectrum.spectrum(of: samples, around: centre)
    let lowest = Int(0.75 * floorHz / hzPerBin)
    total = 0
    for bin in powers.indices {
      let amplitude = bin < lowest ? 0 : powers[bin].squareRoot()
      bins[bin] = SIMD2(amplitude * amplitude, amplitude)
      total += amplitude
    }
    greatest = 0
    var first = 0
    for pitch in sums.indices {
      var sum: Float = 0
      for index in first..<ends[pitch] {
        let term = terms[index]
        sum +=
          term.weights.x * bins[unchecked: term.bin].y
          + term.weights.y * bins[unchecked: term.bin &+ 1].y
      }
      first = ends[pitch]
      sums[pitch] = sum
      greatest = max(greatest, sum)
    }
  }

  /// The pitches with the greatest sums, in hertz.
  func peaks() -> [Double] {
    var found: [(place: Double, height: Float)] = []
    for pitch in 1..<sums.count - 1 {
      let (a, b, c) = (sums[pitch - 1], sums[pitch], sums[pitch + 1])
      guard b > 0, b > a, b >= c else { continue }
      found.append((Double(pitch) + Double(peakOffset(a, b, c) ?? 0), b))
    }
    return found.sorted { $0.height > $1.height }.prefix(Self.maxPeaks)
      .map { floorHz * exp2($0.place / Self.pitchesPerOctave) }
  }

  /// Values that describe a pitch.
  func values(ofHz f0Hz: Double) -> [Float] {
    let sum = HarmonicSums(of: bins, f0Hz: Float(f0Hz), hzPerBin: Float(hzPerBin))
    let log = CandidateEvidence.log
    return [
      log(self.sum(atHz: f0Hz), greatest), log(self.sum(atHz: 2 * f0Hz), greatest),
      log(self.sum(atHz: f0Hz / 2), greatest), log(sum.all.y, total), log(sum.halves.y, sum.all.y),
      log(sum.odd.y, sum.all.y), log(sum.first.y, sum.all.y), log(sum.halves.x, sum.all.x),
    ]
  }

  /// The sum of a pitch, interpolated; 0 beyond the range and where less is on the harmonics than between them.
  private func sum(atHz hz: Double) -> Float {
    let place = log2(hz / floorHz) * Self.pitchesPerOctave
    let pitch = Int(place.rounded(.down))
    guard pitch >= 0, pitch + 1 < sums.count else { return 0 }
    return max(0, sums[pitch] + Float(place - Double(pitch)) * (sums[pitch + 1] - sums[pitch]))
  }
}
