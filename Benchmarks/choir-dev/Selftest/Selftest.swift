import Corpus
import Foundation
import Metrics
import Statistics
import Subjects

/// A test of the gate itself: it must detect known defects and stay quiet without them.
struct Selftest: Encodable, Sendable {
  /// The result for one defect.
  struct Row: Encodable, Sendable {
    var id: String
    var title: String
    /// Metrics of which at least one must report a regression; fixed before any measurement.
    var expected: [String]
    /// Required share of trials that detect it; `nil` if none is required.
    var requiredPower: Double?
    /// Trials that detected it; `nil` if it could not be tried.
    var detected: Proportion?
    /// 95 % Clopper-Pearson interval of the detection rate.
    var interval: ClosedRange<Double>?
    /// Reason why it could not be tried.
    var untried: String?
    /// Number of trials in which each metric reported a regression, expected or not.
    var regressions: [String: Int]
    /// Worsening of each expected metric, median over trials.
    var worsening: [String: Double]
    /// Failure message of a cell that could not be measured.
    var failure: String?
    /// Measured cost relative to the right cost, median over trials; for cost defects only.
    var costRatio: Double?

    /// True if enough trials detected it. A required defect that could not be tried is not detected.
    var isGood: Bool {
      guard let requiredPower else { return true }
      return detected.map { $0.share >= requiredPower } ?? false
    }
  }

  /// The result of comparing runs that do not differ.
  struct NullTrial: Encodable, Sendable {
    var title: String
    /// Comparisons with a false alarm, out of all.
    var comparisons: Proportion
    /// Number of comparisons in which each metric reported a regression.
    var regressions: [String: Int]
    /// Number of figures that each comparison judged.
    var figures: Int
    /// Largest number of figures in one comparison that were not bit-identical.
    var differing: Int
    /// Largest allowed share of false alarms: 2 %, or 1 % for cost.
    var maxAlarms = 0.02

    var isGood: Bool { comparisons.share <= maxAlarms }
  }

  var schema = "choir-dev.selftest/1"
  let settings: Settings
  let recordings: [String]
  let doses: [Dose]
  let defects: [Row]
  let nullTrials: [NullTrial]
  /// Cost trials; `nil` if none were requested.
  let cost: CostPower?

  /// True if every dose is within its tolerance, every required defect is detected and false alarms
  /// stay within their limit.
  var passed: Bool {
    doses.allSatisfy(\.isGood) && defects.allSatisfy(\.isGood) && nullTrials.allSatisfy(\.isGood)
  }

  /// A progress event.
  enum Event: Sendable {
    case began(steps: Int)
    case finished(String)
  }
}

extension Selftest {
  /// Runs the selftest.
  ///
  /// - Parameters:
  ///   - defects: defects to try; those of cost `settings.costTrials` times each.
  ///   - doses: faults whose doses metrics have to read.
  ///   - jobs: number of recordings to measure in parallel.
  /// - Throws: if the right subject can't be measured.
  init(
    _ settings: Settings = Settings(), corpus: Corpus, defects: [Defect] = Defect.library,
    doses: [PlantedFault] = Dose.faults, jobs: Int = 1,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws {
    self.settings = settings
    let bench = try SelftestBench(settings, corpus: corpus)
    recordings = bench.recordings.map(\.id)
    let isWhole = settings.nullTrialCount > 0
    let (costDefects, audible) = (defects.filter(\.isOfCost), defects.filter { !$0.isOfCost })
    let sounding = audible.filter { bench.obstacle(to: $0) == nil }
    var measuredDefects = sounding.map {
      MeasuredDefect(
        $0, voiceCount: settings.intervalsSemitones.count, renderings: settings.renderings)
    }
    let wanted = measuredDefects
    let needsCells = isWhole || !wanted.isEmpty
    let shares = settings.costTrials > 0 ? [0] + costDefects.map(\.addedCost) : []
    report(
      .began(
        steps: (needsCells ? bench.cellCount(wanted, withNullTrials: isWhole) : 0) + doses.count
          + shares.count * settings.costTrials))
    self.doses = try doses.flatMap { fault in
      defer { report(.finished("doses of \(fault.name)")) }
      return try DoseBench.doses(of: fault)
    }
    let cells =
      try await needsCells
      ? Self.measure(bench, wanted, withNullTrials: isWhole, jobs: jobs) { report(.finished($0)) }
      : []
    for (index, _) in measuredDefects.enumerated() {
      for one in cells { measuredDefects[index].renderingsOf[one.recording.id] = one.wrong[index] }
    }
    let labels = settings.score.voiceLabels
    let tried =
      try measuredDefects.map { measured in
        Row(measured.defect, try DefectTrials.run(measured, on: cells, labels: labels, settings))
      }
      + audible.compactMap { defect in bench.obstacle(to: defect).map { Row(defect, untried: $0) } }
    let byID = Dictionary(uniqueKeysWithValues: tried.map { ($0.id, $0) })
    let judgedTrials = try [NullTrials.again(cells), NullTrials.nondeterministic(cells, settings)]
    // Cost comes last, when nothing else is running.
    cost =
      try shares.isEmpty
      ? nil
      : CostPower(
        of: ProbeBench(bench.subject, settings: settings.subjectSettings), shares: shares,
        trials: settings.costTrials, settings: settings.cost
      ) { report(.finished("cost")) }
    self.defects = audible.compactMap { byID[$0.id] } + (cost?.rows.rows(for: costDefects) ?? [])
    nullTrials = (judgedTrials + [cost?.rows.nullTrials]).compactMap(\.self)
  }

  /// Measures the recordings, `jobs` at once; returns them in the order of the corpus.
  private static func measure(
    _ bench: SelftestBench, _ defects: [MeasuredDefect], withNullTrials: Bool, jobs: Int,
    report: @escaping @Sendable (String) -> Void
  ) async throws -> [SelftestBench.Measured] {
    try await bench.recordings.concurrentMap(jobs: jobs) { recording in
      try await bench.measure(recording, defects, withNullTrials: withNullTrials, report: report)
    }
  }
}

extension Selftest.Row {
  init(_ defect: Defect, untried reason: String) {
    self.init(
      id: defect.id, title: defect.title, expected: defect.expected,
      requiredPower: defect.requiredPower, untried: reason, regressions: [:], worsening: [:])
  }

  init(_ defect: Defect, _ outcome: DefectTrials.Outcome) {
    let detected = Proportion(outcome.detected, of: outcome.trials)
    self.init(
      id: defect.id, title: defect.title, expected: defect.expected,
      requiredPower: defect.requiredPower, detected: detected,
      interval: detected.clopperPearson(), regressions: outcome.regressions,
      worsening: outcome.worsening, failure: outcome.failure)
  }
}
