import Foundation
import Sweep
import Testing
import Tuning

@testable import Metrics
@testable import Reporting

@Suite struct RunReportTests {
  private func page(listening: Bool) async throws -> (ReportPage, SmallRun) {
    let small = try await SmallRun(listening: listening)
    let report = try RunReport(
      of: small.run, in: small.store, corpus: small.corpus, command: "choir-eval report small")
    return (try report.page(), small)
  }

  /// A stopped run, or a shard, is preliminary: its settings may have run on different recordings.
  @Test func ofAPartNothingIsSettled() async throws {
    let small = try await SmallRun()
    func summary(of run: StoredRun) throws -> RunVerdict {
      RunVerdict(
        of: try Recommendation(of: run, in: small.store, corpus: small.corpus),
        undefined: run.undefinedCounts())
    }
    #expect(try summary(of: small.run).verdict.outcome == .poor)
    // With one setting there is no choice, so what is heard comes first.
    var one = small.run
    one.cells.removeAll { $0.settings != small.run.cells[0].settings }
    one.plannedCells = one.cells.count
    let heard = try summary(of: one).verdict.sentence
    #expect(heard.hasPrefix("Heard first: ") && heard.contains(": audible total "), "\(heard)")
    var part = small.run
    part.cells.removeLast()
    let found = try summary(of: part)
    #expect(found.verdict.outcome == .partial)
    #expect(found.verdict.sentence.contains("Preliminary: 7 of 8 cells ran"))
    #expect(found.verdict.sentence.hasPrefix("Ahead of 4 settings so far: "))
    #expect(found.coverage.hasPrefix("7 of 8 cells ran, none failed. "))
    for index in part.cells.indices { part.cells[index].outcome = .failed("crashed") }
    #expect(try summary(of: part).verdict.outcome == .failed)
    #expect(try summary(of: part).coverage == "7 of 8 cells ran, 7 failed. Nothing was measured.")
  }

  /// The page has the recommendation of `tune` for the same goal, and names the goal. Windows of 20 ms
  /// are in tune and late, windows of 10 ms the reverse.
  @Test(arguments: [nil, 8.0])
  func theSameGoalHasTheSameRecommendation(limitMs: Double?) async throws {
    let small = try await SmallRun()
    let run = small.doctored { cell, measurements in
      let isLong = cell.settings["windowMs"] == .number(20)
      if cell.kind == "probe" {
        measurements["latency.impulse"] = [.value(isLong ? 12 : 6, voice: 0, count: 1)]
      } else {
        measurements["pitch.residual"] = [.value(isLong ? 1 : 300, voice: 0, count: 100)]
        measurements["latency.alignment"] = [.value(isLong ? 12 : 6, voice: 0, count: 1)]
        measurements["latency.onset"] = nil
      }
    }
    var goal = TuneGoal()
    goal.budgets[.latency] = limitMs
    let tuned = try Tuner(goal, facts: small.corpus.facts(of: ["vowel", "probe"]))
      .answer(for: run.cells)
    let page = try RunReport(
      of: run, in: small.store, corpus: small.corpus, command: "c", goal: goal
    ).page(hasWorkbench: false)
    let best = try #require(tuned.recommended.map { tuned.points[$0] })
    #expect(best.settings["windowMs"] == .number(limitMs == nil ? 20 : 10))
    let words =
      limitMs == nil
      ? "Recommended of 4 settings: window 20 ms"
      : "Recommended of 4 settings within the budgets (latency at most 8 ms): window 10 ms"
    #expect(page.verdict.sentence.hasPrefix(words), "\(page.verdict.sentence)")
    let trade = try #require(page.sections.first { $0.id == "trade" })
    #expect(trade.intro.contains("No budget was set") == (limitMs == nil))
    // The table of limits has what tune recommends under each.
    #expect(
      tuned.limits.map { tuned.points[$0.chosen].settings["windowMs"] }
        == [.number(10)] + Array(repeating: .number(limitMs == nil ? 20 : 10), count: 4))
  }

  /// Files may be early: no delay above zero has a place on a logarithmic axis.
  @Test(arguments: [(-2.0, -1.0), (-2, 4), (0, 0.5)])
  func aRunOfEarlyFilesHasAPage(shortMs: Double, longMs: Double) async throws {
    let small = try await SmallRun()
    let run = small.doctored { cell, measurements in
      for id in TuneAxis.allMetrics { measurements[id] = [.value(0, count: 100)] }
      let ms = cell.settings["windowMs"] == .number(20) ? longMs : shortMs
      for metric in ["latency.impulse", "latency.onset", "latency.alignment"] {
        measurements[metric] = [.value(ms, voice: 0, count: 1)]
      }
    }
    let page = try RunReport(
      of: run, in: small.store, corpus: small.corpus, command: "c"
    ).page(hasWorkbench: false)
    let folder = small.folder.file("page")
    try ReportWriter().write(page, to: folder)
    let trade = try #require(page.sections.first { $0.id == "trade" })
    let drawing = try #require(trade.drawings.first { $0.id == "trade-latency" })
    guard let plot = drawing.plot as? TradePlot else { return #expect(Bool(false)) }
    // Every setting is drawn.
    #expect(plot.data().filter { $0.name.hasPrefix("role") }.flatMap(\.rows).count == 4)
  }

  /// A drawing without a number is left out, and its player stays.
  @Test func aDrawingWithoutNumbersIsLeftOut() {
    let clip = Clip(id: "c", title: "", sounds: [])
    let plot = TradePlot(
      x: Axis("latency", unit: "ms", scale: .logarithmic), y: Axis("error", unit: "cents"),
      points: [.init(name: "early", x: -1, y: 2, role: .front)])
    let section = Section(
      id: "s", title: "",
      drawings: [
        Drawing(id: "d", title: "", shows: "", omits: "", command: "", plot: plot, clip: clip)
      ]
    ).withoutEmptyDrawings
    #expect(section.drawings.isEmpty && section.clips.map(\.id) == ["c"])
  }

  /// The verdict is the worst grade of the headlines, and says which have it: a third of the frames missing is
  /// poor, 3 % are fair, and both outweigh the rest.
  @Test(arguments: [(0.33, PageVerdict.Outcome.poor), (0.03, .fair), (0, .good)])
  func theWorstGradeIsTheVerdict(missing: Double, outcome: PageVerdict.Outcome) async throws {
    let small = try await SmallRun()
    let run = small.doctored { _, measurements in
      for id in TuneAxis.allMetrics {
        measurements[id] = [.value(id == "formant.ratio" ? 1 : 0, count: 100)]
      }
      measurements["voice.missing"] = [.value(missing, count: 100)]
    }
    let part = VerdictPart(
      recommendation: try Recommendation(of: run, in: small.store, corpus: small.corpus),
      undefined: run.undefinedCounts(), baseline: nil)
    let found = part.verdict()
    #expect(found.outcome == outcome, "\(part.headlines().map { ($0.title, $0.grade) })")
    let word = outcome == .good ? nil : outcome.words
    #expect(word.map { found.sentence.hasSuffix("\($0): voice lost.") } ?? true)
  }

  /// A limit that no setting meets is the verdict, whatever the grades.
  @Test func anExceededBudgetIsTheVerdict() async throws {
    let small = try await SmallRun()
    var goal = TuneGoal()
    goal.budgets[.latency] = 0.1
    let found = VerdictPart(
      recommendation: try Recommendation(
        of: small.run, in: small.store, corpus: small.corpus, goal: goal),
      undefined: small.run.undefinedCounts(), baseline: nil
    ).verdict()
    #expect(found.outcome == .exceeded && found.sentence.contains("within the budgets"))
  }

  /// The verdict is never good while a headline has no value, names it and says why.
  @Test func aMissingHeadlineIsNamed() async throws {
    let small = try await SmallRun()
    let run = small.doctored { _, measurements in
      for id in TuneAxis.allMetrics { measurements[id] = [.value(0, count: 100)] }
      measurements["formant.ratio"] = [.undefined(.noStems)]
    }
    let found = VerdictPart(
      recommendation: try Recommendation(of: run, in: small.store, corpus: small.corpus),
      undefined: run.undefinedCounts(), baseline: nil
    ).verdict()
    #expect(found.outcome == .partial)
    let named = try #require(found.sentence.range(of: "Not measured: "))
    let reason = Undefined.noStems.detail
    #expect(found.sentence[named.upperBound...] == "formant shift (\(reason)).")
  }

  @Test func thePageSaysWhatTheStoreHolds() async throws {
    let (page, small) = try await page(listening: true)
    // A delay line moves formants by a quarter.
    #expect(page.verdict.outcome == .poor && page.verdict.sentence.contains("formant shift"))
    #expect(page.lead?.drawing == "trade-latency" && page.lead?.sounds.count == 1)
    #expect(page.verdict.sentence.hasPrefix("Recommended of 4 settings: window "))
    #expect(page.subtitle.hasPrefix("Which of 4 settings of ‘"), "\(page.subtitle)")
    #expect(page.headlines.map(\.unit) == ["%", "%", "cents", "dB", "%", "ms", "%"])
    #expect(page.headlines.allSatisfy { $0.amount.value != nil })
    #expect(page.headlines.map(\.count) == [1, 1, 1, 1, 1, 1, 1])
    // The vowel's loudness has its latency; the probe's stands beside it.
    #expect(page.headlines.allSatisfy { $0.counted == "recordings" })
    // A delay line moves formants along: a major third up has a ratio of 1.26.
    #expect(abs(page.headlines[4].amount.value! - 26) < 3)
    // All missing values are due to the nature of a vowel with one interval.
    #expect(page.coverage.hasPrefix("All 8 cells ran, none failed. "))
    #expect(
      page.sections.map(\.id) == [
        "trade", "voices", "listening", "gaps", "sweep", "timbre", "cost", "recordings",
      ])
    #expect(section("sweep", of: page).drawings.map(\.id).contains("latency"))
    // The player below the trade-offs has the settings of the front, and links lead there.
    let trade = section("trade", of: page)
    // One step of latency and of cost, as docs/reference/tuning.md has them.
    let settings = try #require(trade.tables.first { $0.id == "trade-settings" })
    #expect(settings.note?.contains("10 ms and 5 % of a core are one step each") == true)
    let heard = trade.tables.flatMap(\.rows).joined().compactMap { cell -> AudioLink? in
      if case .heard(_, let audioLink) = cell { audioLink } else { nil }
    }
    let front = try #require(trade.drawings[0].clip)
    #expect(heard.count == front.sounds.count - 2 && heard.allSatisfy { $0.clip == front.id })
    #expect(Set(heard.map(\.sound)) == Set(2..<front.sounds.count))
    // The input, the oracle of its score, and the choir under four settings.
    #expect(section("listening", of: page).clips.map(\.sounds.count) == [6])
    #expect(section("voices", of: page).drawings.map(\.id).contains("lanes-vowel"))

    // One page has every setting.
    #expect(page.subpages.map(\.id) == ["every-setting"])
    let table = page.subpages[0].sections[0].tables[0]
    #expect(table.rows.count == 4)
    #expect(table.columns.map(\.name).prefix(3) == ["engine", "window_ms", "crossfade_ms"])

    // The singer's pitch is exact: no frame is left out, and the uncertainty is 0.
    let sung = section("recordings", of: page).tables[0].rows
    #expect(sung.count == 1 && sung[0][3] == .amount(0) && sung[0][4] == .amount(0))

    let report = small.folder.file("report")
    try ReportWriter().write(page, to: report)
    let sounds = try FileManager.default.subpathsOfDirectory(atPath: report.path)
      .filter { $0.hasPrefix("audio/") && $0.hasSuffix(".html") }
    #expect(sounds.count == 6)
  }

  @Test func withoutSoundTheRestStands() async throws {
    let (page, _) = try await page(listening: false)
    #expect(!page.sections.contains { $0.id == "listening" })
    #expect(
      section("sweep", of: page).drawings.map(\.id) == [
        "pitch-error", "tremolo", "latency", "law-tremolo",
      ])
    #expect(section("trade", of: page).intro.contains("‘listen’"))
  }

  private func section(_ id: String, of page: ReportPage) -> Section {
    page.sections.first { $0.id == id } ?? Section(id: "missing", title: "")
  }
}
