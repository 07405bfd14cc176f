import DSP

extension Signal {
  /// The same sound, scaled down where a sample exceeds full scale.
  public var withoutClipping: Signal {
    let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
    let gain = min(1, 0.999 / max(peak, 1e-9))
    return Signal(samples.map { $0 * gain }, sampleRateHz: sampleRateHz)
  }
}
