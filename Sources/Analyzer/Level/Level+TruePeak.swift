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
    let taps = interpolator[0].count
    // With silence around, so that the filter runs in and out.
    let silence = [Float](repeating: 0, count: taps - 1)
    let samples = silence + signal.samples + silence
    var peak: Float = 0
    samples.withUnsafeBufferPointer { samples in
      for phase in interpolator {
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

  /// Twelve coefficients for each of four times within a sample, as the standard's table has them.
  private static let interpolator: [[Float]] = {
    let first: [Float] = [
      0.0017089843750, 0.0109863281250, -0.0196533203125, 0.0332031250000, -0.0594482421875,
      0.1373291015625, 0.9721679687500, -0.1022949218750, 0.0476074218750, -0.0266113281250,
      0.0148925781250, -0.0083007812500,
    ]
    let second: [Float] = [
      -0.0291748046875, 0.0292968750000, -0.0517578125000, 0.0891113281250, -0.1665039062500,
      0.4650878906250, 0.7797851562500, -0.2003173828125, 0.1015625000000, -0.0582275390625,
      0.0330810546875, -0.0189208984375,
    ]
    return [first, second, second.reversed(), first.reversed()]
  }()
}
