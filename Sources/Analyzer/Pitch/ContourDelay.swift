import Foundation
import Statistics

/// The delay of a pitch contour behind the one that it follows: constant, drifting, or with one jump.
///
/// Each shift has a cost in each frame, the negative logarithm of Cauchy's density of the difference in
/// cents, by which octave errors and noise count little. A trajectory costs the sum along it. A drift or
/// a jump is found if it costs less than each constant by more than a criterion of information asks for
/// its parameters. Weighted least squares on the slope of the contour then refine it.
///
/// - Domain: contours that move, on the same frames; a delay that is known within 60 ms.
/// - Cost: 0.003 of real time. Allocates.
/// - Source: Schwarz, "Estimating the dimension of a model", Annals of Statistics 6(2), 1978.
public struct ContourDelay: Equatable, Sendable {
  public var trajectory: DelayTrajectory
  /// Standard deviation of the delay, mean over frames.
  public var deviationMs: Double

  /// Distance from the known delay that is searched, and its steps: a 60th of a vibrato's period.
  private static let (reachMs, stepMs) = (60.0, 3.0)
  /// Step of the frames that are searched.
  private static let frameMs = 10.0
  private static let minSeconds = 0.3
  /// Smallest spread of the differences, that of a shift between two steps.
  private static let minSpreadCents = 1.0

  /// - Parameters:
  ///   - heard: the contour that may be late.
  ///   - wanted: the contour that it follows.
  ///   - known: a delay, or a change of it, that is known roughly.
  public init(
    of heard: PitchTrack, behind wanted: PitchTrack, about known: DelayTrajectory
  ) throws(Unmeasurable) {
    let contours = PitchContours(heard, wanted)
    let (lagsMs, frames, table) = Self.table(contours, about: known)
    let stepMs = contours.hopMs * Double(Self.every(contours))
    let seconds = Double(frames.count) * stepMs / 1000
    guard seconds >= Self.minSeconds, var centre = Self.narrowest(table) else {
      throw Unmeasurable(
        .tooLittleVoice,
        "only \((seconds * 100).rounded() / 100) s have a pitch on both sides; 0.3 s is needed")
    }
    var shape = Shape.constant(0)
    for _ in 0..<2 {
      let costs = ShapeCosts(
        table, middle: centre.middle, spread: max(Self.minSpreadCents, centre.spread),
        stepMs: stepMs)
      shape = costs.best
      let rest = frames.indices.compactMap { table[shape.lag(at: $0, of: frames.count)][$0] }
      centre = Self.centre(rest) ?? centre
    }
    func time(_ place: Int) -> Double { Double(frames[place]) * contours.hopMs / 1000 }
    let start: DelayTrajectory =
      switch shape {
      case .constant(let lag): DelayTrajectory(ms: lagsMs[lag])
      case .line(let from, let to):
        DelayTrajectory(knots: [
          .init(seconds: time(0), ms: lagsMs[from]),
          .init(seconds: time(frames.count - 1), ms: lagsMs[to]),
        ])
      case .jump(let from, let to, let place):
        DelayTrajectory(fromMs: lagsMs[from], toMs: lagsMs[to], atSeconds: time(place))
      }
    try contours.checkSlope(lagMs: start.meanMs)
    (trajectory, deviationMs) = contours.refined(start)
    let moved = zip(trajectory.knots, start.knots).map { abs($0.ms - $1.ms) }.max()!
    if moved > 2 * Self.stepMs { deviationMs = max(deviationMs, moved) }
  }

  private static func every(_ contours: PitchContours) -> Int {
    max(1, Int((frameMs / contours.hopMs).rounded()))
  }

  /// Returns the shifts, the frames that have a difference at any, and the differences by both.
  private static func table(
    _ contours: PitchContours, about known: DelayTrajectory
  ) -> (lagsMs: [Double], frames: [Int], cents: [[Double?]]) {
    let (low, high) = (known.knots.map(\.ms).min()!, known.knots.map(\.ms).max()!)
    // What the change spans is known.
    let reach = low < high ? reachMs / 2 : reachMs
    let lagsMs = Array(stride(from: low - reach, through: high + reach, by: stepMs))
    let every = every(contours)
    let columns = contours.voiced.enumerated().compactMap { place, frame -> (Int, [Double?])? in
      guard place % every == 0 else { return nil }
      let cents = lagsMs.map { contours.difference(atFrame: frame, lagMs: $0)?.cents }
      return cents.contains { $0 != nil } ? (frame, cents) : nil
    }
    return (lagsMs, columns.map(\.0), lagsMs.indices.map { lag in columns.map { $0.1[lag] } })
  }

  private typealias Centre = (middle: Double, spread: Double)

  private static func centre(_ cents: [Double]) -> Centre? {
    Statistics.median(cents).map { middle in
      (middle, Statistics.median(cents.map { abs($0 - middle) })!)
    }
  }

  /// Returns the smallest spread of a shift, among those that have half of the frames.
  private static func narrowest(_ table: [[Double?]]) -> Centre? {
    let rows = table.map { $0.compactMap(\.self) }
    let most = rows.map(\.count).max() ?? 0
    return rows.filter { 2 * $0.count > most }.compactMap(centre).min { $0.spread < $1.spread }
  }
}

/// A trajectory over the shifts of a table, by their index.
private enum Shape {
  case constant(Int)
  case line(from: Int, to: Int)
  case jump(from: Int, to: Int, at: Int)

  /// Returns the shift at a frame.
  func lag(at place: Int, of count: Int) -> Int {
    switch self {
    case .constant(let lag): lag
    case .line(let from, let to):
      from + Int((Double((to - from) * place) / Double(count)).rounded())
    case .jump(let from, let to, let at): place < at ? from : to
    }
  }
}

/// The cost of each shift in each frame.
private struct ShapeCosts {
  private let rows: [[Double]]
  /// Frames in the window of the pitch tracker, which are one observation.
  private let framesOfWindow: Double

  private static let windowMs = 50.0
  /// Distance in spreads that counts for a frame without a target.
  private static let withoutTarget = 3.0
  /// Smallest part beside a jump, as a share of all frames and in windows.
  private static let (minShare, minWindows) = (0.1, 4.0)
  /// Factor of the criterion: it is derived for independent observations, and a voice holds a wrong
  /// pitch for longer than a window. With 1, a constant delay is taken for a change in 20 % of trials,
  /// with 2 a jump of 5 ms for a constant in 24 %; with 1.5, 10 % and 17 %, on 534 made-up delays of
  /// thirty real contours.
  private static let caution = 1.5

  init(_ table: [[Double?]], middle: Double, spread: Double, stepMs: Double) {
    framesOfWindow = Self.windowMs / stepMs
    rows = table.map { row in
      row.map { cents in
        let distance = cents.map { ($0 - middle) / spread } ?? Self.withoutTarget
        return log(1 + distance * distance)
      }
    }
  }

  /// The shape of the smallest cost with what its parameters must save.
  var best: Shape {
    let count = rows[0].count
    let sums = rows.map(\.runningSums)
    let totals = sums.map { $0[count] }
    let constant = totals.indices.min { totals[$0] < totals[$1] }!
    var line = (cost: Double.infinity, shape: Shape.constant(constant))
    var jump = line
    for from in rows.indices {
      for to in rows.indices where to != from {
        let cost = costOfLine(from, to)
        if cost < line.cost { line = (cost, .line(from: from, to: to)) }
        let (saved, place) = bestPlace(before: sums[from], after: sums[to])
        if saved + totals[to] < jump.cost {
          jump = (saved + totals[to], .jump(from: from, to: to, at: place))
        }
      }
    }
    // A parameter costs half the logarithm of the number of observations.
    let windows = max(2, Double(count) / framesOfWindow)
    let parameter = Self.caution * 0.5 * log(windows) * framesOfWindow
    return [
      (totals[constant], .constant(constant)), (line.cost + parameter, line.shape),
      (jump.cost + 2 * parameter, jump.shape),
    ].min { $0.0 < $1.0 }!.1
  }

  private func costOfLine(_ from: Int, _ to: Int) -> Double {
    let count = rows[0].count
    let line = Shape.line(from: from, to: to)
    return (0..<count).reduce(0) { $0 + rows[line.lag(at: $1, of: count)][$1] }
  }

  /// Returns the place of a jump between two shifts, and what it costs beside the later shift alone.
  private func bestPlace(before: [Double], after: [Double]) -> (cost: Double, place: Int) {
    let count = rows[0].count
    let margin = Int(max(1, Self.minShare * Double(count), Self.minWindows * framesOfWindow))
    var best = (cost: Double.infinity, place: 0)
    guard margin < count - margin else { return best }
    for place in margin..<count - margin {
      let cost = before[place] - after[place]
      if cost < best.cost { best = (cost, place) }
    }
    return best
  }
}
