import Corpus
import Files
import Foundation
import Metrics
import Subjects

/// What to try: recordings × conditions × scores × subjects with their settings, from a YAML file
/// that a person writes; `docs/reference/plans.md` shows every key.
public struct Plan: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  /// What is tried, each with settings of its own if it has some.
  public var subjects: [SubjectChoice]
  /// Ids of the corpus, or patterns of ids, such as `synth-*`, until the plan is resolved.
  public var recordings: [String]
  /// Chosen from the corpus by what the manifest says of them, instead of a list of recordings.
  public var filter: RecordingFilter?
  /// Chosen from the corpus, instead of a list of recordings.
  public var tier: Tier?
  /// What the subject hears each recording through; only clean where there is no list.
  public var conditions: [Condition]?
  public var scores: [Score]
  /// The values to try of each setting, for every subject that has it; every combination that the
  /// constraints allow.
  public var settings: SettingAxes
  public var constraints: [String]?
  /// Ids of recordings whose sound and pitch are kept for the report.
  public var listen: [String]?
  /// Families or ids of the metrics to measure; all of them where there is no list.
  public var metrics: MetricChoice?
  /// When to stop beginning cells, in seconds of the clock; never unless given.
  public var limitSeconds: Double?
  /// How time on a core is measured; `quick` unless given.
  public var cost: CostCare?

  /// How carefully time on a core is measured.
  public enum CostCare: String, Codable, CaseIterable, Sendable {
    /// Once, while other cells are at work.
    case quick
    /// In several rounds over all cells, one at a time and nothing beside it; the median counts.
    case careful

    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let name = try container.decode(String.self)
      guard let care = CostCare(rawValue: name) else {
        let allowed = CostCare.allCases.map(\.rawValue).joined(separator: ", ")
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "cost is '\(name)'; choose \(allowed)")
      }
      self = care
    }
  }

  /// The ids of its subjects, for people.
  public var subject: String {
    subjects.map(\.id).uniqued().joined(separator: ", ")
  }

  /// The names of all its settings, those for every subject first.
  public var settingNames: [String] {
    (settings.names + subjects.flatMap(\.settings.names)).uniqued()
  }

  /// What tells two of its cells on one recording apart: the settings, and the subject where there
  /// are several.
  public var axisNames: [String] {
    (Set(subjects.map(\.id)).count > 1 ? [SettingSummary.subjectAxis] : []) + settingNames
  }

  /// The same plan for one other subject, with the settings that are for all.
  public func with(subject id: String) -> Plan {
    var plan = self
    let known = subjects.filter { $0.id == id }
    plan.subjects = known.isEmpty ? [SubjectChoice(id: id)] : known
    return plan
  }

  /// Every combination of the settings for all subjects that the constraints allow.
  public func combinations() -> [SubjectSettings] {
    let rules = (constraints ?? []).compactMap(Constraint.init)
    return settings.combinations.filter { combination in
      rules.allSatisfy { $0.holds(for: combination) }
    }
  }

  /// Every combination of settings for one of its subjects: its own, and of those for all the ones
  /// that it has. Where a setting is another's (of another engine, say), what remains is tried once.
  func combinations(for choice: SubjectChoice, of subject: any Subject) -> [SubjectSettings] {
    let own = choice.settings
    let shared = settings.axes.filter { !own.names.contains($0.name) }
    let rules = ((constraints ?? []) + (choice.constraints ?? [])).compactMap(Constraint.init)
    return SettingAxes(shared + own.axes).combinations
      .map { combination in
        guard let names = subject.settingNames(beside: combination) else { return combination }
        let known = Set(names + own.names + [Cell.rateSetting])
        return combination.filter { known.contains($0.key) }
      }
      .uniqued()
      .filter { combination in rules.allSatisfy { $0.holds(for: combination) } }
  }
}
