import Corpus
import Foundation
import Platform
import Statistics
import Sweep
import Tuning

/// The report of a stored run.
package struct RunReport: Sendable {
  let facts: RunFacts

  /// Ids of the metrics to read with the run; the others are read where they are needed.
  package static var metrics: [String] {
    SettingSummary.metrics + TuneAxis.allMetrics + [
      "pitch.abs_error", "pitch.abs_error.p95", "voice.missing", "latency.impulse", "formant.ratio",
      "intelligibility.estoi", "clicks.count", "cpu.realtime_factor",
    ]
  }

  /// - Parameters:
  ///   - command: the command line that remakes the page.
  ///   - options: options that make other commands find the run, such as `--store mine.sqlite`.
  ///   - baseline: the run to compare with.
  ///   - goal: what is asked of the recommended setting, as `tune` takes it.
  package init(
    of run: StoredRun, in store: ResultStore, corpus: Corpus, command: String,
    options: String = "", baseline: EarlierRun? = nil, goal: TuneGoal = TuneGoal()
  ) throws {
    facts = try RunFacts(
      run, in: store, corpus: corpus, command: command, options: options, baseline: baseline,
      goal: goal)
  }

  /// - Parameter hasWorkbench: false to leave out the page on which all cells are searched and played.
  package func page(hasWorkbench: Bool = true) throws -> ReportPage {
    let result = RunVerdict(
      of: facts.recommendation, undefined: facts.undefined, baseline: facts.baseline)
    let scratch = try ScratchFolder()
    let listening = try ListeningSection(
      run: facts.run, store: facts.store, corpus: facts.corpus, baseline: facts.baseline
    ).sections(best: facts.choice?.settings)
    var page = ReportPage(
      title: facts.run.plan.title, subtitle: subtitle, verdict: result.verdict,
      headlines: result.headlines,
      sections: try sections(listening.all, scratch),
      reading: ProvenancePart.reading, provenance: ProvenancePart(facts: facts).remarks(),
      command: facts.command)
    page.coverage = result.coverage
    page.lead =
      facts.baseline?.lead(in: page.sections) ?? EffectsSection.lead(in: page.sections, facts)
      ?? TradeSection.lead(in: page.sections) ?? Self.voices(in: page.sections)
    page.subpages = try SettingsPage(facts: facts).subpage().part
    page.scratch = scratch
    if hasWorkbench {
      page.workbench = try WorkbenchPart(facts: facts, voices: listening.voices).workbench()
    }
    return page
  }

  /// The faults that are heard, with the sound of the choir: the picture of a run with one setting.
  private static func voices(in sections: [Section]) -> ReportPage.Lead? {
    func section(_ id: String) -> Section? { sections.first { $0.id == id } }
    guard let picture = section("voices")?.drawings.first else { return nil }
    let choir = section("listening")?.clips.lazy.compactMap { clip in
      clip.sounds.firstIndex { $0.name == "choir" }.map { AudioLink(clip: clip.id, sound: $0) }
    }.first
    return .init(drawing: picture.id, sounds: choir.map { ("Play the voices", $0) }.part)
  }

  var subtitle: String {
    let run = facts.run
    let recordings = Set(run.cells.map(\.recording)).count
    let settings = facts.recommendation.settingCount
    let subjects = listed(run.cells.map(\.subject).uniqued().map { "‘\($0)’" })
    let question =
      if let baseline = facts.baseline {
        "Did \(subjects) change since \(baseline.name)?"
      } else if settings > 1 {
        "Which of \(settings) settings of \(subjects)?"
      } else {
        "How good is \(subjects)?"
      }
    let scores = run.plan.scores
    let voices = scores[0].voiceLabels
    let sung =
      scores.count > 1
      ? " by \(scores.count) scores"
      : voices.allSatisfy { Double($0) != nil } ? ", voices at \(listed(voices)) semitones" : ""
    return question
      + " \(counted(run.cells.count, "rendering")) of \(counted(recordings, "recording"))\(sung)"
  }

  /// The sections that have something to show, the most useful first.
  private func sections(_ listening: [Section], _ scratch: ScratchFolder) throws -> [Section] {
    let facts = facts
    // On all cores: some render cells again, others sort through thousands of settings.
    let makers: [@Sendable () throws -> [Section?]] = [
      { [ChangesSection(facts: facts).section()] },
      { [TradeSection(facts: facts).section()?.folded] },
      { [try VoicesSection(facts: facts).section()] },
      { listening },
      { [try InstantsSection(facts: facts, scratch: scratch).section()] },
      { [GapsSection(facts: facts).section()?.folded] },
      { [try SweepSection(facts: facts, heard: listening.flatMap(\.clips)).section()?.folded] },
      { [TimbreSection(facts: facts).section()?.folded] },
      { [CostSection(facts: facts).section()?.folded, EffectsSection(facts: facts).section()] },
      { [RecordingsSection(facts: facts).section()?.folded] },
    ]
    return try makers.concurrentMap { make in Result { try make() } }
      .flatMap { try $0.get() }.compactMap { $0?.withoutEmptyDrawings }
  }
}

extension SettingSummary {
  /// Mean over voices of their median errors; `nil` if a voice has none.
  var errorCents: Double? {
    let errors = voices.compactMap { $0.errorCents?.value }
    return errors.count == voices.count ? Statistics.mean(errors) : nil
  }
}

extension RecordingMedian {
  var bounds: Bounds? { Bounds(interval, meaning: "95 % over recordings") }
}
