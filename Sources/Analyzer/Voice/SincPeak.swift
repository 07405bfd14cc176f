import Foundation

/// The maximum of a band-limited sequence between its samples.
///
/// A windowed sinc over 60 samples interpolates; golden section search finds the maximum within a
/// millionth of a sample.
struct SincPeak {
  /// Position in samples from the first.
  let position: Double
  let height: Double

  /// - Parameters:
  ///   - index: index of a sample no lower than its neighbours.
  ///   - isEven: mirrors the sequence before its first sample, as for a correlation. Otherwise, and
  ///     after its end, it is 0.
  init(of samples: [Double], near index: Int, isEven: Bool = false) {
    func value(_ x: Double) -> Double { Self.value(samples, at: x, isEven: isEven) }
    let golden = (5.0.squareRoot() - 1) / 2
    var (low, high) = (Double(index) - 1, Double(index) + 1)
    var (a, b) = (high - golden * (high - low), low + golden * (high - low))
    var (atA, atB) = (value(a), value(b))
    while high - low > 1e-6 {
      if atA > atB {
        (high, b, atB) = (b, a, atA)
        a = high - golden * (high - low)
        atA = value(a)
      } else {
        (low, a, atA) = (a, b, atB)
        b = low + golden * (high - low)
        atB = value(b)
      }
    }
    position = (low + high) / 2
    height = value(position)
  }

  private static let reach = 30
  /// Cosine and sine of the taper's angle at each whole distance.
  private static let turns = (1 - reach...reach).map { k in
    let angle = Double.pi * Double(k) / Double(reach)
    return (cosine: cos(angle), sine: sin(angle))
  }

  private static func value(_ samples: [Double], at x: Double, isEven: Bool) -> Double {
    let whole = Int(x.rounded(.down))
    let share = x - Double(whole)
    // sin(π(share - k)) differs from sin(π share) by its sign alone.
    let sine = sin(.pi * share)
    guard share > 1e-9, share < 1 - 1e-9 else {
      return sample(samples, whole + (share > 0.5 ? 1 : 0), isEven)
    }
    let angle = Double.pi * share / Double(reach)
    let (cosine, sineOfAngle) = (cos(angle), sin(angle))
    var sum = 0.0
    for (k, turn) in zip(1 - reach...reach, turns) {
      let distance = share - Double(k)
      let taper = 0.5 + 0.5 * (cosine * turn.cosine + sineOfAngle * turn.sine)
      let sign = k % 2 == 0 ? 1.0 : -1.0
      sum += sample(samples, whole + k, isEven) * sign * sine / (.pi * distance) * taper
    }
    return sum
  }

  private static func sample(_ samples: [Double], _ index: Int, _ isEven: Bool) -> Double {
    let place = isEven ? abs(index) : index
    return samples.indices.contains(place) ? samples[place] : 0
  }
}
