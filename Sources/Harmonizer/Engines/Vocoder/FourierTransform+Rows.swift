import DSP

extension FourierTransform {
  /// Transforms `samples`, padded with zeros.
  mutating func forward(_ samples: borrowing RealtimeArray<Float>) { forward(samples.span) }

  /// Transforms the spectrum `bins`, which is kept.
  mutating func inverse(_ bins: borrowing RealtimeArray<ComplexFloat>) {
    precondition(bins.count == binCount, "as many bins as the transform has")
    var spectrum = spectrum
    for k in 0..<spectrum.count { spectrum[k] = bins[unchecked: k] }
    inverse()
  }

  /// Transforms the spectrum of real values `bins`.
  mutating func inverse(_ bins: borrowing RealtimeArray<Float>) {
    precondition(bins.count == binCount, "as many bins as the transform has")
    var spectrum = spectrum
    for k in 0..<spectrum.count { spectrum[k] = ComplexFloat(bins[unchecked: k], 0) }
    inverse()
  }
}
