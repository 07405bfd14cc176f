import DSP

extension Level {
  /// The largest amplitude of the wave that runs through the samples.
  ///
  /// Found at four times the rate by the interpolator of the standard, whatever the rate; never
  /// below the largest sample. The interpolator reads sines up to a quarter of the rate within
  /// +0.2 and -0.4 dB, as EBU Tech 3341 demands, higher ones a little high.
  ///
  /// - Source: ITU-R BS.1770-4, Annex 2.
  public static func truePeak(of signal: Signal) -> Double {
    let taps = TruePeakInterpolator.phases[0].count
    // With silence around, so that the filter runs in and out.
    let silence = [Float](repeating: 0, count: taps - 1)
    let samples = silence + signal.samples + silence
    var peak: Float = 0
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
    return max(Double(peak), samplePeak(of: signal))
  }
}
