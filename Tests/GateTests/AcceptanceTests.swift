import Platform
import Testing

@testable import Gate

@Suite struct AcceptanceTests {
  private static func accept(
    _ run: MeasuredRun, over old: Baseline?, all: Bool = false, reason: String = "agreed"
  ) throws -> Acceptance {
    try Acceptance(of: run, over: old, gate: GateSamples.gate, all: all, reason: reason)
  }

  /// One voice is 3 cents worse and the latency 4 ms lower; only the former is a regression.
  private static let run = GateSamples.run { _, metric, voice in
    metric == "latency.onset" ? -4 : voice == "+7" ? 3 : 0
  }

  @Test func onlyRegressionsAreAccepted() throws {
    let old = try GateSamples.baseline()
    let accepted = try Self.accept(Self.run, over: old)
    #expect(accepted.changes.map(\.key.figure) == [.init("pitch.abs_error", voice: "+7")])
    #expect(abs(accepted.changes[0].before! - 5.25) < 1e-9)
    #expect(abs(accepted.changes[0].after! - 8.25) < 1e-9)
    let reasons = accepted.baseline.rows.mapValues(\.reason)
    #expect(reasons.values.count { $0 == "agreed" } == 1)
    #expect(reasons.values.count { $0 == "first" } == 2)
    #expect(accepted.improvements.map(\.figure) == [.init("latency.onset")])
    #expect(accepted.remark?.hasPrefix("1 figure got better, but") == true)
    // The accepted regression passes, and the improvement is still one.
    let result = try GateSamples.result(of: Self.run, baseline: accepted.baseline)
    #expect(result.findings.map(\.kind) == [.improvement])
  }

  @Test func allAcceptsEverything() throws {
    let accepted = try Self.accept(Self.run, over: GateSamples.baseline(), all: true)
    #expect(accepted.changes.count == 2 && accepted.remark == nil)
    #expect(try GateSamples.result(of: Self.run, baseline: accepted.baseline).findings.isEmpty)
  }

  /// A figure that moves little and scatters less is no improvement, but its old noise hides more.
  @Test(arguments: [(3.0, 0.01, ["latency.onset"]), (0.01, 0.01, []), (3, 3, [])])
  func noiseThatHidesLessIsNamed(was: Double, now: Double, steadier: [String]) throws {
    func takes(_ spread: Double) -> [MeasuredRun] {
      [1.0, -1, 0.5, -0.5].map { take in
        GateSamples.run { recording, metric, _ in
          metric == "latency.onset" ? take * spread * (recording % 2 == 0 ? 1 : -1) : 0
        }
      }
    }
    let moved = GateSamples.run { _, metric, _ in metric == "latency.onset" ? -0.01 : 0 }
    let accepted = try Acceptance(
      of: moved, takes: takes(now), over: GateSamples.baseline(), gate: GateSamples.gate,
      oldNoise: GateSamples.noise(takes(was)), noise: GateSamples.noise(takes(now)), all: false,
      reason: "agreed")
    #expect(accepted.isEmpty && accepted.improvements.isEmpty)
    #expect(accepted.steadier.map(\.figure.metric) == steadier)
    #expect((accepted.remark == nil) == steadier.isEmpty)
  }

  @Test func withoutRegressionsNothingChanges() throws {
    let accepted = try Self.accept(GateSamples.run(), over: GateSamples.baseline())
    #expect(accepted.isEmpty && accepted.changes.isEmpty)
  }

  @Test func newRecordingsAndLostValuesAreAccepted() throws {
    let old = try GateSamples.baseline(GateSamples.run(recordings: 5))
    let more = try Self.accept(GateSamples.run(), over: old)
    #expect(more.baseline.cells.count == 6 && !more.isEmpty)
    #expect(try GateSamples.result(of: GateSamples.run(), baseline: more.baseline).findings.isEmpty)

    let silent = GateSamples.run { _, _, voice in voice == "+4" ? nil : 0 }
    let lost = try Self.accept(silent, over: GateSamples.baseline())
    #expect(lost.changes.count == 1 && lost.changes[0].after == nil)
    #expect(try GateSamples.result(of: silent, baseline: lost.baseline).findings.isEmpty)
  }

  @Test func anotherMetricVersionIsAccepted() throws {
    var old = try GateSamples.baseline()
    for key in old.rows.keys { old.rows[key]?.version -= 1 }
    let accepted = try Self.accept(GateSamples.run(), over: old)
    #expect(accepted.baseline.outdatedMetrics.isEmpty && accepted.changes.count == 3)
  }

  @Test func anotherRecordingWithTheSameIDIsAccepted() throws {
    let run = GateSamples.run(digest: "other")
    let accepted = try Self.accept(run, over: GateSamples.baseline())
    #expect(!accepted.isEmpty && accepted.baseline.provenance.recordings["r0"] == "other")
    #expect(try GateSamples.result(of: run, baseline: accepted.baseline).findings.isEmpty)
  }

  @Test func otherJudgesMakeEveryFigureNew() throws {
    var old = try GateSamples.baseline()
    old.provenance.judges = "set otherwise"
    let result = try GateSamples.result(of: GateSamples.run(), baseline: old)
    #expect(result.outcome() == .notMeasured)
    #expect(result.findings.map(\.subject) == ["judges"])
    // Figures that such judges move are no regression.
    let worse = GateSamples.run { _, metric, _ in metric == "pitch.abs_error" ? 30 : 0 }
    let moved = try GateSamples.result(of: worse, baseline: old)
    #expect(moved.outcome() == .notMeasured && moved.comparison == nil)
    // An improvement too, although nothing else asks for it.
    let accepted = try Self.accept(Self.run, over: old)
    #expect(accepted.changes.count == 2 && !accepted.isEmpty)
    #expect(try GateSamples.result(of: Self.run, baseline: accepted.baseline).findings.isEmpty)
  }

  @Test func failedCellsAreRefused() throws {
    let run = GateSamples.failing(GateSamples.run(), at: 1, "crashed (SIGSEGV)")
    #expect(throws: Refusal.self) { try Self.accept(run, over: nil) }
  }

  @Test func aSubjectWhoseRunsDifferIsRandom() throws {
    let run = GateSamples.run()
    #expect(try Acceptance.differingFigures(run, run, gate: GateSamples.gate) == 0)
    // A thousandth of a cent, up on one recording and down on another, of both voices.
    let other = GateSamples.run { recording, metric, _ in
      guard metric == "pitch.abs_error" else { return 0 }
      return recording == 3 ? 0.001 : recording == 4 ? -0.001 : 0
    }
    #expect(try Acceptance.differingFigures(run, other, gate: GateSamples.gate) == 2)
    // A cell in one run only is no randomness.
    #expect(throws: Refusal.self) {
      try Acceptance.differingFigures(run, GateSamples.run(recordings: 5), gate: GateSamples.gate)
    }
  }

  @Test func acceptedFiguresBringTheirNoise() throws {
    func noise(_ size: Double) -> GateNoise {
      GateSamples.noise(
        (1...4).map { number in GateSamples.run { _, _, _ in size * Double(number) } })
    }
    let (was, now) = (noise(0.001), noise(0.002))
    let accepted = try Acceptance(
      of: Self.run, takes: Array(repeating: Self.run, count: 4), over: GateSamples.baseline(),
      gate: GateSamples.gate, oldNoise: was, noise: now, all: false, reason: "agreed")
    let kept = try #require(accepted.noise?.cells[Self.run.cells[0].address])
    let (new, old) = (FigureID("pitch.abs_error", voice: "+7"), FigureID("latency.onset"))
    #expect(kept[new] == now.cells[Self.run.cells[0].address]?[new])
    #expect(kept[old] == was.cells[Self.run.cells[0].address]?[old])
  }
}
