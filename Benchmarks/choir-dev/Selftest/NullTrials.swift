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

  /// Compares runs of a nondeterministic subject: each comparison draws two of them for each recording.
  static func nondeterministic(
    _ bench: [SelftestBench.Measured], _ settings: Selftest.Settings
  ) throws -> Selftest.NullTrial? {
    guard settings.nullTrialCount > 0, bench.contains(where: { $0.nondeterministic.count >= 2 })
    else {
      return nil
    }
    var comparing = RunComparison.Settings()
    comparing.rule.isRandom = true
    var (alarms, figures, differing) = (0, 0, 0)
    var regressions: [String: Int] = [:]
    for trial in 0..<settings.nullTrialCount {
      let comparison = try self.comparison(bench, trial: trial, settings, comparing)
      if isAlarm(comparison) { alarms += 1 }
      regressions.merge(self.regressions(comparison), uniquingKeysWith: +)
      figures = comparison.differences.count
      differing = max(differing, comparison.differences.count { $0.baseline != $0.candidate })
    }
    return Selftest.NullTrial(
      title: "a nondeterministic subject",
      comparisons: Proportion(alarms, of: settings.nullTrialCount), regressions: regressions,
      figures: figures,
      differing: differing)
  }

  private static func comparison(
    _ bench: [SelftestBench.Measured], trial: Int,
    _ settings: Selftest.Settings, _ comparing: RunComparison.Settings
  ) throws -> RunComparison {
    var random = SeededGenerator(seed: settings.seed &+ 0xbf58_476d_1ce4_e5b9 &* UInt64(trial + 1))
    var (baseline, candidate): ([ComparedCell], [ComparedCell]) = ([], [])
    for index in DefectTrials.draw(bench, settings.drawnShare, &random) {
      let cells = bench[index].nondeterministic
      let first = Int(random.uniform() * Double(cells.count))
      let step = 1 + Int(random.uniform() * Double(cells.count - 1))
      let second = (first + step) % cells.count
      baseline.append(cells[first])
      candidate.append(cells[second])
    }
    return try RunComparison(baseline: baseline, candidate: candidate, comparing)
  }

  private static func isAlarm(_ comparison: RunComparison) -> Bool {
    !comparison.broken.isEmpty || comparison.differences.contains { $0.verdict == .regression }
  }

  private static func regressions(_ comparison: RunComparison) -> [String: Int] {
    let metrics = Set(comparison.differences.filter { $0.verdict == .regression }.map(\.metric))
    return Dictionary(uniqueKeysWithValues: metrics.map { ($0, 1) })
  }
}
