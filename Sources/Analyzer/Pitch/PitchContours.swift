import Foundation
import Statistics

/// Two contours in cents on common frames, smoothed alike.
struct PitchContours {
  struct Difference {
    var seconds: Double
    var cents: Double
    /// Slope of the wanted contour in cents per millisecond.
    var slope: Double
  }

  private let heard: [Double?]
  private let wanted: [Double?]
  /// Duration of a frame.
  let hopMs: Double

  init(_ heard: PitchTrack, _ wanted: PitchTrack) {
    precondition(heard.hopSeconds == wanted.hopSeconds, "frames differ")
    (self.heard, self.wanted) = (Self.smoothed(heard), Self.smoothed(wanted))
    hopMs = heard.hopSeconds * 1000
  }

  private static let smoothSeconds = 0.020
  /// Largest step from frame to frame; a larger one is an error of the tracker or another note.
  private static let maxStepCents = 80.0

  /// Returns the contour in cents under a Hann window, which is shorter near the ends of a stretch so
  /// that it stays symmetric.
  private static func smoothed(_ track: PitchTrack) -> [Double?] {
    let raw = track.f0Hz.map { $0 > 0 ? cents($0, over: 440) : nil }
    let reach = max(1, Int((smoothSeconds / track.hopSeconds).rounded()))
    func follows(_ a: Int, _ b: Int) -> Bool {
      guard raw.indices.contains(a), raw.indices.contains(b), let x = raw[a], let y = raw[b] else {
        return false
      }
      return abs(x - y) <= maxStepCents
    }
    return raw.indices.map { frame in
      guard raw[frame] != nil else { return nil }
      var near = 0
      while near < reach, follows(frame - near - 1, frame - near),
        follows(frame + near, frame + near + 1)
      { near += 1 }
      let weights = (-near...near).map { 1 + cos(.pi * Double($0) / Double(near + 1)) }
      let sum = zip(weights, raw[frame - near...frame + near]).reduce(0) { $0 + $1.0 * $1.1! }
      return sum / weights.reduce(0, +)
    }
  }

  /// Returns the number of frames that have both contours if the wanted one is later by `lag`.
  func count(lagMs lag: Double) -> Int {
    heard.indices.count { heard[$0] != nil && span(lagMs: lag, at: $0) != nil }
  }

  /// Returns the two values of the wanted contour about a frame, and its place between them.
  private func span(
    lagMs lag: Double, at frame: Int
  ) -> (before: Int, low: Double, high: Double, share: Double)? {
    let place = Double(frame) - lag / hopMs
    let before = Int(place.rounded(.down))
    guard before >= 0, before + 1 < wanted.count, let low = wanted[before],
      let high = wanted[before + 1]
    else { return nil }
    return (before, low, high, place - Double(before))
  }

  /// Returns the difference of a frame that has both contours if the wanted one is later by `lag`.
  func difference(atFrame frame: Int, lagMs lag: Double) -> Difference? {
    guard let own = heard[frame], let (before, low, high, share) = span(lagMs: lag, at: frame)
    else { return nil }
    // Catmull and Rom's cubic, with straight ends.
    let first = before > 0 ? wanted[before - 1] ?? 2 * low - high : 2 * low - high
    let last = before + 2 < wanted.count ? wanted[before + 2] ?? 2 * high - low : 2 * high - low
    let (b, c) = ((high - first) / 2, (last - low) / 2)
    let (square, cube) = (3 * (high - low) - 2 * b - c, 2 * (low - high) + b + c)
    let value = low + share * (b + share * (square + share * cube))
    let slope = (b + share * (2 * square + 3 * share * cube)) / hopMs
    return Difference(seconds: Double(frame) * hopMs / 1000, cents: own - value, slope: slope)
  }

  /// Returns the differences of frames that have both contours if the wanted one is later by `lag`.
  func differences(lagMs lag: Double) -> [Difference] {
    heard.indices.compactMap { difference(atFrame: $0, lagMs: lag) }
  }

  /// Frames in which the later contour has a pitch.
  var voiced: [Int] { heard.indices.filter { heard[$0] != nil } }

  /// Smallest root mean square of the slope: cents per millisecond. A vibrato of 5 Hz and 5 cents
  /// has 0.1, a held note with jitter less than half of it.
  private static let minSlope = 0.05

  /// Throws if the wanted contour moves too little.
  func checkSlope(lagMs: Double) throws(Unmeasurable) {
    guard slope(lagMs: lagMs) >= Self.minSlope else {
      throw Unmeasurable(.flatContour, "the pitch moves too little to tell how late it is")
    }
  }

  /// The root mean square of the wanted contour's slope where both sound.
  private func slope(lagMs: Double) -> Double {
    let squares = differences(lagMs: lagMs).map { $0.slope * $0.slope }.sorted()
    // Jumps of a tracker are no glides.
    let kept = squares.prefix(max(1, squares.count * 98 / 100))
    return (Statistics.mean(Array(kept)) ?? 0).squareRoot()
  }
}

extension PitchContours {
  /// A trajectory with the deviation of its delay.
  typealias Fit = (trajectory: DelayTrajectory, deviationMs: Double)

  /// Distance beyond which a frame counts as an error of another kind.
  private static let maxCents = 60.0
  private static let stretchSeconds = 0.25
  /// Largest movement in one round, within which a vibrato is nearly straight.
  private static let maxStepMs = 5.0

  /// Returns a trajectory of one or two knots, moved by weighted least squares on the slope of the
  /// contour (Huber's weights). Its deviation is that of sums over stretches of a quarter second, which
  /// needs no assumption about the errors within a stretch.
  func refined(_ start: DelayTrajectory) -> Fit {
    var fit: Fit = (start, .infinity)
    for _ in 0..<8 {
      let found = heard.indices.compactMap { frame in
        difference(
          atFrame: frame, lagMs: fit.trajectory.ms(atSeconds: Double(frame) * hopMs / 1000))
      }
      let weights = Self.weights(of: found)
      let total = weights.reduce(0, +)
      guard total > 0 else { return fit }
      func mean<Value: SIMD>(_ values: [Value]) -> Value where Value.Scalar == Double {
        zip(weights, values).reduce(.zero) { $0 + $1.0 / total * $1.1 }
      }
      // What a later knot adds to each frame: a later contour has the earlier pitch.
      let shares = found.map { fit.trajectory.shares(atSeconds: $0.seconds) }
      let slopes = zip(found, shares).map { -$0.slope * $1 }
      let meanSlope = mean(slopes)
      let meanCents = zip(weights, found).reduce(0) { $0 + $1.0 * $1.1.cents } / total
      var (squares, product, moment) = (SIMD2<Double>.zero, 0.0, SIMD2<Double>.zero)
      for (weight, (slope, difference)) in zip(weights, zip(slopes, found)) {
        let slope = slope - meanSlope
        squares += weight * slope * slope
        product += weight * slope.x * slope.y
        moment += weight * (difference.cents - meanCents) * slope
      }
      let isConstant = fit.trajectory.knots.count == 1
      if isConstant { squares.y = 1 }
      let determinant = squares.x * squares.y - product * product
      guard determinant > 1e-9 * squares.x * squares.y else { return (fit.trajectory, .infinity) }
      func solved(_ right: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(squares.y * right.x - product * right.y, squares.x * right.y - product * right.x)
          / determinant
      }
      let step = solved(moment)
      var stretches: [Int: SIMD2<Double>] = [:]
      for (weight, (slope, difference)) in zip(weights, zip(slopes, found)) {
        let slope = slope - meanSlope
        let rest = difference.cents - meanCents - (step * slope).sum()
        stretches[Int(difference.seconds / Self.stretchSeconds), default: .zero] +=
          weight * rest * slope
      }
      // In order of time: sums in the order of a dictionary end in other digits in each process.
      let moves = stretches.sorted { $0.key < $1.key }.map { solved($0.value) }
      let variance = moves.reduce(0.0) { sum, move in
        sum + mean(shares.map { SIMD2((move * $0).sum(), 0) * (move * $0).sum() }).x
      }
      let count = Double(moves.count)
      fit.deviationMs = count > 1 ? (variance * count / (count - 1)).squareRoot() : .infinity
      fit.trajectory = fit.trajectory.moved(
        by: step.clamped(
          lowerBound: SIMD2(repeating: -Self.maxStepMs),
          upperBound: SIMD2(repeating: Self.maxStepMs)))
      if abs(step.x) < 0.001, abs(step.y) < 0.001 || isConstant { break }
    }
    return fit
  }

  private static func weights(of found: [Difference]) -> [Double] {
    let middle = Statistics.median(found.map(\.cents)) ?? 0
    let spread = Statistics.median(found.map { abs($0.cents - middle) }) ?? 0
    let limit = max(1, 3 * 1.4826 * spread)
    return found.map { difference in
      let distance = abs(difference.cents - middle)
      return distance > maxCents ? 0 : min(1, limit / max(distance, 1e-9))
    }
  }

  /// Returns a lag moved in the same way, with its deviation.
  func refined(lagMs: Double) -> (lagMs: Double, deviationMs: Double) {
    let (trajectory, deviationMs) = refined(DelayTrajectory(ms: lagMs))
    return (trajectory.meanMs, deviationMs)
  }
}

extension DelayTrajectory {
  /// Returns the shares of the first and the last of two knots in the delay at a time.
  fileprivate func shares(atSeconds time: Double) -> SIMD2<Double> {
    guard knots.count == 2 else { return SIMD2(1, 0) }
    let (first, last) = (knots[0].seconds, knots[1].seconds)
    let share =
      first == last ? (time < first ? 0 : 1) : min(1, max(0, (time - first) / (last - first)))
    return SIMD2(1 - share, share)
  }

  fileprivate func moved(by steps: SIMD2<Double>) -> DelayTrajectory {
    DelayTrajectory(
      knots: knots.enumerated().map { place, knot in
        Knot(seconds: knot.seconds, ms: knot.ms + steps[place])
      })
  }
}
