import DSP
import Gate
import Metrics
import Statistics

/// Comparisons of runs without a fault; every regression is a false alarm.
enum NullTrials {
  /// Compares a subject with itself, measured twice.
  static func again(_ bench: [SelftestBench.Measured]) throws -> Selftest.NullTrial? {
    let again = bench.compactMap(\.again)
    guard !again.isEmpty else { return nil }
    let comparison = try RunComparison(baseline: bench.map(\.right), candidate: again)
    let differing = comparison.differences.count { difference in
      difference.baseline != difference.candidate
    }
    return Selftest.NullTrial(
      title: "the same subject measured twice",
      comparisons: Proportion(isAlarm(comparison) ? 1 : 0, of: 1),
      regressions: regressions(comparison), figures: comparison.differences.count,
      differing: differing)
  }

  /// Compares runs of a nondeterministic subject. Half of its runs calibrate the noise; each
  /// comparison draws two runs of the other half for each recording.
  static func nondeterministic(
    _ bench: [SelftestBench.Measured], _ settings: Selftest.Settings
  ) throws -> Selftest.NullTrial? {
    guard settings.nullTrialCount > 0, bench.contains(where: { $0.nondeterministic.count >= 4 })
    else {
      return nil
    }
    let half = settings.nondeterministicRuns / 2
    let known = try noise(of: bench, runs: 0..<half, settings)
    var comparing = RunComparison.Settings()
    comparing.noise = known
    var (alarms, figures, differing) = (0, 0, 0)
    var regressions: [String: Int] = [:]
    for trial in 0..<settings.nullTrialCount {
      let comparison = try self.comparison(
        bench, runs: half..<settings.nondeterministicRuns, trial: trial, settings, comparing)
      if isAlarm(comparison) { alarms += 1 }
      regressions.merge(self.regressions(comparison), uniquingKeysWith: +)
      figures = comparison.differences.count
      differing = max(
        differing, comparison.differences.count { $0.baseline != $0.candidate })
    }
    return Selftest.NullTrial(
      title: "a nondeterministic subject, after calibration",
      comparisons: Proportion(alarms, of: settings.nullTrialCount), regressions: regressions,
      figures: figures,
      differing: differing)
  }

  /// Returns the largest difference between two runs for each metric.
  private static func noise(
    of bench: [SelftestBench.Measured], runs: Range<Int>, _ settings: Selftest.Settings
  ) throws -> [String: Double] {
    var noise: [String: Double] = [:]
    for trial in 0..<50 {
      let comparison = try comparison(
        bench, runs: runs, trial: 1_000_000 + trial, settings, RunComparison.Settings())
      for difference in comparison.differences {
        let size = abs(difference.worsening ?? 0)
        if size > noise[difference.metric, default: 0] { noise[difference.metric] = size }
      }
    }
    return noise
  }

  private static func comparison(
    _ bench: [SelftestBench.Measured], runs: Range<Int>, trial: Int,
    _ settings: Selftest.Settings, _ comparing: RunComparison.Settings
  ) throws -> RunComparison {
    var random = SeededGenerator(
      seed: settings.seed &+ 0xbf58_476d_1ce4_e5b9 &* UInt64(trial + 1))
    var (baseline, candidate): ([ComparedCell], [ComparedCell]) = ([], [])
    for index in DefectTrials.draw(bench, settings.drawnShare, &random) {
      let cells = bench[index].nondeterministic
      let first = runs.lowerBound + Int(random.uniform() * Double(runs.count))
      let step = 1 + Int(random.uniform() * Double(runs.count - 1))
      let second = runs.lowerBound + (first - runs.lowerBound + step) % runs.count
      baseline.append(cells[first])
      candidate.append(cells[second])
    }
    return try RunComparison(baseline: baseline, candidate: candidate, comparing)
  }

  private static func isAlarm(_ comparison: RunComparison) -> Bool {
    !comparison.broken.isEmpty || comparison.differences.contains { $0.verdict == .regression }
  }

  private static func regressions(_ comparison: RunComparison) -> [String: Int] {
    let metrics = Set(
      comparison.differences.filter { $0.verdict == .regression }.map(\.metric))
    return Dictionary(uniqueKeysWithValues: metrics.map { ($0, 1) })
  }
}
