import Corpus
import Foundation
import Metrics
import Statistics
import Subjects

/// A test of the gate itself: it must detect known defects and stay quiet without them.
public struct Selftest: Encodable, Sendable {
  /// The result for one defect.
  public struct Row: Encodable, Sendable {
    public var id: String
    public var title: String
    /// Metrics of which at least one must report a regression; fixed before any measurement.
    public var expected: [String]
    /// Required share of trials that detect it; `nil` if none is required.
    public var requiredPower: Double?
    /// Trials that detected it; `nil` if it could not be tried.
    public var found: Proportion?
    /// 95 % Clopper-Pearson interval of the detection rate.
    public var interval: ClosedRange<Double>?
    /// Reason why it could not be tried.
    public var untried: String?
    /// Number of trials in which each metric reported a regression, expected or not.
    public var said: [String: Int]
    /// Worsening of each expected metric, median over trials.
    public var worsening: [String: Double]
    /// Failure message of a cell that could not be measured.
    public var failure: String?
    /// Measured cost relative to the right cost, median over trials; for cost defects only.
    public var costRatio: Double?

    /// True if enough trials detected it. A required defect that could not be tried is not detected.
    public var isGood: Bool {
      guard let requiredPower else { return true }
      return found.map { $0.share >= requiredPower } ?? false
    }
  }

  /// The result of comparing runs that do not differ.
  public struct NullTrial: Encodable, Sendable {
    public var title: String
    /// Comparisons with a false alarm, out of all.
    public var comparisons: Proportion
    public var said: [String: Int]
    /// Number of figures that each comparison judged.
    public var figures: Int
    /// Largest number of figures in one comparison that were not bit-identical.
    public var differing: Int
    /// Largest allowed share of false alarms: 2 %, or 1 % for cost.
    public var mostAlarms = 0.02

    public var isGood: Bool { comparisons.share <= mostAlarms }
  }

  public var schema = "choir-eval.selftest/1"
  public let settings: Settings
  public let recordings: [String]
  public let doses: [Dose]
  public let defects: [Row]
  public let nullTrials: [NullTrial]
  /// Cost trials; `nil` if none were requested.
  public let cost: CostPower?

  /// True if every dose is within its tolerance, every required defect is detected and false alarms
  /// stay within their limit.
  public var passed: Bool {
    doses.allSatisfy(\.isGood) && defects.allSatisfy(\.isGood) && nullTrials.allSatisfy(\.isGood)
  }

  /// A progress event.
  public enum Event: Sendable {
    case began(steps: Int)
    case finished(String)
  }
}

extension Selftest {
  /// Runs the selftest.
  ///
  /// - Parameters:
  ///   - defects: defects to try; by default the whole library.
  ///   - costDefects: cost defects to try, `settings.costTrials` times each.
  ///   - doses: kinds of doses to give.
  ///   - jobs: number of recordings to measure in parallel.
  /// - Throws: if the right subject can't be measured.
  public init(
    _ settings: Settings = Settings(), corpus: Corpus, defects: [Defect] = Defect.library,
    costDefects: [CostDefect] = CostDefect.library,
    doses: [Dose.Kind] = Dose.Kind.allCases, jobs: Int = 1,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws {
    self.settings = settings
    let bench = try SelftestBench(settings, corpus: corpus)
    recordings = bench.recordings.map(\.id)
    let isWhole = settings.nullTrialCount > 0
    let sounding = defects.filter { bench.obstacle(to: $0) == nil }
    var measuredDefects = sounding.map {
      MeasuredDefect(
        $0, voiceCount: settings.intervalsSemitones.count, renderings: settings.renderings)
    }
    let wanted = measuredDefects
    let isHeard = isWhole || !wanted.isEmpty
    let shares = settings.costTrials > 0 ? [0] + costDefects.map(\.share) : []
    report(
      .began(
        steps: (isHeard ? bench.cellCount(wanted, withNullTrials: isWhole) : 0) + doses.count
          + shares.count * settings.costTrials))
    self.doses = try doses.flatMap { kind in
      defer { report(.finished("doses of \(kind.rawValue)")) }
      return try DoseBench.doses(of: kind)
    }
    let cells =
      try await isHeard
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
      + defects.compactMap { defect in bench.obstacle(to: defect).map { Row(defect, untried: $0) } }
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
    self.defects = defects.compactMap { byID[$0.id] } + (cost?.rows.rows(for: costDefects) ?? [])
    nullTrials = (judgedTrials + [cost?.rows.nullTrials]).compactMap(\.self)
  }

  /// Measures the recordings, `jobs` at once; returns them in the order of the corpus.
  private static func measure(
    _ bench: SelftestBench, _ defects: [MeasuredDefect], withNullTrials: Bool, jobs: Int,
    report: @escaping @Sendable (String) -> Void
  ) async throws -> [SelftestBench.Measured] {
    try await withThrowingTaskGroup(of: (Int, SelftestBench.Measured).self) { group in
      var begun = 0
      func startNext() {
        guard begun < bench.recordings.count else { return }
        let index = begun
        begun += 1
        group.addTask {
          let recording = bench.recordings[index]
          return (
            index,
            try await bench.measure(
              recording, defects, withNullTrials: withNullTrials, report: report)
          )
        }
      }
      for _ in 0..<max(1, jobs) { startNext() }
      var found: [Int: SelftestBench.Measured] = [:]
      while let (index, one) = try await group.next() {
        found[index] = one
        startNext()
      }
      return found.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}

extension Selftest.Row {
  init(_ defect: Defect, untried reason: String) {
    self.init(
      id: defect.id, title: defect.title, expected: defect.expected,
      requiredPower: defect.requiredPower, untried: reason, said: [:], worsening: [:])
  }

  init(_ defect: Defect, _ outcome: DefectTrials.Outcome) {
    let found = Proportion(outcome.found, of: outcome.trials)
    self.init(
      id: defect.id, title: defect.title, expected: defect.expected,
      requiredPower: defect.requiredPower, found: found, interval: found.clopperPearson(),
      said: outcome.said, worsening: outcome.worsening, failure: outcome.failure)
  }
}
