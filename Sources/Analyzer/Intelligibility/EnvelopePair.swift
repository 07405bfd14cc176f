import DSP

/// Two sounds of equal length at 8 or 16 kHz, to be split into bands.
struct EnvelopePair {
  let sampleRateHz: Double
  /// Samples of the reference and of the output.
  private let pairs: [SIMD2<Double>]

  init(_ output: Signal, _ reference: Signal) throws(Unmeasurable) {
    let rateHz = try Intelligibility.wholeRate(of: output, reference, in: 8000...768_000)
    guard output.durationSeconds >= 0.5 else {
      throw Intelligibility.tooFew(frames: Int(output.durationSeconds / 0.0128))
    }
    let target = rateHz >= 16_000 ? 16_000.0 : 8000.0
    sampleRateHz = target
    pairs = zip(reference.resampled(to: target).samples, output.resampled(to: target).samples)
      .map { SIMD2(Double($0), Double($1)) }
  }

  /// Returns the envelopes of the reference and of the output in a band.
  func envelopes(
    _ lowHz: Double, _ highHz: Double, _ filter: BandEnvelope
  ) -> ([Double], [Double]) {
    filter.values(pairs, lowHz, highHz)
  }
}
