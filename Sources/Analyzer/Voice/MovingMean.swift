/// The moving mean of linearly interpolated samples, over a fractional width, cut at the ends.
struct MovingMean {
  /// Width in samples.
  let width: Double

  func applied(to samples: [Double]) -> [Double] {
    guard samples.count > 1 else { return samples }
    var integral = [0.0]
    for (a, b) in zip(samples, samples.dropFirst()) {
      integral.append(integral.last! + (a + b) / 2)
    }
    func area(to x: Double) -> Double {
      let whole = min(Int(x), samples.count - 2)
      let share = x - Double(whole)
      let rise = samples[whole + 1] - samples[whole]
      return integral[whole] + share * (samples[whole] + share * rise / 2)
    }
    let last = Double(samples.count - 1)
    return samples.indices.map { index in
      let low = max(0, Double(index) - width / 2)
      let high = min(last, Double(index) + width / 2)
      return (area(to: high) - area(to: low)) / (high - low)
    }
  }
}
