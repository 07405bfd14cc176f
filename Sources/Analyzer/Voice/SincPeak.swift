import DSP
import Foundation

/// The maximum of a band-limited sequence between its samples.
///
/// A windowed sinc over 60 samples interpolates; parabolas through the best three places, and
/// golden sections where these fail, find the maximum within a millionth of a sample.
///
/// - Source: Brent, "Algorithms for Minimization without Derivatives", 1973, chapter 5.
struct SincPeak {
  /// Position in samples from the first.
  let position: Double
  let height: Double

  private static let tolerance = 1e-6
  private static let maxRounds = 60

  /// - Parameters:
  ///   - index: index of a sample no lower than its neighbours.
  ///   - isEven: mirrors the sequence before its first sample, as for a correlation. Otherwise, and
  ///     after its end, it is 0.
  init(of samples: [Double], near index: Int, isEven: Bool = false) {
    let curve = SincCurve(of: samples, about: index, isEven: isEven)
    var (low, high) = (-1.0, 1.0)
    var best = (place: 0.0, value: curve.value(at: 0))
    let (left, right) = (
      (place: -1.0, value: curve.value(at: -1)), (place: 1.0, value: curve.value(at: 1))
    )
    var (second, third) = left.value >= right.value ? (left, right) : (right, left)
    var before = 2.0  // the step before the last one
    var last = 2.0
    for _ in 0..<Self.maxRounds where high - low > Self.tolerance {
      var step = Self.vertex(best, second, third) - best.place
      let isInside = best.place + step > low && best.place + step < high
      if !isInside || !(abs(step) < abs(before) / 2) {
        let isRight = best.place >= (low + high) / 2
        last = (isRight ? low : high) - best.place
        step = 0.381_966 * last
      }
      (before, last) = (last, step)
      let next = (place: best.place + step, value: curve.value(at: best.place + step))
      if next.value >= best.value {
        if step >= 0 { low = best.place } else { high = best.place }
        (best, second, third) = (next, best, second)
      } else {
        if step < 0 { low = next.place } else { high = next.place }
        if next.value >= second.value {
          (second, third) = (next, second)
        } else if next.value >= third.value {
          third = next
        }
      }
      if abs(step) < Self.tolerance { break }
    }
    position = Double(index) + best.place
    height = best.value
  }

  /// The place of the vertex of a parabola through three points; not finite if they lie on a line.
  private static func vertex(
    _ a: (place: Double, value: Double), _ b: (place: Double, value: Double),
    _ c: (place: Double, value: Double)
  ) -> Double {
    let near = (a.place - b.place) * (a.value - c.value)
    let far = (a.place - c.place) * (a.value - b.value)
    return a.place - ((a.place - c.place) * far - (a.place - b.place) * near) / (2 * (far - near))
  }
}

/// A sequence between its samples, within one sample of a place, by a windowed sinc.
private struct SincCurve {
  private static let reach = 30
  private static let lanes = 4
  /// Whole distances, and cosine and sine of the taper's angle at each.
  private static let distances = (0..<2 * reach / lanes).map { group in
    SIMD4<Double>((0..<lanes).map { Double(1 - reach + lanes * group + $0) })
  }
  private static let cosines = turns { cos($0) }
  private static let sines = turns { sin($0) }

  private static func turns(_ function: (Double) -> Double) -> [SIMD4<Double>] {
    distances.map { four in
      SIMD4<Double>((0..<lanes).map { function(.pi * four[$0] / Double(reach)) })
    }
  }

  /// Samples from `reach` before the place on, those at odd indices negated.
  private let near: [Double]

  init(of samples: [Double], about index: Int, isEven: Bool) {
    near = (0...2 * Self.reach).map { place in
      let at = index - Self.reach + place
      let mirrored = isEven ? abs(at) : at
      guard samples.indices.contains(mirrored) else { return 0 }
      return place % 2 == 0 ? samples[mirrored] : -samples[mirrored]
    }
  }

  /// - Parameter x: distance from the place, from -1 to 1.
  func value(at x: Double) -> Double {
    let whole = Int(x.rounded(.down))
    let share = x - Double(whole)
    guard share > 1e-9, share < 1 - 1e-9 else {
      let place = Self.reach + whole + (share > 0.5 ? 1 : 0)
      return place % 2 == 0 ? near[place] : -near[place]
    }
    let angle = Double.pi * share / Double(Self.reach)
    let (cosine, sine) = (cos(angle), sin(angle))
    let (distances, cosines, sines) = (Self.distances, Self.cosines, Self.sines)
    let samples = near.span
    precondition(whole == -1 || whole == 0, "a place between the neighbours")
    var sums = SIMD4<Double>.zero
    for group in distances.indices {
      let first = whole + 1 + Self.lanes * group
      let four = SIMD4(
        samples[inBounds: first], samples[inBounds: first + 1], samples[inBounds: first + 2],
        samples[inBounds: first + 3])
      let turned: SIMD4<Double> = cosine * cosines[group] + sine * sines[group]
      let taper: SIMD4<Double> = 0.5 * turned + 0.5
      let apart: SIMD4<Double> = share - distances[group]
      sums += four * taper / apart
    }
    // sin(π(share - k)) differs from sin(π share) by its sign alone.
    let sign = whole % 2 == 0 ? 1.0 : -1.0
    return sums.sum() * sign * sin(.pi * share) / .pi
  }
}
