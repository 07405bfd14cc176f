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
  private static let most = 40

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
          + FamilyTables(settingColumns: settingColumns, settingCells: settingCells)
          .tables(rows, suffix))
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
    let points = facts.answer.points.sorted {
      ($0.distance ?? .infinity) < ($1.distance ?? .infinity)
    }
    return Set(
      points.prefix(Self.most).map { .init(subject: $0.subject, settings: $0.settings) })
  }

  private func settingCells(_ row: SettingSummary) -> [Table.Cell] {
    names.map { name in
      row.choice(of: name).map { value in
        value.number.map { .amount(Amount($0)) } ?? .text(value.description)
      } ?? .text("")
    }
  }

  private var settingColumns: [Table.Column] {
    names.map {
      ["engine", "effects", SettingSummary.subjectAxis].contains($0)
        ? .text(snake($0), words($0)) : .number(snake($0), words($0), style: .setting)
    }
  }

  private func table(_ rows: [SettingSummary], _ score: Score, _ suffix: String) -> Table {
    let voices = score.voiceLabels
    let columns =
      settingColumns
      + voices.enumerated().flatMap { index, voice -> [Table.Column] in
        [
          .number(
            "voice\(index + 1)_median_cents", "\(voice) median", unit: "cents",
            style: .decimals(1)),
          .number("voice\(index + 1)_p95_cents", "p95", unit: "cents", style: .decimals(0)),
          .number("voice\(index + 1)_formant_ratio", "formants", style: .decimals(2)),
        ]
      } + [
        .number("latency_ms", "latency", unit: "ms", style: .decimals(1)),
        .number("onset_ms", "by onsets", unit: "ms", style: .decimals(1)),
        .number("predicted_ms", "by law", unit: "ms", style: .decimals(1)),
        .number("realtime_factor", "real-time factor", style: .significant(2)),
      ]
    let cells = rows.map { row -> [Table.Cell] in
      settingCells(row)
        + row.voices.flatMap { voice -> [Table.Cell] in
          [
            .amount(Amount(voice.errorMedianCents?.value, otherwise: "no voiced frames")),
            .amount(Amount(voice.errorP95Cents?.value, otherwise: "no voiced frames")),
            .amount(
              Amount(voice.formantRatio?.value, otherwise: "no voice low enough for formants")),
          ]
        } + [
          .amount(Amount(row.latencyMs, otherwise: "no impulse probe")),
          .amount(Amount(row.onsetLatencyMs?.value, otherwise: "no sound with clear onsets")),
          .amount(Amount(row.predictedLatencyMs, otherwise: "no law for these settings")),
          .amount(Amount(row.realtimeFactor?.value)),
        ]
    }
    return Table(
      id: "settings-table\(suffix)", title: "Every setting, voice by voice", columns: columns,
      rows: cells, note: "Medians over recordings.")
  }

  private func judges(_ rows: [SettingSummary], _ score: Score, _ suffix: String) -> Table {
    let columns =
      settingColumns + [.text("voice", "voice")]
      + [
        .number("tracker_cents", "tracker", unit: "cents", style: .decimals(1)),
        .number("tracker_low_cents", "from", unit: "cents", style: .decimals(1)),
        .number("tracker_high_cents", "to", unit: "cents", style: .decimals(1)),
        .number("judge_cents", "second judge", unit: "cents", style: .decimals(1)),
        .number("within_25_percent", "within 25 cents", unit: "%", style: .decimals(0)),
        .number("gross_percent", "gross errors", unit: "%", style: .decimals(1)),
        .number("missing_percent", "missing", unit: "%", style: .decimals(1)),
        .number("estoi", "ESTOI", style: .decimals(2)),
        .number("recordings", "recordings", style: .decimals(0)),
      ]
    let cells = rows.flatMap { row in
      row.voices.map { voice -> [Table.Cell] in
        let none = "fewer than six recordings"
        let error = voice.errorMedianCents
        return settingCells(row) + [
          .text(voice.label),
          .amount(Amount(error?.value, otherwise: "no voiced frames")),
          .amount(Amount(error?.interval?.lowerBound, otherwise: none)),
          .amount(Amount(error?.interval?.upperBound, otherwise: none)),
          .amount(Amount(voice.judgeErrorMedianCents?.value, otherwise: "no voiced frames")),
          .amount(Amount(voice.within25.map { $0.value * 100 }, otherwise: "no voiced frames")),
          .amount(Amount(voice.grossErrors.map { $0.value * 100 }, otherwise: "no voiced frames")),
          .amount(Amount(voice.missing.map { $0.value * 100 }, otherwise: "no voiced frames")),
          .amount(Amount(voice.estoi?.value, otherwise: "no recording with an oracle")),
          .amount(Amount(Double(error?.count ?? 0))),
        ]
      }
    }
    return Table(
      id: "judges\(suffix)", title: "Each voice by both judges", columns: columns, rows: cells,
      note: "From and to: 95 % interval of the tracker's median over recordings.")
  }

  private func words(_ name: String) -> String { name.replacing("Ms", with: " ms") }

  private func snake(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}
