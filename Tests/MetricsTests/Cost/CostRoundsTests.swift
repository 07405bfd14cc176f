import EvaluationSupport
import Foundation
import Platform
import Testing

@testable import Metrics
@testable import Subjects

@Suite struct CostRoundsTests {
  /// Ten times the work takes ten times as long, within a factor of three for other work on the
  /// machine.
  @Test func timeGrowsWithTheWork() throws {
    let live = try LiveRounds(of: ProbeBench(ReferenceSubject()))
    try live.renew()
    _ = live.seconds(times: 1)
    let ratio = live.seconds(times: 20) / live.seconds(times: 2)
    #expect(10.0 / 3 < ratio && ratio < 30, "\(ratio)")
    let rendered = RenderedRounds(
      ReferenceSubject(),
      RenderRequest(
        signal: try ProbeSounds.phrase(seconds: 0.1),
        score: try ProbeBench(ReferenceSubject()).defaultScore, settings: [:], recording: "",
        condition: ""))
    #expect(try rendered.seconds(times: 1) > 0)
  }

  // MARK: Other programs

  private func program(_ script: String, timeoutSeconds: Int = 20) -> ProgramRounds {
    ProgramRounds(running: ["sh", "-c", script], timeoutSeconds: timeoutSeconds)
  }

  private static let doubling =
    "echo choir-eval.cost-rounds/1; while read n; do echo $((n * 2)); done"

  @Test func aProgramAnswers() throws {
    let rounds = program(Self.doubling)
    #expect(try rounds.seconds(times: 3) == 6)
    try rounds.renew()
    #expect(try [1, 40].map { try rounds.seconds(times: $0) } == [2, 80])
  }

  @Test func aProgramThatDoesNotAnswerIsNamed() {
    expectRefusal("'sh' did not answer: \(ChildProcess.Failure.exited(64, errors: "no such verb"))")
    {
      try program("echo no such verb >&2; exit 64").renew()
    }
    #expect(throws: Refusal.self) { try program("echo hello").renew() }
    expectRefusal("'sh' did not answer: \(ChildProcess.Failure.hung(seconds: 1))") {
      try program("exec sleep 20", timeoutSeconds: 1).renew()
    }
    #expect(throws: Refusal.self) {
      try program("echo choir-eval.cost-rounds/1; read n; echo much").seconds(times: 1)
    }
    // The program has ended before the next request, which must not end this process.
    #expect(throws: Refusal.self) {
      let rounds = program("echo choir-eval.cost-rounds/1; read n; echo 1")
      for _ in 0..<3 { _ = try rounds.seconds(times: 1) }
    }
    expectRefusal("'/no/such/program' did not answer") {
      try ProgramRounds(running: ["/no/such/program"]).renew()
    }
  }
}
