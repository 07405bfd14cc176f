import Cost
import DSP
import Foundation
import Statistics

/// How changes of a figure over the same recordings are judged.
///
/// The unit is the recording: of its cells, the mean change. Over recordings, the mean change must
/// exceed what matters (`Metric.minimumEffect`, or the noise that calibration found where that is
/// more) and what chance explains: by a cluster bootstrap and by Student's t, of which the one that
/// is less sure counts, with Holm's correction over all figures that are judged together, and with
/// the sign-flip test as a third opinion that must not object.
///
/// **Few recordings.** A bootstrap takes the spread of those at hand for that of all, and of five is
/// far too sure: sixty figures that differ by chance alone gave a false verdict in 8 of 10
/// comparisons of five recordings and in 1 of 10 of 26; with Student's t beside it in 1 of 100 and
/// in 3 of 100, and less where the differences have heavy tails. What t needs of five is more than
/// what a subject owes that always does the same: there no run differs by chance, and five
/// recordings that all got worse by more than matters on average, none better, are enough.
public struct DifferenceTest: Codable, Equatable, Sendable {
  /// The chance of one false verdict among all, at most.
  public var level = 0.05
  /// The chance with which the smallest change that is stated would have been found.
  public var power = 0.95
  /// A change of a single recording this many times what matters is a change, whatever the others do.
  public var jump = 5.0
  /// Draws of an interval.
  public var draws = 2000
  public var seed: UInt64 = 1

  public init() {}

  public func validate() throws(SettingsError) {
    try require("level", level, in: 0.001...0.2)
    try require("power", power, in: 0.5...0.999)
    try require("jump", jump, in: 1...1000)
    try require("draws", Double(draws), in: 500...100_000)
  }

  /// Of one figure over recordings: positive is worse.
  struct Evidence: Sendable {
    /// One for each recording.
    var worsening: [Double]
    /// What matters, in the same unit.
    var effect: Double
    /// What a run differs by from its twin; 0 of a subject that always does the same.
    var noise: Double

    var mean: Double { Statistics.mean(worsening) ?? 0 }
    var isUnchanged: Bool { worsening.allSatisfy { $0 == 0 } }
    /// Whether a subject that always does the same changed to one side wherever it was tried.
    var isUnanimous: Bool {
      noise == 0 && (worsening.allSatisfy { $0 > 0 } || worsening.allSatisfy { $0 < 0 })
    }
    /// Beyond which a change counts.
    var threshold: Double { max(effect, noise) }
  }

  /// The p-value of "no change", by Student's t or by the bootstrap, whichever is less sure: 1 without
  /// a change or with too few recordings.
  func pValue(_ evidence: Evidence) -> Double {
    let values = evidence.worsening
    guard values.count >= ClusterBootstrap.fewestClusters, !evidence.isUnchanged,
      let student = PairedStudentTest(values), let tail = BootstrapTail(values)
    else { return 1 }
    // No draws could be less sure than t is.
    guard 2 * tail.bound > student.pValue else { return student.pValue }
    return max(student.pValue, min(1, 2 * tail.share(seed: seed)))
  }

  /// What to say of a figure, by whether its p-value is small enough among all that are judged.
  struct Judgement: Sendable {
    typealias Words = (verdict: Verdict, reason: String)

    var beyondChance: Words
    var otherwise: Words

    init(beyondChance: Words, otherwise: Words) {
      (self.beyondChance, self.otherwise) = (beyondChance, otherwise)
    }

    /// Whatever the p-value.
    init(_ verdict: Verdict, _ reason: String) {
      self.init(beyondChance: (verdict, reason), otherwise: (verdict, reason))
    }
  }

  /// Verdict and why.
  ///
  /// - Parameter interval: where the mean worsening may lie.
  func judge(_ evidence: Evidence, interval: ClosedRange<Double>?) -> Judgement {
    let (mean, threshold) = (evidence.mean, evidence.threshold)
    if evidence.isUnchanged { return Judgement(.withinNoise, "the same on every recording") }
    let jumped = evidence.worsening.filter { $0 > jump * threshold }.count
    if jumped > 0, evidence.noise == 0 {
      let words =
        "\(jumped) of \(evidence.worsening.count) recordings \(jumped == 1 ? "is" : "are") far worse"
      return mean > -threshold
        ? Judgement(.regression, words)
        : Judgement(.inconclusive, "better on the whole, but " + words)
    }
    if evidence.worsening.count < ClusterBootstrap.fewestClusters {
      return judgeFew(evidence)
    }
    guard abs(mean) >= threshold else {
      let reach = interval.map { max(abs($0.lowerBound), abs($0.upperBound)) } ?? 0
      return reach < threshold || evidence.noise == 0 && abs(mean) < threshold / 2
        ? Judgement(.withinNoise, "less than matters")
        : Judgement(.inconclusive, "less than matters, but other recordings could show more")
    }
    let change: Judgement.Words = (
      mean > 0 ? .regression : .improvement, "more than matters, and not by chance"
    )
    let doubt: Judgement.Words = (.inconclusive, "more than matters, but recordings disagree")
    let objects = SignFlipTest(evidence.worsening, mean > 0 ? .greater : .less)!.pValue > level
    return Judgement(
      beyondChance: objects ? doubt : change,
      otherwise: objects || !evidence.isUnanimous ? doubt : change)
  }

  /// Too few recordings to tell their spread: they must all say the same.
  private func judgeFew(_ evidence: Evidence) -> Judgement {
    let (values, threshold) = (evidence.worsening, evidence.threshold)
    if values.allSatisfy({ abs($0) < threshold }) {
      return Judgement(.withinNoise, "less than matters on every recording")
    }
    if evidence.noise == 0, values.allSatisfy({ $0 >= threshold }) {
      return Judgement(.regression, "worse on every recording")
    }
    if evidence.noise == 0, values.allSatisfy({ $0 <= -threshold }) {
      return Judgement(.improvement, "better on every recording")
    }
    return Judgement(.inconclusive, "\(values.count) recordings say too little about others")
  }

  /// Where the mean of such recordings may lie, by the bootstrap and by Student's t, whichever
  /// reaches further; `nil` of too few.
  func interval(ofMean values: [Double]) -> ClosedRange<Double>? {
    if values.count >= ClusterBootstrap.fewestClusters, values.allSatisfy({ $0 == values[0] }) {
      // However recordings are drawn.
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

  /// The smallest mean change that so many recordings, as spread as these, would have shown; `nil`
  /// where they are too few to show any.
  ///
  /// - Parameters:
  ///   - deviation: of recordings from each other; 0 of one.
  ///   - errors: as `errorsFound` says of their number.
  func minimumDetectableEffect(
    recordings count: Int, deviation: Double, threshold: Double, noise: Double, errors: Double?
  ) -> Double? {
    let error = deviation / Double(max(1, count)).squareRoot()
    let mean = threshold + NormalDistribution.quantile(power) * error
    let byChance = errors.map { max(error * $0, mean) }
    guard noise == 0, count > 0 else { return byChance }
    // That normal ones all lie on one side: each with the root of the chance.
    let all = NormalDistribution.quantile(pow(power, 1 / Double(count)))
    guard let byChance else { return threshold + all * deviation }
    return min(byChance, max(mean, all * deviation))
  }

  /// How many errors of the mean a change must have to be found by chance's rules among so many
  /// figures; `nil` of too few recordings.
  func errorsFound(recordings: Int, tests: Int) -> Double? {
    guard recordings >= ClusterBootstrap.fewestClusters else { return nil }
    return PairedStudentTest.errorsFound(
      count: recordings, power: power, level: level / Double(max(1, tests)))
  }
}
