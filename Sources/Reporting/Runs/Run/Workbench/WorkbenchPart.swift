import Corpus
import Metrics
import Platform
import Subjects
import Sweep
import Tuning

/// The workbench of a run: all its cells as columns, and lanes of those whose sound the plan kept.
struct WorkbenchPart {
  let facts: RunFacts
  /// Single voices of some cells.
  let voices: [VoiceClip]

  /// Number of cells up to which every metric can be searched; larger runs have those that the report
  /// reads, since all others of 100,000 cells would take half a gigabyte.
  static let maxDetailed = 2000

  func workbench() throws -> Workbench {
    let isDetailed = facts.run.cells.count <= Self.maxDetailed
    let cells = try isDetailed ? facts.store.detailed(facts.run.cells) : facts.run.cells
    return Workbench(
      keys: cells.map(\.key), columns: columns(cells), metrics: metrics(cells, all: isDetailed),
      voices: labels(cells), lanes: try lanes(cells), options: facts.runOptions)
  }

  // MARK: Texts

  private func columns(_ cells: [CellResult]) -> [Workbench.Column] {
    func column(
      _ name: String, _ title: String, _ text: (CellResult) -> String
    ) -> Workbench.Column {
      var column = Workbench.Column(name, title)
      for cell in cells { column.append(text(cell)) }
      return column
    }
    let names = Set(cells.lazy.flatMap(\.settings.keys)).sorted()
    return [
      column("recording", "recording", \.recording), column("condition", "condition", \.condition),
      column("score", "score", \.score.id), column("subject", "subject", \.subject),
    ] + names.enumerated().map { index, name in setting(cells, name, "setting-\(index + 1)") }
  }

  /// The texts of one setting; a number takes longer to write than to look up.
  private func setting(_ cells: [CellResult], _ name: String, _ id: String) -> Workbench.Column {
    var column = Workbench.Column(id, name)
    var known: [SettingValue?: UInt32] = [:]
    for cell in cells {
      let value = cell.settings[name]
      if let number = known[value] {
        column.append(number: number)
      } else {
        let number = column.number(of: value?.description ?? "")
        known[value] = number
        column.append(number: number)
      }
    }
    return column
  }

  /// Labels of the voices, if all scores agree.
  private func labels(_ cells: [CellResult]) -> [String] {
    var scores: [Score] = []
    for cell in cells where scores.last != cell.score && !scores.contains(cell.score) {
      scores.append(cell.score)
    }
    let labels = scores.map(\.voiceLabels)
    return labels.allSatisfy { $0 == labels[0] } ? labels.first ?? [] : []
  }

  // MARK: Measurements

  /// The metrics that were measured, beginning with the pitch error that `tune` weighs.
  private func metrics(_ cells: [CellResult], all: Bool) -> [Workbench.Metric] {
    let first = TuneAxis.pitch.metrics
    let known = Metric.all.map(\.id)
    let wanted = all ? known : known.filter(Set(RunReport.metrics).contains)
    return (first + wanted).uniqued().compactMap { Metric.metric(id: $0) }
      .concurrentMap { metric -> Workbench.Metric? in
        let values = CellValues(of: metric.id, in: cells)
        guard !values.voices.isEmpty else { return nil }
        return Workbench.Metric(
          id: metric.id, unit: metric.unit, title: metric.summary,
          better: metric.direction.rawValue, ideal: metric.ideal ?? 0,
          voices: values.voices, reasons: values.reasons)
      }.compactMap(\.self)
  }

  // MARK: Lanes

  private func lanes(_ cells: [CellResult]) throws -> [Workbench.Lane] {
    let listened = Set(facts.run.plan.listen ?? []).filter { id in
      (try? facts.corpus.entry(id: id))?.mayBeEmbedded ?? false
    }
    let stems = Dictionary(voices.map { ($0.cell.key, $0.voices) }) { first, _ in first }
    return cells.enumerated().compactMap { row, cell in
      guard listened.contains(cell.recording), let choir = facts.store.soundFile(of: cell.key)
      else { return nil }
      let mix = Sound("choir", detail: facts.text(SettingChoice(cell)), path: choir.path)
      let (store, labels) = (facts.store, cell.score.voiceLabels)
      return Workbench.Lane(
        row: row, sounds: [mix] + facts.store.given([cell]) + (stems[cell.key] ?? [])
      ) {
        try store.traces(of: cell.key).map { trace in
          let name = labels.indices.contains(trace.voice) ? labels[trace.voice] : nil
          return Workbench.Lane.Voice(
            name: name ?? "voice \(trace.voice + 1)", hopS: trace.hopSeconds,
            targetHz: trace.targetHz,
            measuredHz: trace.measuredHz)
        }
      }
    }
  }
}
