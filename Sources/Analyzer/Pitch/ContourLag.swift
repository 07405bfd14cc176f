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
  private static let minSeconds = 0.5
  /// Voice that a lag in the wide range may leave without a partner, beyond what the best of them leaves: a share of
  /// it, and a time. A lag that is off by a vibrato's period, 0.15 s or more, leaves more at every end of a short
  /// sound; the ends of a voice are read within 0.03 s.
  private static let (maxUnmatchedShare, maxUnmatchedSeconds) = (0.05, 0.1)
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
    let contours = PitchContours(heard, wanted)
    let coarse = try Self.coarse(contours, Array(Self.lagsMs)).lagMs
    (lagMs, deviationMs) = contours.refined(lagMs: coarse)
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
    let contours = PitchContours(heard, wanted)
    let (range, step) = Self.wideLagsMs
    let found = try Self.coarse(
      contours, Array(stride(from: range.lowerBound, through: range.upperBound, by: step))
    ) { most in
      Int(
        (1 - Self.maxUnmatchedShare) * Double(most) - 1000 * Self.maxUnmatchedSeconds
          / contours.hopMs)
    }
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
    (lagMs, deviationMs) = contours.refined(lagMs: found.lagMs)
    guard deviationMs <= Self.widestAligningDeviationMs,
      abs(lagMs - found.lagMs) < 2 * Double(step)
    else { throw uncertain }
  }

  /// Returns the lag of the smallest cost, among all that are tried and match enough frames.
  ///
  /// - Parameter enough: the number of frames, by the most that any lag matches.
  private static func coarse(
    _ contours: PitchContours, _ lagsMs: [Int], enough: (Int) -> Int = { $0 / 2 }
  ) throws(Unmeasurable) -> (lagMs: Double, lagsMs: [Double], costs: [Double]) {
    let lagsMs = lagsMs.map(Double.init)
    let counts = lagsMs.map { contours.count(lagMs: $0) }
    let seconds = Double(counts.max() ?? 0) * contours.hopMs / 1000
    guard seconds >= minSeconds else {
      throw Unmeasurable(
        .tooLittleVoice,
        "only \((seconds * 100).rounded() / 100) s have a pitch on both sides; 0.5 s is needed")
    }
    let needed = enough(counts.max() ?? 0)
    let costs = zip(lagsMs, counts).map { lag, count in
      count < needed ? .infinity : cost(contours.differences(lagMs: lag).map(\.cents))
    }
    let best = costs.indices.min { costs[$0] < costs[$1] }!
    try contours.checkSlope(lagMs: lagsMs[best])
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
}

extension PitchTrack {
  /// Returns the track later by a time, on the same frames; 0 where a neighbour is unvoiced.
  public func delayed(bySeconds delay: Double) -> PitchTrack {
    let moved = f0Hz.indices.map { frame in
      f0Hz(atSeconds: Double(frame) * hopSeconds - delay) ?? 0
    }
    return PitchTrack(hopSeconds: hopSeconds, f0Hz: moved)
  }
}
