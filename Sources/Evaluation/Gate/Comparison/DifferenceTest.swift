import DSP
import Foundation
import Metrics
import Statistics

/// The statistical test of a figure's change over the same recordings.
///
/// The unit is the recording; its value is the mean change over its cells. The mean over recordings
/// must exceed two limits. The first is the minimum effect (`Metric.minimumEffect`), or the
/// calibrated noise if that is larger. The second is chance: the p-value is the larger one of a
/// cluster bootstrap and of Student's t, with Holm's correction over all figures that are judged
/// together. A sign-flip test must not contradict.
///
/// **Few recordings.** A bootstrap takes the spread of the sample for that of the population, which
/// is far too confident for five recordings. Sixty figures that differ by chance alone gave a false
/// verdict in 8 of 10 comparisons of five recordings and in 1 of 10 with 26. With Student's t
/// beside it, it was 1 of 100 and 3 of 100, and less if the differences have heavy tails. With five
/// recordings t demands more than a deterministic subject needs: its runs do not differ by chance,
/// so it is enough that all recordings got worse, and by more than the minimum effect on average.
public struct DifferenceTest: Codable, Equatable, Sendable {
  /// Largest probability of any false verdict among all figures.
  public var level = 0.05
  /// Power at the minimum detectable effect.
  public var power = 0.95
  /// Multiple of the minimum effect beyond which a single recording is a regression by itself.
  public var jump = 5.0
  /// Bootstrap draws of an interval.
  public var draws = 2000
  public var seed: UInt64 = 1

  public init() {}

  public func validate() throws(SettingsError) {
    try require("level", level, in: 0.001...0.2)
    try require("power", power, in: 0.5...0.999)
    try require("jump", jump, in: 1...1000)
    try require("draws", Double(draws), in: 500...100_000)
  }

  /// The changes of one figure over recordings; positive is worse.
  struct Evidence: Sendable {
    /// One change for each recording.
    var worsening: [Double]
    /// Minimum effect in the same unit.
    var effect: Double
    /// Calibrated difference between equal runs; 0 for a deterministic subject.
    var noise: Double
    /// Largest changes that the noise of the takes explains; `nil` if it was not measured.
    var limits: FigureNoise.Limits?
    /// True for a count or share of rare events, of which one recording may have the only one.
    var isOfEvents = false

    /// Mean over recordings, by weight if their noise is known.
    var mean: Double { mean(of: worsening) ?? 0 }

    /// Returns the mean of one value for each recording, weighted as the changes are; `nil` of none.
    func mean(of values: [Double]) -> Double? {
      guard let limits, limits.weights.count == values.count else {
        return Statistics.mean(values)
      }
      return zip(limits.weights, values).reduce(0) { $0 + $1.0 * $1.1 }
    }
    var isUnchanged: Bool { worsening.allSatisfy { $0 == 0 } }
    /// True if a deterministic subject changed in the same direction on every recording; or, if the
    /// noise of each is known, on half of them at least, by weight, and in the other direction on less
    /// than a fifth.
    var isUnanimous: Bool {
      guard let limits else {
        return noise == 0 && (worsening.allSatisfy { $0 > 0 } || worsening.allSatisfy { $0 < 0 })
      }
      let sign = mean > 0 ? 1.0 : -1
      func weight(_ isCounted: (Double) -> Bool) -> Double {
        zip(limits.weights, worsening).reduce(0) { $0 + (isCounted(sign * $1.1) ? $1.0 : 0) }
      }
      return weight { $0 < 0 } < 0.2 && weight { $0 > 0 } >= 0.5
    }
    /// True if the recordings agree, or need not: takes that scatter more are proof of a change.
    var isAgreed: Bool { isUnanimous || limits?.hasGrown == true }
    /// Returns true if the takes of a recording are worse by more than an amount and by more than chance;
    /// also without takes.
    func areTakesWorse(in recording: Int, by amount: Double) -> Bool {
      guard let takes = limits?.takes, takes.indices.contains(recording) else { return true }
      return takes[recording].areWorse(by: amount)
    }
    /// True if the takes of all recordings together are worse by more than the minimum effect and by more
    /// than chance; also without takes.
    var areAllTakesWorse: Bool {
      guard let takes = limits?.takes, !takes.isEmpty else { return true }
      return RecordingTakes.pooled(takes).areWorse(by: effect)
    }
    /// Returns the multiple of the minimum effect at which a single recording is a regression: 1 for
    /// rare events whose noise is known, otherwise `usual`.
    func jump(_ usual: Double) -> Double { isOfEvents && limits != nil ? 1 : usual }
    /// Smallest mean change that counts.
    var threshold: Double { max(effect, noise, limits?.mean ?? 0) }
    /// Name of that limit, for reasons.
    var limit: String {
      guard threshold > effect else { return "minimum effect" }
      return limits?.hasGrown == true ? "noise of the baseline, which scatters less" : "noise"
    }
  }

  /// Returns the p-value of "no change": the larger one of Student's t and the bootstrap. It is 1
  /// without a change or with too few recordings.
  func pValue(_ evidence: Evidence) -> Double {
    let values = evidence.worsening
    guard values.count >= ClusterBootstrap.minClusters, !evidence.isUnchanged,
      let student = PairedStudentTest(values), let tail = BootstrapTail(values)
    else { return 1 }
    // The bootstrap's upper bound is already below Student's p.
    guard 2 * tail.bound > student.pValue else { return student.pValue }
    return max(student.pValue, min(1, 2 * tail.share(seed: seed)))
  }

  /// The verdicts of a figure with and without statistical significance after correction.
  struct Judgement: Sendable {
    typealias Words = (verdict: ComparisonVerdict, reason: String)

    var beyondChance: Words
    var otherwise: Words

    init(beyondChance: Words, otherwise: Words) {
      (self.beyondChance, self.otherwise) = (beyondChance, otherwise)
    }

    /// Creates a judgement that does not depend on the p-value.
    init(_ verdict: ComparisonVerdict, _ reason: String) {
      self.init(beyondChance: (verdict, reason), otherwise: (verdict, reason))
    }
  }

  /// Returns the verdicts and their reasons.
  ///
  /// - Parameter interval: confidence interval of the mean worsening.
  func judge(_ evidence: Evidence, interval: ClosedRange<Double>?) -> Judgement {
    let (mean, threshold) = (evidence.mean, evidence.threshold)
    if evidence.isUnchanged { return Judgement(.withinNoise, "identical on every recording") }
    let least = evidence.jump(jump) * max(evidence.effect, evidence.noise)
    let jumped = evidence.worsening.enumerated().count { recording, change in
      change > least && change > evidence.limits?.recordings[recording] ?? 0
        && evidence.areTakesWorse(in: recording, by: least)
    }
    if jumped > 0, evidence.noise == 0 {
      let words =
        "\(jumped) of \(evidence.worsening.count) recordings \(jumped == 1 ? "is" : "are") far worse"
      return mean > -threshold
        ? Judgement(.regression, words)
        : Judgement(.inconclusive, "better on average, but " + words)
    }
    if evidence.worsening.count < ClusterBootstrap.minClusters {
      return judgeFew(evidence)
    }
    guard abs(mean) >= threshold else {
      let reach = interval.map { max(abs($0.lowerBound), abs($0.upperBound)) } ?? 0
      return reach < threshold || evidence.noise == 0 && abs(mean) < threshold / 2
        ? Judgement(.withinNoise, "below the \(evidence.limit)")
        : Judgement(.inconclusive, "below the \(evidence.limit), but the interval exceeds it")
    }
    let change: Judgement.Words = (
      mean > 0 ? .regression : .improvement, "above the \(evidence.limit) and significant"
    )
    let doubt: Judgement.Words = (
      .inconclusive, "above the \(evidence.limit), but recordings disagree"
    )
    // Counts have no normal noise: a recording that had none in five takes may have some in the next
    // five. They are tested over all takes (`EventCounts`).
    if evidence.isOfEvents, evidence.limits != nil, mean > 0 {
      return Judgement(
        .inconclusive, "above the \(evidence.limit), but no more often than by chance")
    }
    // Recordings that noise moves may lie on either side, so their weights decide instead.
    let objects =
      evidence.limits == nil
      ? SignFlipTest(evidence.worsening, mean > 0 ? .greater : .less)!.pValue > level
      : !evidence.isAgreed
    return Judgement(
      beyondChance: objects ? doubt : change,
      otherwise: objects || !evidence.isAgreed ? doubt : change)
  }

  /// Judges recordings that are too few for a spread: all must agree, or the mean must lie beyond the
  /// noise of the takes.
  private func judgeFew(_ evidence: Evidence) -> Judgement {
    let (values, threshold) = (evidence.worsening, evidence.threshold)
    if values.allSatisfy({ abs($0) < threshold }) {
      return Judgement(.withinNoise, "below the \(evidence.limit) on every recording")
    }
    if evidence.noise == 0, values.allSatisfy({ $0 >= threshold }) {
      return evidence.areAllTakesWorse
        ? Judgement(.regression, "worse on every recording")
        : Judgement(.inconclusive, "worse on every recording, but not in most takes")
    }
    if evidence.noise == 0, values.allSatisfy({ $0 <= -threshold }) {
      return Judgement(.improvement, "better on every recording")
    }
    if let limits = evidence.limits, !limits.takes.isEmpty, !evidence.isOfEvents,
      evidence.mean >= threshold,
      limits.hasGrown || evidence.isUnanimous && evidence.areAllTakesWorse
    {
      return Judgement(.regression, "worse on average, above the \(evidence.limit)")
    }
    return Judgement(.inconclusive, "\(values.count) recordings are too few for a verdict")
  }

  /// Returns the confidence interval of the mean: the outer limits of the bootstrap's and
  /// Student's. It is `nil` with too few recordings.
  func interval(ofMean values: [Double]) -> ClosedRange<Double>? {
    if values.count >= ClusterBootstrap.minClusters, values.allSatisfy({ $0 == values[0] }) {
      // Every draw has this mean.
      return values[0]...values[0]
    }
    var settings = ClusterBootstrap.Settings()
    (settings.draws, settings.seed) = (draws, seed)
    guard let bootstrap = try? ClusterBootstrap(settings),
      let drawn = try? bootstrap.estimate(ofMean: values),
      let student = PairedStudentTest(values)?.interval(confidence: settings.confidence)
    else { return nil }
    return min(drawn.lower, student.lowerBound)...max(drawn.upper, student.upperBound)
  }

  /// Returns the minimum detectable effect for this number and spread of recordings; `nil` if they
  /// are too few to detect any.
  ///
  /// - Parameters:
  ///   - deviation: standard deviation between recordings; 0 for a single one.
  ///   - errors: result of `errorsFound` for their number.
  ///   - known: standard error of the mean by the noise of the takes.
  func minimumDetectableEffect(
    recordings count: Int, deviation: Double, threshold: Double, noise: Double, errors: Double?,
    error known: Double = 0
  ) -> Double? {
    let error = max(known, deviation / Double(max(1, count)).squareRoot())
    let mean = threshold + NormalDistribution.quantile(power) * error
    let byChance = errors.map { max(error * $0, mean) }
    guard noise == 0, count > 0 else { return byChance }
    // All recordings lie on one side; each does with the root of the probability.
    let all = NormalDistribution.quantile(pow(power, 1 / Double(count)))
    guard let byChance else { return threshold + all * deviation }
    return min(byChance, max(mean, all * deviation))
  }

  /// Returns the detectable change in standard errors of the mean, corrected for `tests` figures;
  /// `nil` with too few recordings.
  func errorsFound(recordings: Int, tests: Int) -> Double? {
    guard recordings >= ClusterBootstrap.minClusters else { return nil }
    return PairedStudentTest.errorsFound(
      count: recordings, power: power, level: level / Double(max(1, tests)))
  }
}
