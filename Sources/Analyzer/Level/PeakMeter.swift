import DSP

/// Measures the peaks of a sound block by block: of its samples, and of the continuous wave through
/// them, the true peak.
///
/// The standard's interpolator finds it at four times the sample rate, whatever that is; the
/// result is never below the largest sample. The interpolator reads sines up to a quarter of the
/// rate within +0.2 and -0.4 dB, as EBU Tech 3341 demands, and higher ones a little high.
///
/// - Source: ITU-R BS.1770-4, Annex 2.
struct PeakMeter {
  private(set) var ofSamples = 0.0
  private var peak: Float = 0
  // Silence around the sound lets the filter run in and out.
  private var before = [Float](repeating: 0, count: taps - 1)

  private static var taps: Int { TruePeakInterpolator.phases[0].count }

  /// Peak of the wave between the samples; valid once all blocks are in and `end` was called.
  var ofWave: Double { max(Double(peak), ofSamples) }

  mutating func take(_ block: [Float]) {
    ofSamples = block.reduce(ofSamples) { max($0, Double(abs($1))) }
    let taps = Self.taps
    let samples = before + block
    guard samples.count >= taps else {
      before = samples
      return
    }
    var peak = peak
    samples.withUnsafeBufferPointer { samples in
      for phase in TruePeakInterpolator.phases {
        phase.withUnsafeBufferPointer { phase in
          for start in 0...samples.count - taps {
            var sum: Float = 0
            for tap in 0..<taps { sum += phase[tap] * samples[start + tap] }
            peak = max(peak, abs(sum))
          }
        }
      }
    }
    self.peak = peak
    before = Array(samples.suffix(taps - 1))
  }

  mutating func end() { take([Float](repeating: 0, count: Self.taps - 1)) }
}
