import Corpus
import Platform
import Subjects
import Sweep
import Tuning

/// The page of every setting, voice by voice, for each score and condition.
struct SettingsPage {
  let facts: RunFacts

  static let id = "every-setting"
  /// Maximum number of settings; those with the highest total are left out.
  private static let maxSettings = 40

  private var names: [String] { facts.run.plan.axisNames }

  func subpage() throws -> Subpage? {
    let shown = best()
    let summaries = try facts.detailed(
      facts.run.cells.filter { shown.contains(SettingChoice($0)) })
    let groups = summaries.map { Group($0) }.uniqued()
    let sections = groups.enumerated().map { index, group -> Section in
      let rows = summaries.filter { Group($0) == group }
      let suffix = index == 0 ? "" : "-\(index + 1)"
      let score = rows[0].score
      let through = group.condition == "clean" ? "" : ", condition \(group.condition)"
      return Section(
        id: "settings\(suffix)", title: "\(group.score)\(through)",
        intro: (score.title.map { "\($0). " } ?? "")
          + "Score ‘\(score.id)’: \(score.voiceLabels.joined(separator: ", ")).",
        tables: [table(rows, score, suffix), judges(rows, score, suffix)]
          + FamilyTables(settings: settingFields).tables(rows, suffix))
    }
    guard !sections.isEmpty else { return nil }
    let all = Set(facts.summaries.map { SettingChoice($0) }).count
    return Subpage(
      id: Self.id, title: "Every setting, voice by voice",
      subtitle: shown.count < all
        ? "The \(shown.count) of \(all) settings with the lowest total; choir-eval export has "
          + "the others."
        : "",
      sections: sections)
  }

  private struct Group: Hashable {
    var score: String
    var condition: String

    init(_ summary: SettingSummary) { (score, condition) = (summary.score.id, summary.condition) }
  }

  private func best() -> Set<SettingChoice> {
    Set(facts.pointsByTotal.prefix(Self.maxSettings).map { SettingChoice($0) })
  }

  private var settingFields: [Table.Field<SettingSummary>] {
    names.map { name in
      let isText = ["engine", "effects", SettingSummary.subjectAxis].contains(name)
      return Table.Field(
        column: isText
          ? .text(snake(name), words(name)) : .number(snake(name), words(name), style: .setting)
      ) { row in
        guard let value = row.choice(of: name) else { return .text("") }
        return value.number.map { .amount(Amount($0)) } ?? .text(value.description)
      }
    }
  }

  private func table(_ rows: [SettingSummary], _ score: Score, _ suffix: String) -> Table {
    typealias Field = Table.Field<SettingSummary>
    let (cents, silent) = (NumberStyle.decimals(1), "no voiced frames")
    let voices = score.voiceLabels.enumerated().flatMap { index, label -> [Field] in
      let name = "voice\(index + 1)"
      return [
        .number(
          "\(name)_median_cents", "\(label) median", unit: "cents", style: cents,
          otherwise: silent
        ) { $0.voices[index].errorMedianCents?.value },
        .number(
          "\(name)_p95_cents", "p95", unit: "cents", style: .decimals(0), otherwise: silent
        ) { $0.voices[index].errorP95Cents?.value },
        .number(
          "\(name)_formant_ratio", "formants", style: .decimals(2),
          otherwise: "no voice low enough for formants"
        ) { $0.voices[index].formantRatio?.value },
      ]
    }
    let fields: [Field] = [
      .number(
        "latency_ms", "latency", unit: "ms", style: cents, otherwise: "no impulse probe",
        \.latencyMs),
      .number(
        "onset_ms", "by onsets", unit: "ms", style: cents,
        otherwise: "no sound with clear onsets"
      ) { $0.onsetLatencyMs?.value },
      .number(
        "predicted_ms", "by law", unit: "ms", style: cents,
        otherwise: "no law for these settings", \.predictedLatencyMs),
      .number("realtime_factor", "real-time factor", style: .significant(2)) {
        $0.realtimeFactor?.value
      },
    ]
    return Table(
      id: "settings-table\(suffix)", title: "Every setting, voice by voice", of: rows,
      settingFields + voices + fields, note: "Medians over recordings.")
  }

  private func judges(_ rows: [SettingSummary], _ score: Score, _ suffix: String) -> Table {
    typealias Field = Table.Field<FamilyTables.Row>
    let (few, silent) = ("fewer than six recordings", "no voiced frames")
    func cents(
      _ name: String, _ title: String, _ reason: String,
      _ value: @escaping (SettingSummary.Voice) -> Double?
    ) -> Field {
      .number(name, title, unit: "cents", style: .decimals(1), otherwise: reason) {
        value($0.voice)
      }
    }
    func percent(
      _ name: String, _ title: String, _ style: NumberStyle,
      _ share: @escaping (SettingSummary.Voice) -> RecordingMedian?
    ) -> Field {
      .number(name, title, unit: "%", style: style, otherwise: silent) {
        share($0.voice).map { $0.value * 100 }
      }
    }
    let fields: [Field] = [
      .text("voice", "voice") { $0.voice.label },
      cents("tracker_cents", "tracker", silent) { $0.errorMedianCents?.value },
      cents("tracker_low_cents", "from", few) { $0.errorMedianCents?.interval?.lowerBound },
      cents("tracker_high_cents", "to", few) { $0.errorMedianCents?.interval?.upperBound },
      cents("judge_cents", "second judge", silent) { $0.judgeErrorMedianCents?.value },
      percent("within_25_percent", "within 25 cents", .decimals(0), \.within25),
      percent("gross_percent", "gross errors", .decimals(1), \.grossErrors),
      percent("missing_percent", "missing", .decimals(1), \.missing),
      .number("estoi", "ESTOI", style: .decimals(2), otherwise: "no recording with an oracle") {
        $0.voice.estoi?.value
      }, .count("recordings") { $0.voice.errorMedianCents?.count ?? 0 },
    ]
    return Table(
      id: "judges\(suffix)", title: "Each voice by both judges",
      of: FamilyTables.rows(of: rows), settingFields.map { $0.of(\.summary) } + fields,
      note: "From and to: 95 % interval of the tracker's median over recordings.")
  }

  private func words(_ name: String) -> String { name.replacing("Ms", with: " ms") }

  private func snake(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}
