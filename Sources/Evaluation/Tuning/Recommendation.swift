import Corpus
import Platform
import Subjects
import Sweep

/// The recommended setting of a run: the answer of `tune` for the same goal.
public struct Recommendation: Sendable {
  /// The axes of the headline numbers.
  public static let headlineAxes: [TuneAxis] = [
    .missing, .gross, .pitch, .tremolo, .formants, .latency, .cost,
  ]

  public let run: StoredRun
  /// Facts of the run's recordings that the corpus has.
  public let facts: [Tuner.Fact]
  public let answer: TuneAnswer
  /// `nil` if no setting has a value on every axis.
  public let choice: SettingChoice?
  /// Cells of the recommended setting, with all metrics.
  public let cells: [CellResult]
  /// Summaries of all settings, with the figures of a few metrics only.
  public let summaries: [SettingSummary]
  /// Names of the settings that differ between cells; all names if none differs.
  public let varied: [String]

  /// - Parameters:
  ///   - run: read with the metrics of `SettingSummary` and of the axes, or with all.
  ///   - goal: what is asked of a setting, as `tune` takes it.
  public init(
    of run: StoredRun, in store: ResultStore, corpus: Corpus, goal: TuneGoal = TuneGoal()
  ) throws {
    self.run = run
    let recordings = run.cells.map(\.recording).uniqued()
    facts = try corpus.facts(of: recordings.filter { id in (try? corpus.entry(id: id)) != nil })
    let tuner = try Tuner(goal, facts: facts)
    let answer = tuner.answer(for: run.cells)
    summaries = run.summaries()
    let chosen = answer.best.map { SettingChoice(answer.points[$0]) }
    let cells = try store.detailed(run.cells.filter { SettingChoice($0) == chosen })
    (self.answer, choice, self.cells) = (answer, chosen, cells)
    varied = Self.varied(run.plan.axisNames, summaries)
  }

  private static func varied(_ names: [String], _ summaries: [SettingSummary]) -> [String] {
    let varied = names.filter { name in Set(summaries.map { $0.choice(of: name) }).count > 1 }
    return varied.isEmpty ? names : varied
  }

  /// The point of `choice` in the answer.
  public var point: TuneAnswer.Point? { answer.best.map { answer.points[$0] } }

  /// True if every planned cell ran.
  public var isWhole: Bool { run.cells.count == run.plannedCells }

  /// The number of settings that were measured.
  public var settingCount: Int { Set(summaries.map { SettingChoice($0) }).count }

  /// Describes a setting by what differs from the others: `window 20 ms, crossfade 5 ms`.
  public func text(_ choice: SettingChoice) -> String {
    varied.compactMap { name -> String? in
      if name == SettingSummary.subjectAxis { return choice.subject }
      guard let value = choice.settings[name] else { return nil }
      switch name {
      case "engine", "effects": return value.description
      case _ where name.hasSuffix("Ms"): return "\(name.dropLast(2)) \(value) ms"
      case _ where name.hasSuffix("Hz"): return "\(name.dropLast(2)) \(value) Hz"
      default: return "\(name) \(value)"
      }
    }.joined(separator: ", ")
  }
}
