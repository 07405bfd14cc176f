import Corpus
import Foundation
import Subjects
import TestSupport
import Testing

@testable import Metrics
@testable import Probes
@testable import Reporting
@testable import Sweep

/// Outcomes of budgets and gaps of a check, on invented figures.
@Suite struct SubjectCheckTests {
  private let scratch = try! TemporaryFolder()

  /// - Parameter findings: findings on the bench.
  private func check(
    _ measured: [String: Double], limitMs: Double, findings: [ProbeFinding] = [],
    impulseMs: Double? = nil
  ) throws -> SubjectCheck {
    let program = try ExternalSubject(
      reading: scratch.write(
        "id: mine\nkind: stream\ncommand: [cat, \"{semitones}\"]", to: "mine.yaml"))
    func cell(_ kind: String, _ measured: [String: Double]) -> CellResult {
      CellResult(
        key: kind, recording: kind, kind: kind, score: Score(id: "s", intervalsSemitones: [4]),
        subject: "mine", settings: [:], sampleRateHz: 48_000,
        outcome: .measured(Measurements(measured.mapValues { [.value($0, voice: 0, count: 1)] })))
    }
    let cells =
      [cell("sung", measured)] + (impulseMs.map { [cell("probe", ["latency.impulse": $0])] } ?? [])
    let plan = try Plan(reading: Repository.file("Corpus/plans/smoke.yaml"))
    return SubjectCheck(
      of: CheckedSubject(program, named: "mine.yaml"), trial: nil,
      run: StoredRun(plan: plan, startedAt: "", cells: cells, plannedCells: cells.count),
      findings: findings, budgets: [.latency: limitMs])
  }

  /// Loudness errs by up to 8 ms, so it can't tell 15 ms from 20.
  @Test(arguments: [
    ("latency.alignment", 15.0, SubjectCheck.Outcome.unknown), ("latency.alignment", 25, .unknown),
    ("latency.alignment", 11, .met), ("latency.alignment", 29, .exceeded),
    ("latency.onset", 15, .met), ("latency.onset", 25, .exceeded),
  ])
  func aCoarseLatencySettlesNoCloseBudget(
    metric: String, ms: Double, expected: SubjectCheck.Outcome
  ) throws {
    let budget = try #require(try check([metric: ms], limitMs: 20).rows.first?.budget)
    #expect(budget.outcome == expected)
    #expect((budget.note?.contains("probe-impulses") ?? false) == (expected == .unknown))
  }

  /// The whole sound is as late as most of its voices, but one of them comes 150 ms after.
  @Test func theLatestVoiceDecidesTheLatency() throws {
    let program = try ExternalSubject(
      reading: scratch.write(
        "id: mine\nkind: stream\ncommand: [cat, \"{intervals}\"]", to: "mine.yaml"))
    func cell(_ kind: String, _ measured: [String: [MetricResult]]) -> CellResult {
      CellResult(
        key: kind, recording: kind, kind: kind, score: Score(id: "s", intervalsSemitones: [4, 7]),
        subject: "mine", settings: [:], sampleRateHz: 48_000,
        outcome: .measured(Measurements(measured)))
    }
    for (lateMs, outcome) in [(175.0, SubjectCheck.Outcome.exceeded), (30, .met)] {
      let impulses = [25, lateMs].enumerated().map { MetricResult.value($1, voice: $0, count: 1) }
      let cells = [
        cell("sung", ["latency.onset": [.value(25, count: 1)]]),
        cell("probe", ["latency.impulse": impulses]),
      ]
      let plan = try Plan(reading: Repository.file("Corpus/plans/smoke.yaml"))
      let check = SubjectCheck(
        of: CheckedSubject(program, named: "mine.yaml"), trial: nil,
        run: StoredRun(plan: plan, startedAt: "", cells: cells, plannedCells: cells.count),
        findings: [], budgets: [.latency: 40])
      #expect(check.rows.first?.budget?.outcome == outcome)
      #expect(check.rows.first?.value == (outcome == .met ? 25 : 175))
    }
  }

  /// Impulses are exact where loudness is not.
  @Test(arguments: [(19.0, SubjectCheck.Outcome.met), (21, .exceeded)])
  func impulsesDecideACloseBudget(ms: Double, expected: SubjectCheck.Outcome) throws {
    let found = try check(["latency.alignment": 20.5], limitMs: 20, impulseMs: ms)
    let budget = try #require(found.rows.first?.budget)
    #expect(budget.outcome == expected)
    #expect(budget.note?.hasPrefix("the \(ms) ms of impulses count") == true, "\(budget)")
  }

  @Test func thePageSaysWhatToTypeNext() throws {
    var page = ReportPage(title: "", verdict: PageVerdict(.good, ""), command: "")
    try check(["latency.onset": 9], limitMs: 20).lead(&page)
    #expect(
      page.next.map(\.text) == [
        "choir-eval hunt mine.yaml", "choir-eval gate new mine.yaml --output FOLDER",
      ])
  }

  /// A figure that no measured cell can have may be that of a failed one.
  @Test(arguments: [0, 5]) func failedCellsMayHaveTheFigure(failedCells: Int) throws {
    let subject = try ExternalSubject(
      reading: scratch.write(
        "id: mine\nkind: stream\ncommand: [cat, \"{semitones}\"]", to: "mine.yaml"))
    let gaps = CheckGap.all(
      of: CheckedSubject(subject, named: "mine.yaml"),
      undefined: [(.intelligibility, Undefined(.noOracle, "only the synthetic singer has one"))],
      findings: [], failedCells: failedCells)
    let remedy = try #require(gaps.first).remedy
    #expect(remedy.hasPrefix("mend the 5 cells that failed") == (failedCells == 5), "\(remedy)")
    #expect(remedy.hasSuffix("choose a plan whose recordings have it (--plan)"))
  }

  /// A plugin states its delay itself, so that its description need not.
  @Test(arguments: [true, false]) func aDelayThatIsStatedIsNoGap(isStated: Bool) throws {
    let found =
      isStated
      ? ProbeFinding(.latency, LatencyProbe.statement, 50.6, "ms", .poor, "more than 1 ms off")
      : .undefined(.latency, LatencyProbe.statement, "the subject states no latency")
    let gaps = try check(["latency.onset": 90], limitMs: 20, findings: [found]).gaps
    #expect(gaps.contains { $0.what == "whether the stated latency is true" } == !isStated)
  }

  /// Counts by hand in peers.csv: six of ten are later than 40 ms; of twelve one shifts formants by more than
  /// 33.5 %, and six have an intelligibility below 0.55.
  @Test(arguments: [
    (CheckFigure.latency, 40.0, 6, 10), (.latency, 5, 10, 10), (.latency, 200, 0, 10),
    (.formants, 33.5, 1, 12), (.intelligibility, 0.55, 6, 12),
  ])
  func thePlaceAmongPeersCountsThoseThatAreWorse(
    figure: CheckFigure, value: Double, worse: Int, all: Int
  ) throws {
    #expect(try #require(Peers.place(of: value, on: figure)) == (worse, all))
  }

  /// A program that reads whole files has no place for its latency.
  @Test func thePictureHasWhatPeersHave() throws {
    let check = try check(
      ["latency.onset": 12, "pitch.abs_error": 3, "clicks.count": 1], limitMs: 20)
    let plot = try #require(check.standing("c").plot as? DotPlot)
    let names = plot.groups.map(\.name)
    #expect(names == ["latency, sound to sound: 12 ms", "pitch error, median: 3.0 cents"])
    #expect(plot.groups.map { $0.lines[0].name } == ["9 of 10", "2 of 12"])
  }

  /// A recording that can't tell the delay misses no description, and its remedy is another recording.
  @Test func aRecordingNeedsAnotherRecording() throws {
    try FileManager.default.createDirectory(
      at: scratch.url.appendingPathComponent("takes"), withIntermediateDirectories: true)
    let folder = try ExternalSubject(
      reading: scratch.write(
        """
        id: app
        kind: folder
        files: takes/{recording}.wav
        unmeasured: {latency: no dry channel}
        """, to: "app.yaml"))
    let subject = CheckedSubject(folder, named: "app.yaml")
    #expect(subject.isRecorded && !subject.takesWholeFiles)
    let gaps = CheckGap.all(
      of: subject, undefined: [(.latency, Undefined(.notObservable, "no dry channel"))],
      findings: [], failedCells: 0)
    #expect(gaps.first?.remedy.contains("docs/guides/tape.md") == true)
    #expect(!gaps.contains { $0.what.contains("latency is true") || $0.what == "live latency" })
  }
}
