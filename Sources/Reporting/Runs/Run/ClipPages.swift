import Corpus
import Platform
import Probes
import Statistics
import Subjects
import Sweep
import Tuning

/// A page for each recording: all its cells and, if its sound was kept, the pitch of the input and of
/// the voices.
struct ClipPages: Sendable {
  let facts: RunFacts
  private let pages: [(recording: String, shown: [CellResult], all: Int)]
  let addresses: CellAddresses

  /// Maximum number of rows on a page; the recommended setting comes first.
  private static let maxCells = 60
  private static let maxPages = 80

  init(_ facts: RunFacts) {
    self.facts = facts
    let byRecording = Dictionary(grouping: facts.run.cells, by: \.recording)
    let recordings = facts.run.cells.map(\.recording).uniqued().prefix(Self.maxPages)
    pages = recordings.map { recording in
      let cells = byRecording[recording]!
      let chosen = cells.filter { SettingChoice($0) == facts.choice }
      let others = cells.filter { SettingChoice($0) != facts.choice }
      return (recording, Array((chosen + others).prefix(Self.maxCells)), cells.count)
    }
    var addresses = CellAddresses()
    for page in pages {
      for cell in page.shown { addresses.note(cell, on: Self.id(page.recording)) }
    }
    self.addresses = addresses
  }

  static func id(_ recording: String) -> String {
    "clip-" + ReportFiles.slug(ofRecording: recording)
  }

  /// Address of a recording's page; `nil` if it has none.
  func address(of recording: String) -> String? {
    pages.contains { $0.recording == recording }
      ? Subpage.address(of: Self.id(recording)) : nil
  }

  func subpages() throws -> [Subpage] {
    try pages.map { page in
      let entry = try? facts.corpus.entry(id: page.recording)
      let origin = entry.map { "\($0.shows). \($0.licence); \($0.attribution)." } ?? ""
      return Subpage(
        id: Self.id(page.recording), title: page.recording, subtitle: origin,
        sections: try [cells(page), heard(page.recording)].compactMap(\.self))
    }
  }

  // MARK: Cells

  /// Columns: means over voices, unless the title says worst.
  private static func fields() -> [Table.Field<CellResult>] {
    func figure(
      _ title: String, _ unit: String, _ style: NumberStyle,
      _ value: @escaping (CellResult) -> Double?
    ) -> Table.Field<CellResult> {
      .amount(Table.Column.name(title, unit: unit), title, unit: unit, style: style) { cell in
        var reason = "undefined for every voice of this cell"
        if case .failed(let why) = cell.outcome { reason = why }
        return Amount(value(cell), otherwise: reason)
      }
    }
    return [
      figure("pitch error", "cents", .decimals(1)) { $0.mean("pitch.abs_error") },
      figure("p95, worst voice", "cents", .decimals(0)) { $0.worst("pitch.abs_error.p95") },
      figure("missing", "%", .decimals(1)) { $0.mean("voice.missing").map { $0 * 100 } },
      figure("latency", "ms", .decimals(1)) {
        $0.latencyMs ?? $0.mean("latency.impulse")
      },
      figure("formants", "", .decimals(2)) { $0.mean("formant.ratio") },
      figure("ESTOI", "", .decimals(2)) { $0.mean("intelligibility.estoi") },
      figure("clicks", "", .decimals(1)) { $0.mean("clicks.count") },
      figure("real-time factor", "", .significant(2)) { $0.value("cpu.realtime_factor") },
    ]
  }

  static let metrics = [
    "pitch.abs_error", "pitch.abs_error.p95", "voice.missing", "latency.impulse", "formant.ratio",
    "intelligibility.estoi", "clicks.count", "cpu.realtime_factor",
  ]

  private func cells(_ page: (recording: String, shown: [CellResult], all: Int)) -> Section {
    let scores = Set(page.shown.map(\.score.id)).count > 1
    let conditions = Set(page.shown.map(\.condition)).count > 1
    var fields: [Table.Field<CellResult>] =
      conditions ? [.text("condition", "condition", \.condition)] : []
    if scores { fields.append(.text("score", "score", \.score.id)) }
    fields += facts.varied.map { name in
      .text(name, name) { cell in
        name == SettingSummary.subjectAxis ? cell.subject : cell.settings[name]?.description ?? ""
      }
    }
    fields += Self.fields() + [.text("cell", "cell") { String($0.key.prefix(12)) }]
    var table = Table(
      id: "\(Self.id(page.recording))-cells", title: "Cells", of: page.shown, fields,
      note: "Means over voices. To explain a number: choir-eval explain CELL METRIC "
        + "\(facts.runOptions)."
        + (page.all > page.shown.count ? " \(page.shown.count) of \(page.all) cells." : ""))
    table.rowIDs = page.shown.map(CellAddresses.rowID)
    return Section(
      id: "\(Self.id(page.recording))-all", title: "All cells of this recording", tables: [table])
  }

  // MARK: Kept sound

  private func heard(_ recording: String) throws -> Section? {
    let drawings = try [sung(recording), lanes(recording)].compactMap(\.self)
    guard !drawings.isEmpty else { return nil }
    return Section(
      id: "\(Self.id(recording))-heard", title: "Pitch of the input and of the voices",
      drawings: drawings)
  }

  /// Pitch and formants of the input recording; `nil` if its sound was not kept.
  private func sung(_ recording: String) throws -> Drawing? {
    guard facts.run.plan.listen?.contains(recording) ?? false else { return nil }
    let cell = facts.run.cells.first { $0.recording == recording && $0.condition == "clean" }
    guard let cell, let outline = try facts.store.inputOutline(of: cell) else { return nil }
    return VoicePicture(
      of: outline, id: "sung-\(ReportFiles.slug(ofRecording: recording))", title: "The input",
      command: facts.command
    ).drawing
  }

  private func lanes(_ recording: String) throws -> Drawing? {
    let cell = facts.chosenCells.first { $0.recording == recording && $0.condition == "clean" }
    return try cell.flatMap { try VoicesSection.lanes($0, facts, id: "lanes-clip") }
  }
}

extension CellResult {
  /// Mean of a metric over the voices that have a value.
  func mean(_ metric: String) -> Double? { Statistics.mean(perVoice(metric)) }

  func worst(_ metric: String) -> Double? { perVoice(metric).max() }

  private func perVoice(_ metric: String) -> [Double] {
    (0..<score.voiceCount).compactMap { value(metric, voice: $0) }
  }
}
