import Analyzer
import Evaluation
import Foundation

/// Turns a stored run into the page a person reads.
public struct RunReport: Sendable {
  private let run: StoredRun
  private let store: ResultStore
  private let corpus: Corpus
  private let summaries: [SettingSummary]
  let command: String

  /// - Parameter command: the command line that remakes the page.
  public init(of run: StoredRun, in store: ResultStore, corpus: Corpus, command: String) {
    self.run = run
    self.store = store
    self.corpus = corpus
    self.command = command
    summaries = run.summaries()
  }

  public func page() throws -> ReportPage {
    ReportPage(
      title: run.plan.title, subtitle: subtitle, verdict: verdict, headlines: headlines,
      sections: try sections(), reading: Self.reading, provenance: provenance, command: command)
  }

  private var subtitle: String {
    let recordings = Set(run.cells.map(\.recording)).count
    return "\(count(run.cells.count, "cell")): \(count(recordings, "recording")), "
      + "\(count(run.plan.scores.count, "score")) and "
      + "\(count(Set(run.cells.map(\.settings)).count, "setting")) of the subject "
      + "‘\(run.plan.subject)’"
  }

  /// The setting that is most in tune on clean recordings, over all its voices.
  private var best: SettingSummary? {
    let clean = summaries.filter { $0.condition == "clean" && $0.errorCents != nil }
    return clean.min { $0.errorCents! < $1.errorCents! }
  }

  private var verdict: Verdict {
    guard let best, let error = best.errorCents else {
      return Verdict(
        .inconclusive, "No setting has a pitch error: nothing was measured on a voice.")
    }
    let settings = run.plan.axisNames.map { name -> String in
      let value = best.choice(of: name)?.description ?? ""
      return name.hasSuffix("Ms") ? "\(name.dropLast(2)) \(value) ms" : "\(name) \(value)"
    }.joined(separator: ", ")
    let latency = best.latencyMs.map { " at \(NumberStyle.decimals(1).text($0)) ms of latency" }
    let failures = run.failures.count
    return Verdict(
      failures == 0 ? .measured : .inconclusive,
      "Most in tune is \(settings): \(NumberStyle.decimals(1).text(error)) cents off"
        + (latency ?? "") + "."
        + (failures == 0 ? "" : " \(count(failures, "cell")) failed; see the end."))
  }

  private var headlines: [Headline] {
    guard let best else { return [] }
    let recordings = Set(run.cells.filter { $0.kind != "probe" }.map(\.recording)).count
    let deviation = summaries.compactMap { summary -> Double? in
      guard let measured = summary.latencyMs, let law = summary.predictedLatencyMs else {
        return nil
      }
      return abs(measured - law)
    }.max()
    return [
      Headline(
        "pitch error, median", Amount(best.errorCents), unit: "cents", count: recordings,
        counted: "recordings", style: .decimals(1)),
      Headline(
        "in tune within 25 cents", Amount(best.withinShare.map { $0 * 100 }), unit: "%",
        count: recordings, counted: "recordings", style: .decimals(0)),
      Headline(
        "latency", Amount(best.latencyMs, otherwise: "no impulse probe in this run"), unit: "ms",
        interval: best.latencyRangeMs.flatMap {
          Bounds($0.lowerBound, $0.upperBound, meaning: "5 to 95 % of single impulses")
        }, count: best.voices.count, counted: "voices", style: .decimals(1)),
      Headline(
        "farthest from the law of latency", Amount(deviation, otherwise: "no law to compare"),
        unit: "ms", count: summaries.count, counted: "settings", style: .decimals(2)),
      Headline(
        "real-time factor", Amount(best.realtimeFactor?.value), unit: "",
        interval: best.realtimeFactor?.bounds, count: best.realtimeFactor?.count ?? 0,
        counted: "recordings", style: .significant(2)),
    ]
  }

  private func sections() throws -> [Section] {
    let sweep = SweepSection(
      summaries: summaries, names: run.plan.axisNames, command: command)
    let listening = ListeningSection(run: run, store: store, corpus: corpus, command: command)
    let recordings = RecordingsSection(run: run, corpus: corpus).section(best: best)
    return try sweep.sections() + [recordings].compactMap(\.self)
      + listening.sections(best: best?.settings) + [failureSection].compactMap(\.self)
  }

  /// What has no number, and why.
  private var failureSection: Section? {
    let undefined = run.undefinedCounts().map {
      [Table.Cell.text($0.metric), .amount(Amount(Double($0.count))), .text($0.reason)]
    }
    let failed = run.failures.map {
      [Table.Cell.text($0.recording), .text($0.settings), .text($0.reason)]
    }
    let tables = [
      Table(
        id: "undefined", title: "Measurements without a value",
        columns: [
          .text("metric", "metric"), .number("count", "count", style: .decimals(0)),
          .text("reason", "for example because"),
        ], rows: undefined),
      Table(
        id: "failed", title: "Cells that failed",
        columns: [
          .text("recording", "recording"), .text("settings", "settings"), .text("reason", "why"),
        ], rows: failed),
    ].filter { !$0.rows.isEmpty }
    guard !tables.isEmpty else { return nil }
    return Section(id: "gaps", title: "What has no number", tables: tables)
  }

  private static let reading = [
    Remark(
      "pitch error",
      "Distance of a voice from the lead's pitch moved by its interval, aligned by the measured "
        + "delay; 100 cents are a semitone. Listeners hear about 25 cents as out of tune."),
    Remark(
      "median, p95",
      "Over the frames of a recording; then the median over recordings. The range "
        + "in brackets is a 95 % bootstrap interval over recordings."),
    Remark(
      "second judge",
      "The same error by a harmonic least squares fit, which shares no code with "
        + "the tracker. Where the two differ, trust neither to less than the difference."),
    Remark(
      "latency",
      "Of lone impulses, each voice by itself: the centre of what comes out, by "
        + "amplitude. The delay of this engine sweeps, so single impulses differ. Of onsets: the "
        + "lag at which loudness in and out run together, on the recordings."),
    Remark(
      "formant ratio",
      "How far the spectral envelope moved: 1 where formants were kept, the "
        + "pitch ratio where they moved along (chipmunk)."),
    Remark(
      "ESTOI",
      "How much of the words survived, up to 1, against the oracle: the same synthetic singer with "
        + "the same mouth at the target pitch. A proxy, not a listener."),
    Remark(
      "left out, uncertain by",
      "A recording without truth is judged by two trackers that share nothing. Voiced frames on "
        + "which they differ by more than 50 cents don't count; the median difference on the others "
        + "is how well the target itself is known."),
    Remark("real-time factor", "Time on one core over the duration of the sound, all voices."),
    Remark(
      "what it does not show",
      "How it sounds. The second judge and the tracker agree on a voice "
        + "that trembles; listen to the clips."),
  ]

  private var provenance: [Remark] {
    let used = Set(run.cells.map(\.recording))
    let recordings = corpus.entries.filter { used.contains($0.id) }.map {
      Remark($0.id, "\($0.licence); \($0.attribution)")
    }
    return [
      Remark("run", "\(run.plan.name), begun \(run.startedAt) UTC"),
      Remark("subject", run.plan.subject),
      Remark("cells", "\(run.cells.count) of \(run.plannedCells) planned"),
      Remark(
        "metrics",
        Metric.all.map { "\($0.id) \($0.version)" }.joined(separator: ", ")),
    ] + recordings
  }
}

extension SettingSummary {
  /// Mean over voices of their median errors; `nil` where a voice has none.
  var errorCents: Double? {
    let errors = voices.compactMap { $0.errorMedianCents?.value }
    return errors.count == voices.count ? Statistics.mean(errors) : nil
  }

  var withinShare: Double? { Statistics.mean(voices.compactMap { $0.within25?.value }) }
}

extension Estimate {
  var bounds: Bounds? {
    interval.flatMap { Bounds($0.lowerBound, $0.upperBound, meaning: "95 % over recordings") }
  }
}

/// "1 cell", "2 cells".
func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
