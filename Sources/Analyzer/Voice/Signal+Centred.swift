import DSP

extension Signal {
  /// Without its mean: a constant voltage is no voice.
  var centred: Signal {
    guard !samples.isEmpty else { return self }
    let mean = samples.reduce(0.0) { $0 + Double($1) } / Double(count)
    return Signal(samples.map { Float(Double($0) - mean) }, sampleRateHz: sampleRateHz)
  }
}
