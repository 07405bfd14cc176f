import DSP

/// Adds grains to a sound at any time, between samples too.
struct GrainPlacer: ~Copyable {
  private var transform: FourierTransform

  init(transformCount: Int) { transform = FourierTransform(count: transformCount) }

  /// Adds the mix of two grains, given as spectra about their marks, with its mark at a time.
  ///
  /// - Parameter share: of the second.
  mutating func add(
    _ first: [ComplexFloat], _ second: [ComplexFloat], share: Double, atSamples time: Double,
    gain: Double, to output: inout [Float]
  ) {
    let count = transform.count
    let middle = Int(time.rounded(.down))
    var phasor = Phasor(perStep: -2 * .pi * (time - Double(middle)) / Double(count))
    var spectrum = transform.spectrum
    for bin in first.indices {
      spectrum[bin] = phasor.next() * .mixed(first[bin], second[bin], Float(share))
    }
    transform.inverse()
    let grain = transform.samples
    let scale = Float(gain / Double(count))
    let start = max(-count / 2 + 1, -middle)
    let end = min(count / 2, output.count - middle)
    for n in stride(from: start, to: end, by: 1) {
      output[middle + n] += scale * grain[n < 0 ? n + count : n]
    }
  }
}
