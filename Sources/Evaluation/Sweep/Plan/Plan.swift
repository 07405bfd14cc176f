import Corpus
import Foundation
import Metrics
import Platform
import Subjects

/// The cells to measure, read from a YAML file: recordings × conditions × scores × subjects with
/// their settings. `docs/reference/plans.md` describes every key.
public struct Plan: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  /// Subjects, which may each have their own settings.
  public var subjects: [SubjectChoice]
  /// Recording ids, or patterns such as `synth-*` until the plan is resolved.
  public var recordings: [String]
  /// Filter by manifest columns that replaces the list of recordings.
  public var filter: RecordingFilter?
  /// Tier of the corpus that replaces the list of recordings.
  public var tier: Tier?
  /// Conditions of each recording; `nil` means clean only.
  public var conditions: [Condition]?
  public var scores: [Score]
  /// Values to try of each setting, for every subject that has it, in every combination that the
  /// constraints allow.
  public var settings: SettingAxes
  public var constraints: [String]?
  /// Ids of recordings whose sound and pitch are kept for the report.
  public var listen: [String]?
  /// Families or ids of the metrics to measure; `nil` means all.
  public var metrics: MetricChoice?
  /// No new cells start after this many seconds; `nil` means no limit.
  public var limitSeconds: Double?
  /// Timing of cost; `nil` means `quick`.
  public var cost: CostCare?

  /// Care with which processor time is measured.
  public enum CostCare: String, NamedChoice, Sendable {
    /// Once, while other cells are running.
    case quick
    /// Several rounds over all cells, one at a time with nothing beside it; the median counts.
    case careful
  }

  /// Names of all settings, the common ones first.
  public var settingNames: [String] {
    (settings.names + subjects.flatMap(\.settings.names)).uniqued()
  }

  /// Names of the axes that distinguish cells on one recording: the settings, and the subject if
  /// there are several.
  public var axisNames: [String] {
    (Set(subjects.map(\.id)).count > 1 ? [SettingSummary.subjectAxis] : []) + settingNames
  }

  /// Returns the plan for a single other subject, with the common settings.
  public func with(subject id: String) -> Plan {
    var plan = self
    let known = subjects.filter { $0.id == id }
    plan.subjects = known.isEmpty ? [SubjectChoice(id: id)] : known
    return plan
  }

  /// Returns a plan for a preset with its own voices, on the same recordings and conditions.
  public func playing(_ preset: PresetSubject) -> Plan {
    var plan = with(subject: preset.id)
    (plan.name, plan.title) = ("\(name) \(preset.id)", preset.preset.summary)
    (plan.scores, plan.settings, plan.constraints) = ([preset.score], SettingAxes([]), nil)
    plan.subjects = [SubjectChoice(id: preset.id)]
    return plan
  }

  /// Returns every combination of settings for one subject: its own, and those common ones that it
  /// has. A combination with settings of another engine is reduced to the rest and tried once.
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
