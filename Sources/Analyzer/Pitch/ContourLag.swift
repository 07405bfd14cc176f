import Foundation
import Statistics

/// The shift in time of one pitch contour behind another that explains their difference best.
///
/// A voice that follows its target a few milliseconds late is off by cents wherever the pitch moves,
/// and still in tune. The lag separates both: what remains after the shift is mistuning. A constant
/// interval between the contours doesn't matter.
///
/// Both contours are smoothed alike over 40 ms, so that noise doesn't favour shifts between two
/// frames, where interpolation would smooth one of them. The shift is searched in steps of 1 ms (5 ms in
/// a wide range) by a trimmed square error and refined by weighted least squares on the slope of the contour (Huber's weights). Its deviation is that of sums over
/// stretches of a quarter second, which needs no assumption about the errors within a stretch.
///
/// - Domain: contours that move, on the same frames; lags of -40 to 60 ms, or of any range, in which the
///   contour must not repeat.
/// - Cost: 100 medians over the frames. Allocates.
/// - Source: Huber, "Robust estimation of a location parameter", 1964; Liang and Zeger,
///   "Longitudinal data analysis using generalized linear models", Biometrika 73(1), 1986, for the
///   deviation.
public struct ContourLag: Equatable, Sendable {
  /// Lag; positive if the contour is late.
  public var lagMs: Double
  /// Standard deviation of the lag.
  public var deviationMs: Double

  /// Lags of a voice whose sound is aligned already.
  private static let lagsMs = -40...60
  /// Lags of a sound whose delay is not known, and the step in which they are tried, a 30th of the
  /// period of a vibrato.
  private static let wideLagsMs = (range: -250...1000, step: 5)
  /// Distance of another minimum that is not part of the best.
  private static let apartMs = 30.0
  /// Distance that the root mean square error of another lag must keep: as a ratio, since the noise of
  /// the contour is in both, and in cents, by which a lag in whole milliseconds errs.
  private static let (minRatio, minCents) = (1.5, 1.0)
  /// Distance beyond which a frame counts as an error of another kind.
  private static let maxCents = 60.0
  private static let stretchSeconds = 0.25
  private static let minSeconds = 0.5
  /// Smallest root mean square of the slope: cents per millisecond. A vibrato of 5 Hz and 5 cents
  /// has 0.1, a held note with jitter less than half of it.
  private static let minSlope = 0.05
  private static let widestDeviationMs = 0.5

  /// - Parameters:
  ///   - heard: the contour that may be late.
  ///   - wanted: the contour it follows, on frames of the same length.
  public init(of heard: PitchTrack, behind wanted: PitchTrack) throws(Unmeasurable) {
    try self.init(likeliestOf: heard, behind: wanted)
    guard isCertain else { throw uncertain }
  }

  /// The likeliest lag, however uncertain it is.
  public init(likeliestOf heard: PitchTrack, behind wanted: PitchTrack) throws(Unmeasurable) {
    let contours = Contours(heard, wanted)
    let coarse = try Self.coarse(contours, Array(Self.lagsMs)).lagMs
    (lagMs, deviationMs) = Self.refined(coarse, contours)
    let moved = abs(lagMs - coarse)
    if deviationMs > Self.widestDeviationMs || moved >= 3 { deviationMs = max(deviationMs, moved) }
  }

  /// This lag if its deviation is small enough to tell it, else the reason.
  public var certain: Result<ContourLag, Unmeasurable> {
    isCertain ? .success(self) : .failure(uncertain)
  }

  private var isCertain: Bool { deviationMs <= Self.widestDeviationMs }

  private var uncertain: Unmeasurable {
    Unmeasurable(
      .uncertain,
      "the contours differ too much: the lag is uncertain by "
        + "\((deviationMs * 10).rounded() / 10) ms")
  }

  /// Deviation up to which a lag aligns sounds.
  private static let widestAligningDeviationMs = 3.0

  /// The lag of a contour whose delay is not known at all, in a wide range.
  public init(ofUnaligned heard: PitchTrack, behind wanted: PitchTrack) throws(Unmeasurable) {
    let contours = Contours(heard, wanted)
    let (range, step) = Self.wideLagsMs
    let found = try Self.coarse(
      contours, Array(stride(from: range.lowerBound, through: range.upperBound, by: step)))
    func error(aboutMs lag: Double) -> Double {
      (-step...step).map { Self.cost(contours.differences(lagMs: lag + Double($0)).map(\.cents)) }
        .min()!.squareRoot()
    }
    let others = zip(found.lagsMs, found.costs).filter { abs($0.0 - found.lagMs) > Self.apartMs }
    if let other = others.min(by: { $0.1 < $1.1 }), other.1 < .infinity,
      error(aboutMs: other.0)
        < Self.minRatio * error(aboutMs: found.lagMs) + Self.minCents
    {
      throw Unmeasurable(
        .ambiguousDelay,
        "the pitch contour fits at \(Int(found.lagMs)) ms and at \(Int(other.0)) ms, "
          + "as a vibrato that repeats")
    }
    (lagMs, deviationMs) = Self.refined(found.lagMs, contours)
    guard deviationMs <= Self.widestAligningDeviationMs,
      abs(lagMs - found.lagMs) < 2 * Double(step)
    else { throw uncertain }
  }

  /// Returns the lag of the smallest cost, among all that are tried.
  private static func coarse(
    _ contours: Contours, _ lagsMs: [Int]
  ) throws(Unmeasurable) -> (lagMs: Double, lagsMs: [Double], costs: [Double]) {
    let lagsMs = lagsMs.map(Double.init)
    let counts = lagsMs.map { contours.count(lagMs: $0) }
    let seconds = Double(counts.max() ?? 0) * contours.hopMs / 1000
    guard seconds >= minSeconds else {
      throw Unmeasurable(
        .tooLittleVoice,
        "only \((seconds * 100).rounded() / 100) s have a pitch on both sides; 0.5 s is needed")
    }
    let needed = (counts.max() ?? 0) / 2
    let costs = zip(lagsMs, counts).map { lag, count in
      count < needed ? .infinity : cost(contours.differences(lagMs: lag).map(\.cents))
    }
    let best = costs.indices.min { costs[$0] < costs[$1] }!
    guard contours.slope(lagMs: lagsMs[best]) >= minSlope else {
      throw Unmeasurable(.flatContour, "the pitch moves too little to tell how late it is")
    }
    guard best > 0, best < costs.count - 1 else {
      throw Unmeasurable(
        .outOfRange, "the best lag is at the end of the search range, \(lagsMs[best]) ms")
    }
    return (lagsMs[best], lagsMs, costs)
  }

  /// Share of the frames, the nearest to the median, by which a lag is judged. Octave errors, of which
  /// each lag holds another number, are then left out.
  private static let keptShare = 0.75

  /// The mean squared distance from the median of the nearest frames.
  private static func cost(_ cents: [Double]) -> Double {
    guard !cents.isEmpty else { return .infinity }
    let sorted = cents.sorted()
    let middle = Statistics.median(ofSorted: sorted)
    func square(_ place: Int) -> Double {
      guard sorted.indices.contains(place) else { return .infinity }
      return (sorted[place] - middle) * (sorted[place] - middle)
    }
    // From the median outwards, so in the order of their distances.
    var after = sorted.firstIndex { $0 >= middle } ?? sorted.count
    var before = after - 1
    let kept = max(1, Int(keptShare * Double(sorted.count)))
    var sum = 0.0
    for _ in 0..<kept {
      let (lower, higher) = (square(before), square(after))
      sum += min(lower, higher)
      if lower < higher { before -= 1 } else { after += 1 }
    }
    return sum / Double(kept)
  }

  /// Returns the lag by iterated weighted least squares, with its deviation.
  private static func refined(
    _ coarse: Double, _ contours: Contours
  ) -> (lagMs: Double, deviationMs: Double) {
    var lag = coarse
    var deviation = Double.infinity
    for _ in 0..<8 {
      let found = contours.differences(lagMs: lag)
      let middle = Statistics.median(found.map(\.cents)) ?? 0
      let spread = Statistics.median(found.map { abs($0.cents - middle) }) ?? 0
      let limit = max(1, 3 * 1.4826 * spread)
      let weights = found.map { difference -> Double in
        let distance = abs(difference.cents - middle)
        return distance > maxCents ? 0 : min(1, limit / max(distance, 1e-9))
      }
      let total = weights.reduce(0, +)
      guard total > 0 else { return (lag, .infinity) }
      func mean(_ value: (Contours.Difference) -> Double) -> Double {
        zip(weights, found).reduce(0) { $0 + $1.0 * value($1.1) } / total
      }
      let (meanSlope, meanCents) = (mean(\.slope), mean(\.cents))
      var (product, square) = (0.0, 0.0)
      var stretches: [Int: Double] = [:]
      for (weight, difference) in zip(weights, found) {
        let slope = difference.slope - meanSlope
        product += weight * slope * (difference.cents - meanCents)
        square += weight * slope * slope
      }
      guard square > 0 else { return (lag, .infinity) }
      // A later contour has the earlier pitch: where it rises, it is flat.
      let step = -product / square
      for (weight, difference) in zip(weights, found) {
        let slope = difference.slope - meanSlope
        let rest = difference.cents - meanCents + step * slope
        stretches[Int(difference.seconds / stretchSeconds), default: 0] += weight * slope * rest
      }
      let count = Double(stretches.count)
      // In order of time: sums in the order of a dictionary end in other digits in each process.
      let sums = stretches.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value * $1.value }
      deviation = count > 1 ? (sums * count / (count - 1)).squareRoot() / square : .infinity
      lag += max(-5, min(5, step))
      if abs(step) < 0.001 { break }
    }
    return (lag, deviation)
  }
}

/// Two contours in cents on common frames.
private struct Contours {
  struct Difference {
    var seconds: Double
    var cents: Double
    /// Slope of the wanted contour in cents per millisecond.
    var slope: Double
  }

  private let heard: [Double?]
  private let wanted: [Double?]
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
    let raw = track.f0Hz.map { $0 > 0 ? Analyzer.cents($0, over: 440) : nil }
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

  /// Returns the differences of frames that have both contours if the wanted one is later by `lag`.
  func differences(lagMs lag: Double) -> [Difference] {
    heard.indices.compactMap { frame in
      guard let own = heard[frame],
        let (before, low, high, share) = span(lagMs: lag, at: frame)
      else { return nil }
      // Catmull and Rom's cubic, with straight ends.
      let first = before > 0 ? wanted[before - 1] ?? 2 * low - high : 2 * low - high
      let last = before + 2 < wanted.count ? wanted[before + 2] ?? 2 * high - low : 2 * high - low
      let (b, c) = ((high - first) / 2, (last - low) / 2)
      let (square, cube) = (3 * (high - low) - 2 * b - c, 2 * (low - high) + b + c)
      let value = low + share * (b + share * (square + share * cube))
      let slope = (b + share * (2 * square + 3 * share * cube)) / hopMs
      return Difference(
        seconds: Double(frame) * hopMs / 1000, cents: own - value, slope: slope)
    }
  }

  /// The root mean square of the wanted contour's slope where both sound.
  func slope(lagMs: Double) -> Double {
    let squares = differences(lagMs: lagMs).map { $0.slope * $0.slope }.sorted()
    // Jumps of a tracker are no glides.
    let kept = squares.prefix(max(1, squares.count * 98 / 100))
    return (Statistics.mean(Array(kept)) ?? 0).squareRoot()
  }
}

extension PitchTrack {
  /// Returns the track later by a time, on the same frames; 0 where a neighbour is unvoiced.
  public func delayed(bySeconds delay: Double) -> PitchTrack {
    let moved = f0Hz.indices.map { frame in
      f0Hz(atSeconds: Double(frame) * hopSeconds - delay) ?? 0
    }
    return PitchTrack(hopSeconds: hopSeconds, f0Hz: moved, voicing: moved.map { $0 > 0 ? 1 : 0 })
  }
}
