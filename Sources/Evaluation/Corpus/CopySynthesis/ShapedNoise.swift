import DSP

/// White noise filtered to the spectrum of each frame, in windows that overlap by half.
///
/// The square root of a Hann window is applied before and after the filter; the overlapping windows
/// add up to 1.
struct ShapedNoise {
  let sampleRateHz: Double
  /// Time between frames.
  let hopSeconds: Double

  func samples(count: Int, _ frames: [CopyFrame]) -> [Float] {
    let length = 2 * (CopyAnalysis.noiseCount - 1)
    let half = length / 2
    let white = NoiseColour.white.samples(
      count: count + 2 * length, sampleRateHz: sampleRateHz, rms: 1, seed: 1)
    let window = Window.hann.samples(length + 1).dropLast().map { Float($0.squareRoot()) }
    var transform = FourierTransform(count: length)
    var output = [Float](repeating: 0, count: count)
    for start in stride(from: -half, to: count, by: half) {
      let time = Double(start + half) / sampleRateHz
      let frame = min(Int((time / hopSeconds).rounded()), frames.count - 1)
      guard frame >= 0 else { continue }
      let cut = (0..<length).map { white[start + half + $0] * window[$0] }
      transform.forward(cut.span)
      var spectrum = transform.spectrum
      for bin in 0..<spectrum.count {
        let gain = frames[frame].noise[bin].squareRoot() / Float(length)
        spectrum[bin] = ComplexFloat(spectrum[bin].re * gain, spectrum[bin].im * gain)
      }
      transform.inverse()
      let shaped = transform.samples
      for i in max(0, -start)..<min(length, count - start) {
        output[start + i] += shaped[i] * window[i]
      }
    }
    return output
  }
}
