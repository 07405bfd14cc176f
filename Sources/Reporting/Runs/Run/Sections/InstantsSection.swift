import Foundation
import Metrics
import Platform
import Probes
import Subjects
import Sweep

/// The worst instants of the recommended setting: its cells are rendered again, drawn and cut out to
/// listen to.
struct InstantsSection {
  let facts: RunFacts
  let scratch: ScratchFolder

  /// Maximum number of instants that a reader will listen to.
  private static let maxInstants = 3
  /// Share of the evidence from which no doubt is named.
  private static let sure = 0.9

  func section() throws -> Section? {
    let cells = suspects()
    guard !cells.isEmpty else { return nil }
    var (replays, problem) = ([CellReplay](), (any Error)?.none)
    let (run, corpus) = (facts.run, facts.corpus)
    let rendered = cells.concurrentMap { cell in
      Result { try CellReplay(of: cell, of: run, in: corpus) }
    }
    for result in rendered {
      do { replays.append(try result.get()) } catch { problem = problem ?? error }
    }
    // The surest first.
    let instants = WorstInstant.all(in: replays, most: Self.maxInstants)
      .sorted { $0.confidence > $1.confidence }
    guard !instants.isEmpty else {
      return problem.map {
        Section(
          id: "instants", title: "The worst instants",
          intro: "The worst cells could not be rendered again: \($0).")
      }
    }
    let drawings = try instants.enumerated().map { try drawing("instant-\($0 + 1)", $1) }
    return Section(
      id: "instants", title: "The worst instants",
      intro: "The recommended setting on its worst recordings. Each voice is its own stem. Its "
        + "target is the ideal voice for a synthetic recording, else a hum at the target pitch. "
        + "Press a time in the table to play it. An instant is shown only if a second method agrees; "
        + "its confidence is the share of the evidence that agrees.",
      drawings: drawings, tables: [table(instants, drawings)])
  }

  // MARK: Search

  /// The cells of the recommended setting with the largest errors, each recording once.
  private func suspects() -> [CellResult] {
    let cells = facts.chosenCells.filter { cell in
      if case .measured = cell.outcome { return !cell.isProbe }
      return false
    }
    func largest(_ number: Int, least: Double, _ figure: (CellResult) -> Double?) -> [CellResult] {
      var seen: Set<String> = []
      return cells.compactMap { cell in figure(cell).map { (cell, $0) } }
        .filter { $0.1 > least }.sorted { $0.1 > $1.1 }.map(\.0)
        .filter { seen.insert($0.recording).inserted }.prefix(number).map(\.self)
    }
    let found =
      largest(3, least: 10) { $0.worst("pitch.abs_error.p95") }
      + largest(1, least: 0.01) { $0.worst("voice.missing") }
      + largest(1, least: 0) { $0.worst("clicks.count") }
      + largest(1, least: WorstInstant.minLateMs) { cell in
        cell.value("latency.onset.p95").flatMap { late in
          cell.value("latency.onset").map { late - $0 }
        }
      }
    var seen: Set<String> = []
    return found.filter { seen.insert($0.key).inserted }
  }

  private func words(_ instant: WorstInstant) -> String {
    let style = NumberStyle.decimals(0)
    switch instant.fault {
    case .missing(let seconds): return "not heard for \(style.text(seconds * 1000)) ms"
    case .outOfTune(let cents, let seconds):
      return "\(style.text(abs(cents))) cents too \(cents > 0 ? "high" : "low") for "
        + "\(style.text(seconds * 1000)) ms"
    case .click(let words): return words
    case .late(let delayMs, let medianMs):
      return "onset \(style.text(delayMs)) ms after the input, "
        + "\(style.text(delayMs - medianMs)) ms later than the median"
    }
  }

  // MARK: Drawings

  private func title(_ instant: WorstInstant) -> String {
    let labels = instant.replay.cell.score.voiceLabels
    let voice = instant.voice.map { ", " + Score.words(forVoice: labels[$0]) } ?? ""
    return "\(instant.fault.name.capitalizedFirst)\(voice), "
      + "\(instant.replay.cell.recording) at \(NumberStyle.decimals(2).text(instant.atSeconds)) s"
  }

  private func figure(_ instant: WorstInstant) -> InstantFigure {
    InstantFigure(replay: instant.replay, atSeconds: instant.atSeconds, voice: instant.voice)
  }

  private func drawing(_ id: String, _ instant: WorstInstant) throws -> Drawing {
    let words = words(instant)
    return figure(instant).drawing(
      id, title: title(instant),
      shows:
        "\(words.capitalizedFirst), at the dotted line."
        + (instant.confidence < Self.sure ? " A doubt: \(instant.fault.doubt)." : ""),
      command: explain(instant), clip: try clip(id, instant))
  }

  private func explain(_ instant: WorstInstant) -> String {
    "choir-eval explain \(instant.replay.cell.key.prefix(12)) \(instant.fault.metric) "
      + facts.runOptions
  }

  private func table(_ instants: [WorstInstant], _ drawings: [Drawing]) -> Table {
    let fields: [Table.Field<(instant: WorstInstant, clip: Clip?)>] = [
      .text("kind", "kind") { $0.instant.fault.name },
      .cell("recording", "recording") { row in
        let (cell, seconds) = (row.instant.replay.cell, row.instant.atSeconds)
        return .linked(.text(cell.recording), to: Workbench.address(ofCell: cell.key, atS: seconds))
      },
      .text("condition", "condition") { $0.instant.replay.cell.condition },
      .text("voice", "voice") { row in
        row.instant.voice.map { row.instant.replay.cell.score.voiceLabels[$0] } ?? "all"
      },
      Table.Field(column: .number("at_s", "at", unit: "s", style: .decimals(2))) { row in
        let at = Table.Cell.amount(Amount(row.instant.atSeconds))
        return row.clip.map { .heard(at, figure(row.instant).audioLink(in: $0)) } ?? at
      },
      .text("words", "finding") { words($0.instant) },
      .number("confidence", "confidence", style: .decimals(2)) { $0.instant.confidence },
    ]
    return Table(
      id: "instants-table", title: "The worst instants in numbers",
      of: zip(instants, drawings).map { ($0, $1.clip) }, fields, isInSummary: true)
  }

  // MARK: Sounds

  private func clip(_ id: String, _ instant: WorstInstant) throws -> Clip? {
    var (before, silence) = (InstantFigure.Before?.none, "")
    switch facts.baseline?.kept(of: instant.replay.cell) {
    case nil: break
    case .sound(let file): before = .init(file: file, detail: facts.baseline?.name ?? "")
    case .same: silence = " The baseline's sound is the same, bit for bit."
    case .missing(let reason): silence = " The baseline's sound is missing: \(reason)."
    }
    return try figure(instant).clip(
      "\(id)-sound", title: title(instant), of: facts.corpus, into: scratch, before: before,
      note: silence)
  }
}
