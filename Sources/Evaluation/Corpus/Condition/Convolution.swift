import DSP

/// Convolution by Fourier transforms of blocks (overlap-add).
///
/// - Cost: for each sample of the signal, proportional to the logarithm of the response's length.
/// - Source: Oppenheim and Schafer, "Discrete-Time Signal Processing", overlap-add.
enum Convolution {
  /// Returns all `signal.count + response.count - 1` samples.
  static func full(_ signal: [Float], _ response: [Float]) -> [Float] {
    guard !signal.isEmpty, !response.isEmpty else { return [] }
    let count = roundedUp(max(4 * response.count, 4096))
    let blockCount = count - response.count + 1
    var filter = FourierTransform(count: count)
    var block = FourierTransform(count: count)
    filter.forward(response.span)
    let scale = 1 / Float(count)
    var output = [Float](repeating: 0, count: signal.count + response.count - 1)
    for start in stride(from: 0, to: signal.count, by: blockCount) {
      block.forward(signal.span.extracting(start..<min(start + blockCount, signal.count)))
      var spectrum = block.spectrum
      for bin in 0..<spectrum.count {
        let (a, b) = (spectrum[bin], filter[bin])
        spectrum[bin] = ComplexFloat(
          (a.re * b.re - a.im * b.im) * scale, (a.re * b.im + a.im * b.re) * scale)
      }
      block.inverse()
      let result = block.samples
      for i in 0..<min(count, output.count - start) { output[start + i] += result[i] }
    }
    return output
  }

  /// Returns the smallest power of two that is not below `count`.
  static func roundedUp(_ count: Int) -> Int {
    count <= 1 ? 1 : powerOfTwo(above: count - 1)
  }
}
