import Foundation
import Metrics
import Statistics

/// The noise of every figure: how far it moves while nothing audible changes.
///
/// Variances come from the takes of both sides. A recording borrows from its figure, and a figure from
/// its metric, as if each had seen four more takes like the usual ones; so a handful of takes is
/// enough, and a recording that happened to be quiet is not trusted alone. What is borrowed is the
/// median of the variances, so that one restless recording does not hide changes of the others.
///
/// Losses are compared, so the spread is that of losses: a constant offset changes its sign with the
/// polarity of the input, and is no less constant.
///
/// Both sides are measured under the same perturbations. A perturbation that moves both alike, as
/// another polarity does, is no noise of their difference. The variance is therefore taken twice, over
/// the takes of each side and over the differences of takes that belong together, and the smaller limit
/// holds.
struct FigureNoise: Sendable {
  /// Probability that noise moves the mean of any figure beyond its limit, and again that it moves any
  /// recording beyond its own: two false alarms in a thousand gates.
  static let level = 0.001
  /// Largest such probability of one figure, however few there are: tails may be heavier than normal.
  private static let maxOfFigure = 1e-5
  /// Takes that a recording borrows from its figure, and recordings that a figure borrows from its
  /// metric.
  private static let borrowed = 4.0
  /// Least share of the mean variance that is borrowed, where most variances are 0.
  private static let minShare = 0.1

  /// Squared deviations from the mean of a cell's takes, with their degrees of freedom.
  struct Spread {
    private(set) var squares = 0.0
    private(set) var degrees = 0.0

    mutating func add(_ values: [Double]) {
      guard values.count > 1, let mean = Statistics.mean(values) else { return }
      squares += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      degrees += Double(values.count - 1)
    }

    var variance: Double? { degrees > 0 ? squares / degrees : nil }
  }

  /// Returns the usual variance among several.
  private static func usual(_ variances: [Double]) -> Double {
    guard let median = Statistics.median(variances), let mean = Statistics.mean(variances) else {
      return 0
    }
    return max(median, minShare * mean)
  }

  /// Spreads by figure and recording, with the usual variance of each metric.
  struct Spreads {
    private(set) var figures: [FigureKey: [String: Spread]] = [:]
    private(set) var metrics: [String: Double] = [:]

    mutating func add(_ values: [Double], of figure: FigureKey, in recording: String) {
      figures[figure, default: [:]][recording, default: Spread()].add(values)
    }

    /// Takes the usual variances, once all values are there.
    mutating func close() {
      metrics = Dictionary(grouping: figures.keys, by: \.figure.metric).compactMapValues { keys in
        let variances = keys.flatMap { figures[$0]!.values.compactMap(\.variance) }
        return variances.isEmpty ? nil : FigureNoise.usual(variances)
      }
    }
  }

  /// Number of takes, and how many of them have a value.
  private struct Presence {
    /// Most takes of one cell.
    var takes = 1
    var (present, all) = (0, 0)

    mutating func add(_ present: Int, of count: Int) {
      takes = max(takes, count)
      self.present += present
      all += count
    }
  }

  /// Values of each cell's figures, take by take; `nil` without a value.
  private typealias Values = [CellAddress: [FigureID: [Double?]]]

  /// Spreads over the takes of each side, and over the differences of both.
  private var (own, paired) = (Spreads(), Spreads())
  /// Spreads over the takes of the baseline, and over those of the candidate.
  private(set) var (before, after) = (Spreads(), Spreads())
  /// The same of values instead of losses, for metrics with an ideal.
  private var (ownValues, pairedValues) = (Spreads(), Spreads())
  private var baselinePresence: [FigureKey: Presence] = [:]
  private var candidatePresence: [FigureKey: Presence] = [:]
  /// Losses of both sides' takes, by figure and recording; only if each side has several.
  private var losses: [FigureKey: [String: RecordingTakes]] = [:]
  /// Changes of rare events, take by take, with the recording of each cell.
  private var eventChanges: [FigureKey: [(recording: String, changes: [Double])]] = [:]
  /// True if single takes are compared, not medians.
  let isSingle: Bool

  /// - Parameter isPaired: false to take both sides for independent, as for one that is compared with
  ///   itself.
  init(baseline: Takes, candidate: Takes, isPaired: Bool = true) {
    isSingle = candidate.perturbations == 0
    let (old, new) = (add(baseline, to: \.before), add(candidate, to: \.after))
    for cell in candidate.cells {
      let (was, now) = (old[cell.address] ?? [:], new[cell.address] ?? [:])
      for id in Set(was.keys).union(now.keys) {
        let key = cell.address.key(of: id)
        addPresence(of: key, was[id], now[id])
        guard isPaired, let now = now[id], let was = was[id] else { continue }
        let recording = cell.address.recording
        let (after, before) = (Self.losses(now, of: id.metric), Self.losses(was, of: id.metric))
        let changes = Self.differences(after, before)
        paired.add(changes, of: key, in: recording)
        if !isSingle {
          losses[key, default: [:]][recording, default: RecordingTakes()].add(
            baseline: before.compactMap(\.self), candidate: after.compactMap(\.self),
            changes: changes)
        }
        if Self.hasIdeal(id.metric) {
          pairedValues.add(Self.differences(now, was), of: key, in: recording)
        }
        if RareEvents.metrics.contains(id.metric) {
          eventChanges[key, default: []].append((recording, changes))
        }
      }
    }
    own.close()
    before.close()
    paired.close()
    ownValues.close()
    pairedValues.close()
  }

  private static func hasIdeal(_ id: String) -> Bool { Metric.metric(id: id)?.ideal != nil }

  private static func differences(_ now: [Double?], _ was: [Double?]) -> [Double] {
    zip(now, was).compactMap { now, was in now.flatMap { now in was.map { now - $0 } } }
  }

  /// Adds the takes of one side to the spreads of both and of that side. Returns the values of each
  /// cell's figures.
  private mutating func add(_ side: Takes, to spreads: WritableKeyPath<Self, Spreads>) -> Values {
    var found: Values = [:]
    for cell in side.cells {
      let recording = cell.address.recording
      side.forEachFigure(of: cell) { id, takes in
        let key = cell.address.key(of: id)
        let losses = Self.losses(takes, of: id.metric).compactMap(\.self)
        own.add(losses, of: key, in: recording)
        self[keyPath: spreads].add(losses, of: key, in: recording)
        if Self.hasIdeal(id.metric) {
          ownValues.add(takes.compactMap(\.self), of: key, in: recording)
        }
        found[cell.address, default: [:]][id] = takes
      }
    }
    return found
  }

  /// Counts the takes with a value in one cell. A cell that has none on either side says nothing about
  /// the figure. A baseline holds values only, so a figure that it lacks has none in as many takes.
  private mutating func addPresence(of key: FigureKey, _ was: [Double?]?, _ now: [Double?]?) {
    let (before, after) = (was?.count { $0 != nil } ?? 0, now?.count { $0 != nil } ?? 0)
    guard before + after > 0 else { return }
    baselinePresence[key, default: Presence()].add(before, of: (was ?? now)!.count)
    candidatePresence[key, default: Presence()].add(after, of: (now ?? was)!.count)
  }

  /// Returns the losses of a metric's values; the values themselves where none is better than another.
  private static func losses(_ values: [Double?], of id: String) -> [Double?] {
    guard let metric = Metric.metric(id: id) else { return values }
    return values.map { value in value.map { metric.loss($0) ?? $0 } }
  }

  /// The largest changes that noise explains.
  struct Limits: Sendable {
    /// Weights of the recordings in the mean; they sum to 1.
    var weights: [Double]
    /// Limit of the weighted mean over recordings.
    var mean: Double
    /// Standard error of that mean.
    var error: Double
    /// Limit of each recording.
    var recordings: [Double]
    /// True if the candidate's takes scatter more than the baseline's, whose noise the limits are then.
    var hasGrown = false
    /// Takes of each recording; none if single takes are compared.
    var takes: [RecordingTakes] = []
  }

  /// Returns the limits of a figure's change; `nil` if its noise is not known.
  ///
  /// A recording weighs the less, the more noise moves it beyond the minimum effect.
  ///
  /// - Parameters:
  ///   - recordings: the recordings with the number of their cells.
  ///   - effect: minimum effect.
  ///   - ofValues: true for the change of the values of a metric with an ideal, not of their losses.
  func limits(
    of key: FigureKey, _ recordings: [(name: String, cells: Int)], effect: Double,
    ofValues: Bool = false
  ) -> Limits? {
    let (own, paired) = ofValues ? (ownValues, pairedValues) : (own, paired)
    let (was, now) = (baselinePresence[key]?.takes ?? 1, candidatePresence[key]?.takes ?? 1)
    let shareOfOwn = isSingle ? 2 : Self.shareOfVariance(was) + Self.shareOfVariance(now)
    let level = min(Self.maxOfFigure, Self.level / Double(max(1, self.own.figures.count)))
    let hasGrown = hasGrown(key, effect: effect)
    let byTakes = Self.limits(
      hasGrown ? before : own, of: key, recordings, effect: effect, share: shareOfOwn, level: level)
    guard !isSingle,
      let byPairs = Self.limits(
        paired, of: key, recordings, effect: effect, share: Self.shareOfVariance(min(was, now)),
        level: level)
    else { return byTakes }
    var limits = byTakes.map { hasGrown || $0.mean <= byPairs.mean ? $0 : byPairs } ?? byPairs
    limits.hasGrown = hasGrown
    let takes = recordings.compactMap { losses[key]?[$0.name] }
    if takes.count == recordings.count { limits.takes = takes }
    return limits
  }

  /// - Parameters:
  ///   - share: variance of a recording's change in variances of one value.
  ///   - level: probability of a mean beyond its limit, and of any recording beyond its own.
  private static func limits(
    _ spreads: Spreads, of key: FigureKey, _ recordings: [(name: String, cells: Int)],
    effect: Double, share: Double, level: Double
  ) -> Limits? {
    guard let figure = spreads.figures[key], let metric = spreads.metrics[key.figure.metric],
      !recordings.isEmpty
    else { return nil }
    let known = figure.values.compactMap(\.variance)
    let usual =
      (borrowed * metric + Double(known.count) * Self.usual(known))
      / (borrowed + Double(known.count))
    let noise = recordings.map { name, cells -> (variance: Double, degrees: Double) in
      let spread = figure[name] ?? Spread()
      let degrees = spread.degrees + borrowed
      let variance = (spread.squares + borrowed * usual) / degrees
      return (share * variance / Double(cells), degrees)
    }
    let raw = noise.map { 1 / ($0.variance + effect * effect) }
    let weights = raw.map { $0 / raw.reduce(0, +) }
    let parts = zip(weights, noise).map { $0 * $0 * $1.variance }
    let sum = parts.reduce(0, +)
    // Welch and Satterthwaite's degrees of a sum of variances.
    let degrees =
      sum > 0 ? sum * sum / zip(parts, noise).reduce(0) { $0 + $1.0 * $1.0 / $1.1.degrees } : 1
    func errors(_ level: Double, _ degrees: Double) -> Double {
      Statistics.studentLimit(level: level, degrees: degrees)
    }
    return Limits(
      weights: weights, mean: errors(level, degrees) * sum.squareRoot(), error: sum.squareRoot(),
      recordings: noise.map {
        errors(level / Double(noise.count), $0.degrees) * $0.variance.squareRoot()
      })
  }

  /// Returns the variance of a median of `takes` values in variances of one value.
  private static func shareOfVariance(_ takes: Int) -> Double {
    // The limit for many normal values, which exceeds that of five by a tenth.
    takes < 3 ? 1 / Double(takes) : .pi / 2 / Double(takes)
  }

  /// Returns the counts of a figure's rare events over all takes; `nil` if it counts no such events.
  ///
  /// - Parameter effect: change from which a take counts.
  func events(of key: FigureKey, effect: Double) -> EventCounts? {
    eventChanges[key].map { cells in
      cells.reduce(into: EventCounts()) {
        $0.add($1.changes, in: $1.recording, effect: effect)
      }
    }
  }

  /// Returns the p-value that a figure is present in equal shares of both sides' takes; `nil` without
  /// takes of both.
  func presencePValue(of key: FigureKey) -> Double? {
    guard let was = baselinePresence[key], let now = candidatePresence[key], was.takes > 1 else {
      return nil
    }
    return Proportion(now.present, of: now.all)
      .pValue(against: Proportion(was.present, of: was.all))
  }
}
