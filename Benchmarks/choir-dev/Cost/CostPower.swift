import Metrics
import Platform
import Statistics
import Subjects

/// The error rates of cost trials: many comparisons of a subject with itself, and with itself made
/// slower by known shares.
struct CostPower: Encodable, Sendable {
  struct Row: Encodable, Sendable {
    /// The candidate's additional cost; 0 for the subject itself.
    var share: Double
    /// Proportion of the trials with the verdict regression.
    var regressions: Proportion
    /// Number of trials with each verdict.
    var verdicts: [String: Int]
    /// Median ratio of the trials.
    var ratio: Double
    /// 5th percentile of the ratios.
    var ratioP5: Double
    /// 95th percentile of the ratios.
    var ratioP95: Double
    var minimumDetectableRatio: Double
    /// Mean elapsed time of a trial.
    var seconds: Double
  }

  var schema = "choir-dev.cost-power/1"
  let settings: CostTrial.Settings
  let rows: [Row]

  /// Runs the trials.
  ///
  /// - Parameters:
  ///   - trials: the number of trials for each share; each has a seed of its own.
  ///   - report: called after each trial.
  init(
    of bench: ProbeBench, shares: [Double], trials: Int, settings: CostTrial.Settings,
    report: () -> Void = {}
  ) throws {
    guard let live = bench.live else {
      throw Refusal(
        bench.subject.id,
        "runs in a process of its own and can't be given known load; choose a live subject")
    }
    self.settings = settings
    rows = try shares.map { share in
      var (found, seconds): ([CostComparison], Double) = ([], 0)
      for trial in 0..<trials {
        let loaded = try ProbeBench(LoadedSubject(live, share: share), settings: bench.settings)
        let candidate = try LiveRounds(of: share > 0 ? loaded : bench)
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
