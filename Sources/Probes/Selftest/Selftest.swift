import Corpus
import Cost
import Foundation
import Statistics
import Subjects

/// The gate, tried on what it must find and on what it must not.
public struct Selftest: Encodable, Sendable {
  /// What came of one defect.
  public struct Row: Encodable, Sendable {
    public var id: String
    public var title: String
    /// Metrics of which one had to say regression, as named beforehand.
    public var expected: [String]
    /// The share of trials in which it must be found; `nil` where nobody asked for one.
    public var requiredPower: Double?
    /// Trials in which it was found; `nil` where it could not be tried.
    public var found: Proportion?
    /// Of the power, 95 %, after Clopper and Pearson.
    public var interval: ClosedRange<Double>?
    /// Why it could not be tried.
    public var untried: String?
    /// How often each metric said regression, expected or not.
    public var said: [String: Int]
    /// How much worse the expected metrics became, median over trials.
    public var worsening: [String: Double]
    /// What a cell said that could not be measured any more.
    public var failure: String?
    /// Why it is missed, where that is known.
    public var reason: String?
    /// Of defects of cost: what it cost beside what it should, median over trials.
    public var costRatio: Double?

    public var isGood: Bool {
      guard let requiredPower, let found else { return true }
      return found.share >= requiredPower
    }
  }

  /// What came of comparing what doesn't differ.
  public struct NullTrial: Encodable, Sendable {
    public var title: String
    /// Those with any false alarm, among all.
    public var comparisons: Proportion
    public var said: [String: Int]
    /// That were judged in each.
    public var figures: Int
    /// Of those, the most that were not the same to the last bit.
    public var differing: Int
    /// The share of comparisons that may alarm: one in fifty, and one in a hundred of cost; of few
    /// comparisons, none.
    public var mostAlarms = 0.02

    public var isGood: Bool { comparisons.share <= mostAlarms }
  }

  public var schema = "choir-eval.selftest/1"
  public let settings: Settings
  public let recordings: [String]
  public let doses: [Dose]
  public let defects: [Row]
  public let nullTrials: [NullTrial]
  /// `nil` where nobody asked for it.
  public let cost: CostPower?

  /// Whether every dose came out, every defect that must be found was, and nothing cried wolf.
  public var passed: Bool {
    doses.allSatisfy(\.isGood) && defects.allSatisfy(\.isGood) && nullTrials.allSatisfy(\.isGood)
  }

  /// What happens, for whoever shows progress.
  public enum Event: Sendable {
    case began(steps: Int)
    case finished(String)
  }

}

extension Selftest {
  /// - Parameters:
  ///   - defects: to try; those of the library unless given.
  ///   - costDefects: the same for cost, as often as `settings.costTrials` says.
  ///   - doses: to give.
  ///   - jobs: recordings at work at once.
  /// - Throws: where the subject, as it should be, can't be measured.
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
      for one in cells { measuredDefects[index].cells[one.recording.id] = one.wrong[index] }
    }
    let labels = settings.score.voiceLabels
    let tried =
      try measuredDefects.map { measured in
        Row(measured.defect, try DefectTrials.run(measured, on: cells, labels: labels, settings))
      }
      + defects.compactMap { defect in bench.obstacle(to: defect).map { Row(defect, untried: $0) } }
    let byID = Dictionary(uniqueKeysWithValues: tried.map { ($0.id, $0) })
    let judgedTrials = try [NullTrials.again(cells), NullTrials.nondeterministic(cells, settings)]
    // The last, when nothing else is at work.
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

  /// Recording by recording, some at once; in the order of the corpus.
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
      said: outcome.said, worsening: outcome.worsening, failure: outcome.failure,
      reason: found.share < 0.5 ? defect.reason : nil)
  }
}
