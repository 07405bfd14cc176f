import Statistics
import Subjects

/// How often a trial finds what is there, and how often what isn't: many comparisons of a subject with
/// itself, and with itself made busier by known shares.
public struct CostPower: Encodable, Sendable {
  public struct Row: Encodable, Sendable {
    /// What the candidate costs more; 0 for the subject itself.
    public var share: Double
    /// Trials that said regression, among all.
    public var regressions: Proportion
    /// How often each word was said.
    public var verdicts: [String: Int]
    /// Of the trials, median and the middle nine tenths.
    public var ratio: Double
    public var ratioP5: Double
    public var ratioP95: Double
    public var minimumDetectableRatio: Double
    /// Of a trial by the clock, mean.
    public var seconds: Double
  }

  public var schema = "choir-eval.cost-power/1"
  public let settings: CostTrial.Settings
  public let rows: [Row]

  /// - Parameters:
  ///   - trials: for each of the shares; each with a seed of its own.
  ///   - report: told after each trial.
  public init(
    of bench: ProbeBench, shares: [Double], trials: Int, settings: CostTrial.Settings,
    report: () -> Void = {}
  ) throws {
    guard let live = bench.live else {
      throw SubjectError.settings(
        subject: bench.subject.id, problem: "runs in a process of its own; it can't be made busier")
    }
    self.settings = settings
    rows = try shares.map { share in
      var (found, seconds): ([CostComparison], Double) = ([], 0)
      for trial in 0..<trials {
        let busier = try ProbeBench(LoadedSubject(live, share: share), settings: bench.settings)
        let candidate = try LiveRounds(of: share > 0 ? busier : bench)
        let seed = settings.seed &+ UInt64(trial) &* 7919
        let before = WallClock.seconds
        found.append(
          try CostTrial(settings.with(seed: seed)).compare(
            baseline: LiveRounds(of: bench), candidate: candidate))
        seconds += WallClock.seconds - before
        report()
      }
      return Self.row(share, found, seconds: seconds / Double(trials))
    }
  }

  private static func row(_ share: Double, _ found: [CostComparison], seconds: Double) -> Row {
    let ratios = found.map(\.ratio)
    return Row(
      share: share,
      regressions: Proportion(found.count { $0.verdict == .regression }, of: found.count),
      verdicts: Dictionary(found.map { ($0.verdict.rawValue, 1) }, uniquingKeysWith: +),
      ratio: Statistics.median(ratios)!, ratioP5: Statistics.quantile(ratios, 0.05)!,
      ratioP95: Statistics.quantile(ratios, 0.95)!,
      minimumDetectableRatio: Statistics.median(found.map(\.minimumDetectableRatio))!,
      seconds: seconds)
  }
}
