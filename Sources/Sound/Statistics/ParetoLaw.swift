import Foundation

/// The generalized Pareto distribution of values above 0.
public struct ParetoLaw: Codable, Equatable, Sendable {
  /// Shape: if negative it ends at `-scale / shape`, at 0 it is exponential, if positive a power
  /// law.
  public var shape: Double
  /// Scale in the unit of the values.
  public var scale: Double

  public init(shape: Double, scale: Double) {
    precondition(scale > 0, "a scale is positive")
    (self.shape, self.scale) = (shape, scale)
  }

  /// Fits positive values by maximum likelihood; `nil` if they are nearly equal.
  ///
  /// Given `rate = shape / scale`, the most likely shape is the mean of `log(1 + rate * x)`. The
  /// remaining unknown is found by a scan and golden section search. Shapes below -1/2 are not
  /// searched: the likelihood has no proper maximum there, and a longer tail is the safer error.
  public init?(fitting values: [Double]) {
    guard let highest = values.max(), let lowest = values.min(), lowest > 0,
      highest > lowest * (1 + 1e-9)
    else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    func candidate(_ rate: Double) -> (law: ParetoLaw, cost: Double) {
      guard abs(rate) * mean > 1e-9 else {
        return (ParetoLaw(shape: 0, scale: mean), log(mean) + 1)
      }
      let shape = values.reduce(0) { $0 + log1p(rate * $1) } / Double(values.count)
      guard shape >= -0.5 else { return (ParetoLaw(shape: shape, scale: mean), .infinity) }
      let law = ParetoLaw(shape: shape, scale: shape / rate)
      return (law, log(law.scale) + 1 + shape)
    }
    // Rates below `-1 / highest` would make the highest value impossible. The steps are even in
    // the logarithm of the distance from there.
    func rate(_ place: Double) -> Double { expm1(place) / highest }
    let end = log1p(50 * highest / Statistics.median(values)!)
    let step = (end + 6) / 40
    let places = (0...40).map { -6 + step * Double($0) }
    var best = candidate(rate(places[0]))
    var middle = places[0]
    func look(_ place: Double) -> Double {
      let found = candidate(rate(place))
      if found.cost < best.cost { (best, middle) = (found, place) }
      return found.cost
    }
    for place in places { _ = look(place) }
    var (low, high) = (middle - step, middle + step)
    let golden = (5.0.squareRoot() - 1) / 2
    var (left, right) = (high - golden * (high - low), low + golden * (high - low))
    var (costLeft, costRight) = (look(left), look(right))
    for _ in 0..<40 {
      if costLeft < costRight {
        (high, right, costRight) = (right, left, costLeft)
        left = high - golden * (high - low)
        costLeft = look(left)
      } else {
        (low, left, costLeft) = (left, right, costRight)
        right = low + golden * (high - low)
        costRight = look(right)
      }
    }
    guard best.cost.isFinite else { return nil }
    self = best.law
  }

  /// Returns the probability of a value below `x`.
  public func share(below x: Double) -> Double {
    guard x > 0 else { return 0 }
    guard abs(shape) > 1e-12 else { return -expm1(-x / scale) }
    let inside = 1 + shape * x / scale
    return inside > 0 ? -expm1(-log(inside) / shape) : 1
  }

  /// Returns the quantile of a share.
  public func quantile(_ share: Double) -> Double {
    precondition(0..<1 ~= share, "a share lies between 0 and 1")
    let exponential = -log1p(-share)
    return abs(shape) > 1e-12 ? scale * expm1(shape * exponential) / shape : scale * exponential
  }

  /// Returns the distance of sorted values from this law: the Cramér-von Mises statistic.
  func distance(toSorted values: [Double]) -> Double {
    let n = Double(values.count)
    return values.enumerated().reduce(1 / (12 * n)) { sum, item in
      let away = share(below: item.element) - (Double(item.offset) + 0.5) / n
      return sum + away * away
    }
  }
}
