import DSP

extension Signal {
  /// Loudness without the ripple of periods, sweeps and grains: a running mean of the power over
  /// 60 ms, applied twice.
  ///
  /// It has no delay of its own, so the outlines of an input and its output may be aligned by
  /// `OnsetDelay(ofOutline:from:)`.
  package var slowOutline: Signal {
    let half = Int(0.030 * sampleRateHz)
    func smooth(_ values: [Double]) -> [Double] {
      var sums = [0.0]
      sums.reserveCapacity(values.count + 1)
      for value in values { sums.append(sums.last! + value) }
      return values.indices.map { n in
        let (from, to) = (max(0, n - half), min(values.count, n + half + 1))
        return (sums[to] - sums[from]) / Double(to - from)
      }
    }
    let power = samples.map { $0.isFinite ? Double($0) * Double($0) : 0 }
    return Signal(
      smooth(smooth(power)).map { Float(max(0, $0).squareRoot()) }, sampleRateHz: sampleRateHz)
  }
}
