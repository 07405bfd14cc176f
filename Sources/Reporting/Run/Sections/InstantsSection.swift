import Analyzer
import AudioFile
import Corpus
import DSP
import Files
import Foundation
import Metrics
import Pages
import Probes
import Subjects
import Sweep

/// The worst instants of the recommended setting: its cells are rendered again, drawn and cut out to
/// listen to.
struct InstantsSection {
  let facts: RunFacts
  let addresses: CellAddresses
  let scratch: ScratchFolder

  /// Maximum number of instants that a reader will listen to.
  private static let most = 5
  /// Time drawn and played on either side of an instant.
  private static let reachSeconds = 0.8

  /// One place in one cell.
  private struct Instant {
    var replay: CellReplay
    var atSeconds: Double
    /// The voice; `nil` for the whole mix.
    var voice: Int?
    /// Kind of fault, such as `missing`.
    var kind: String
    var words: String
    var severity: Double

    func isNear(_ other: Instant) -> Bool {
      replay.cell.key == other.replay.cell.key && abs(atSeconds - other.atSeconds) < 0.5
    }
  }

  func section() throws -> Section? {
    let cells = suspects()
    guard !cells.isEmpty else { return nil }
    var (replays, problem) = ([CellReplay](), String?.none)
    for cell in cells {
      do { replays.append(try CellReplay(of: cell, of: facts.run, in: facts.corpus)) } catch {
        problem = problem ?? "\(error)"
      }
    }
    let instants = choose(replays.flatMap(instants(of:)))
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
        + "Press a time in the table to play it.",
      drawings: drawings, tables: [table(instants, drawings)])
  }

  // MARK: Search

  /// The cells of the recommended setting with the largest errors, each recording once.
  private func suspects() -> [CellResult] {
    let cells = facts.chosenCells.filter { cell in
      if case .measured = cell.outcome { return cell.kind != "probe" }
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
      + largest(1, least: Self.leastLateMs) { cell in
        cell.value("latency.onset.p95").flatMap { late in
          cell.value("latency.onset").map { late - $0 }
        }
      }
    var seen: Set<String> = []
    return found.filter { seen.insert($0.key).inserted }
  }

  private func instants(of replay: CellReplay) -> [Instant] {
    func instants(_ kind: String, _ metric: String, _ severity: (Explanation.Instant) -> Double)
      -> [Instant]
    {
      guard let metric = Metric.metric(id: metric) else { return [] }
      return replay.worst(for: metric, most: 2).0.map {
        Instant(
          replay: replay, atSeconds: $0.atSeconds, voice: $0.voice, kind: kind, words: $0.words,
          severity: severity($0))
      }
    }
    let strays = replay.traces.flatMap { OutOfTuneSegment.all(in: $0).prefix(6) }.map { stray in
      Instant(
        replay: replay, atSeconds: stray.middleSeconds, voice: stray.voice,
        kind: stray.kind == .missing ? "missing" : "out of tune", words: Self.words(stray),
        severity: stray.centSeconds)
    }
    return strays + instants("click", "clicks.count") { $0.value } + late(in: replay)
  }

  /// Smallest audible delay beyond the recording's median.
  private static let leastLateMs = 10.0

  /// Onsets that are later than the others of their recording.
  private func late(in replay: CellReplay) -> [Instant] {
    guard
      let found = try? EventDelay(
        of: replay.observation.rendering.mix, from: replay.observation.heard)
    else { return [] }
    let (usualMs, style) = (found.estimate.medianMs, NumberStyle.decimals(0))
    return zip(found.eventSeconds, found.delaysMs).compactMap { seconds, delayMs in
      guard let delayMs, delayMs - usualMs > Self.leastLateMs else { return nil }
      return Instant(
        replay: replay, atSeconds: seconds + delayMs / 1000, voice: nil, kind: "late onset",
        words: "onset \(style.text(delayMs)) ms after the input, "
          + "\(style.text(delayMs - usualMs)) ms later than the median",
        severity: delayMs - usualMs)
    }
  }

  private static func words(_ stray: OutOfTuneSegment) -> String {
    let ms = NumberStyle.decimals(0).text(stray.durationSeconds * 1000)
    switch stray.kind {
    case .missing: return "not heard for \(ms) ms"
    case .offCents(let cents):
      let size = NumberStyle.decimals(0).text(abs(cents))
      return "\(size) cents too \(cents > 0 ? "high" : "low") for \(ms) ms"
    }
  }

  /// Takes the worst instant of each kind in turn, then the next ones, without neighbours.
  private func choose(_ all: [Instant]) -> [Instant] {
    let kinds = all.map(\.kind).uniqued()
    var left = Dictionary(grouping: all, by: \.kind)
      .mapValues { $0.sorted { $0.severity > $1.severity } }
    var chosen: [Instant] = []
    while chosen.count < Self.most, left.values.contains(where: { !$0.isEmpty }) {
      for kind in kinds where chosen.count < Self.most {
        guard
          let next = left[kind]?.firstIndex(where: { one in !chosen.contains(where: one.isNear) })
        else {
          left[kind] = []
          continue
        }
        chosen.append(left[kind]!.remove(at: next))
      }
    }
    return chosen
  }

  // MARK: Drawings

  private func title(_ instant: Instant) -> String {
    let voice = instant.voice.map { ", voice \(instant.replay.cell.score.voiceLabels[$0])" } ?? ""
    return "\(instant.kind.prefix(1).uppercased())\(instant.kind.dropFirst())\(voice), "
      + "\(instant.replay.cell.recording) at \(NumberStyle.decimals(2).text(instant.atSeconds)) s"
  }

  private func sound(_ instant: Instant) -> Signal {
    let rendering = instant.replay.observation.rendering
    return instant.voice.flatMap {
      rendering.stems.indices.contains($0) ? rendering.stems[$0] : nil
    }
      ?? rendering.mix
  }

  private func window(_ instant: Instant) -> ClosedRange<Double> {
    let end = sound(instant).durationSeconds
    let low = max(0, min(instant.atSeconds - Self.reachSeconds, end - 2 * Self.reachSeconds))
    return low...max(low + 0.1, min(end, low + 2 * Self.reachSeconds))
  }

  private func drawing(_ id: String, _ instant: Instant) throws -> Drawing {
    let window = window(instant)
    var settings = Spectrogram.Settings()
    (settings.rows, settings.mostColumns) = (60, 120)
    let picture = try Spectrogram(of: sound(instant).cut(window), settings)
    let trace = instant.voice.flatMap { voice in
      instant.replay.traces.first { $0.voice == voice }
    }
    return Drawing(
      id: id, title: title(instant),
      shows: "\(instant.words.prefix(1).uppercased())\(instant.words.dropFirst()), at the dashed "
        + "line.",
      omits: "", command: explain(instant),
      plot: .instant(
        InstantPlot(
          atS: instant.atSeconds, windowS: window, frames: trace?.frames ?? [],
          picture: .init(
            hopS: picture.hopSeconds, frequenciesHz: picture.frequenciesHz,
            levelsDb: picture.levelsDb))), clip: try clip(id, instant))
  }

  private func explain(_ instant: Instant) -> String {
    let metric =
      switch instant.kind {
      case "missing": "voice.missing"
      case "click": "clicks.count"
      case "late onset": "latency.onset"
      default: "pitch.abs_error.p95"
      }
    return "choir-eval explain \(instant.replay.cell.key.prefix(12)) \(metric) "
      + facts.runOptions
  }

  private func table(_ instants: [Instant], _ drawings: [Drawing]) -> Table {
    var table = Table(
      id: "instants-table", title: "The worst instants in numbers",
      columns: [
        .text("kind", "kind"), .text("recording", "recording"), .text("condition", "condition"),
        .text("voice", "voice"), .number("at_s", "at", unit: "s", style: .decimals(2)),
        .text("words", "finding"),
      ],
      rows: zip(instants, drawings).map { instant, drawing in
        let cell = instant.replay.cell
        let at = Table.Cell.amount(Amount(instant.atSeconds))
        let name = Table.Cell.text(cell.recording)
        return [
          .text(instant.kind), addresses[cell.key].map { .linked(name, to: $0) } ?? name,
          .text(cell.condition), .text(instant.voice.map { cell.score.voiceLabels[$0] } ?? "all"),
          audioLink(instant, drawing.clip).map { .heard(at, $0) } ?? at, .text(instant.words),
        ]
      })
    table.isInSummary = true
    return table
  }

  // MARK: Sounds

  /// The link that plays 0.6 s around the instant, in the voice's stem.
  private func audioLink(_ instant: Instant, _ clip: Clip?) -> AudioLink? {
    guard let clip else { return nil }
    let window = window(instant)
    let at = instant.atSeconds - window.lowerBound
    let part = max(0, at - 0.3)...min(window.upperBound - window.lowerBound, at + 0.3)
    let sound = clip.sounds.firstIndex { $0.name == "voice" } ?? clip.sounds.count - 1
    return AudioLink(clip: clip.id, sound: sound, partS: part)
  }

  private func clip(_ id: String, _ instant: Instant) throws -> Clip? {
    let entry = try facts.corpus.entry(id: instant.replay.cell.recording)
    guard entry.mayBeEmbedded else { return nil }
    let window = window(instant)
    func sound(_ name: String, _ detail: String, _ signal: Signal) throws -> Sound {
      let file = scratch.url.appendingPathComponent("\(id)-\(ReportFiles.slug(name)).flac")
      try signal.cut(window).withoutClipping.write(to: file.path)
      return Sound(name, detail: detail, path: file.path)
    }
    let observation = instant.replay.observation
    var sounds = [try sound("input", "", observation.heard)]
    if let voice = instant.voice {
      let ideal = instant.replay.hasIdeal
      sounds.append(
        try sound(
          ideal ? "oracle" : "target", ideal ? "the ideal voice" : "a hum at the target pitch",
          instant.replay.target(ofVoice: voice)))
      sounds.append(
        try sound(
          "voice", observation.score.score.voiceLabels[voice], self.sound(instant)))
    }
    sounds.append(try sound("choir", "all voices", observation.rendering.mix))
    var silence = ""
    switch facts.baseline?.kept(of: instant.replay.cell) {
    case nil: break
    case .sound(let file):
      let before = try AudioFile(reading: file.path).mono
      sounds.append(try sound("baseline", "all voices, \(facts.baseline?.name ?? "")", before))
    case .same: silence = " The baseline's sound is the same, bit for bit."
    case .missing(let reason): silence = " The baseline's sound is missing: \(reason)."
    }
    return Clip(
      id: "\(id)-sound", title: title(instant),
      note: "\(entry.id): \(entry.licence); \(entry.attribution)." + silence, sounds: sounds)
  }
}

extension Signal {
  /// Returns the part of the signal within a range of time.
  fileprivate func cut(_ window: ClosedRange<Double>) -> Signal {
    let low = min(count, max(0, Int(window.lowerBound * sampleRateHz)))
    let high = min(count, max(low, Int(window.upperBound * sampleRateHz)))
    return Signal(Array(samples[low..<high]), sampleRateHz: sampleRateHz)
  }
}
