import DSP
import Foundation

/// A delay around 0 that wanders: normal values every 200 ms, interpolated along a cosine.
struct WanderingDelay {
  private let knots: [Double]
  private static let apartSeconds = 0.2

  init(deviationSeconds: Double, seconds: Double, _ random: inout SeededGenerator) {
    var knots: [Double] = []
    for _ in 0...Int(seconds / Self.apartSeconds) + 1 {
      knots.append(deviationSeconds * random.gaussianPair().0)
    }
    self.knots = knots
  }

  func value(atSeconds time: Double) -> Double {
    let place = max(0, min(time / Self.apartSeconds, Double(knots.count - 1)))
    let knot = min(Int(place), knots.count - 2)
    let share = 0.5 - 0.5 * cos(.pi * (place - Double(knot)))
    return knots[knot] + share * (knots[knot + 1] - knots[knot])
  }
}
