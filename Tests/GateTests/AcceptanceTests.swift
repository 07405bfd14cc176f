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
    // The accepted regression passes, and the improvement is still one.
    let result = try GateSamples.result(of: Self.run, baseline: accepted.baseline)
    #expect(result.findings.map(\.kind) == [.improvement])
  }

  @Test func allAcceptsEverything() throws {
    let accepted = try Self.accept(Self.run, over: GateSamples.baseline(), all: true)
    #expect(accepted.changes.count == 2)
    #expect(try GateSamples.result(of: Self.run, baseline: accepted.baseline).findings.isEmpty)
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

  @Test func failedCellsAreRefused() throws {
    let run = GateSamples.failing(GateSamples.run(), at: 1, "crashed (SIGSEGV)")
    #expect(throws: GateError.self) { try Self.accept(run, over: nil) }
  }

  @Test func unstableRunsAreRefused() throws {
    let run = GateSamples.run()
    try Acceptance.refuseUnstable(run, run, gate: GateSamples.gate)
    // A thousandth of a cent on one recording is too much if runs must be identical …
    let other = GateSamples.run { recording, metric, _ in
      recording == 3 && metric == "pitch.abs_error" ? 0.001 : 0
    }
    #expect(throws: GateError.self) {
      try Acceptance.refuseUnstable(run, other, gate: GateSamples.gate)
    }
    // … but not if calibration shows that equal runs differ by more.
    let noise = GateNoise(byMetric: ["pitch.abs_error": 0.01], header: [])
    try Acceptance.refuseUnstable(run, other, gate: GateSamples.gate, noise: noise)
  }
}
