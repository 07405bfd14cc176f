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
    let summaries = try facts.detailed(facts.run.cells.filter { shown.contains(SettingChoice($0)) })
    let groups = summaries.grouped { [$0.score.id, $0.condition] }
    let sections = groups.enumerated().map { index, rows -> Section in
      let suffix = index == 0 ? "" : "-\(index + 1)"
      let (score, condition) = (rows[0].score, rows[0].condition)
      let through = condition == "clean" ? "" : ", condition \(condition)"
      return Section(
        id: "settings\(suffix)", title: "\(score.id)\(through)",
        intro: (score.title.map { "\($0). " } ?? "")
          + "Score ‘\(score.id)’: \(score.voiceLabels.joined(separator: ", ")).",
        tables: [
          table(rows, suffix),
          VoicesSection.table("settings-voices\(suffix)", of: rows, settingFields),
        ] + FamilyTables(settings: settingFields).tables(rows, suffix))
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

  private func table(_ rows: [SettingSummary], _ suffix: String) -> Table {
    let ms = NumberStyle.decimals(1)
    let fields: [Table.Field<SettingSummary>] = [
      .number(
        "latency_ms", "latency", unit: "ms", style: ms, otherwise: "no impulse probe", \.latencyMs),
      .number(
        "onset_ms", "by onsets", unit: "ms", style: ms, otherwise: "no sound with clear onsets"
      ) { $0.onsetLatencyMs?.value },
      .number(
        "predicted_ms", "by law", unit: "ms", style: ms, otherwise: "no law for these settings",
        \.predictedLatencyMs),
      .number("realtime_factor", "real-time factor", style: .significant(2)) {
        $0.realtimeFactor?.value
      },
    ]
    return Table(
      id: "settings-table\(suffix)", title: "Latency and cost", of: rows, settingFields + fields,
      note: "Medians over recordings.")
  }

  private func words(_ name: String) -> String { name.replacing("Ms", with: " ms") }

  private func snake(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}
