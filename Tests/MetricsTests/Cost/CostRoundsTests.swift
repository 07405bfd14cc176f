import Foundation
import Testing

@testable import Metrics
@testable import Subjects

/// Records its input and returns it.
private final class Listening: LiveSound {
  var blocks: [[Float]] = []
  var resets = 0
  let latencySamples = 7
  func reset() { resets += 1 }
  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    blocks.append(input.indices.map { input[$0] })
    for i in input.indices { output[i] = input[i] }
  }
}

@Suite struct CostRoundsTests {
  private static let ramp = (0..<960).map { Float($0) }

  private func play(_ sound: any LiveSound, _ samples: [Float], size: Int) -> [Float] {
    var output = [Float](repeating: 0, count: samples.count)
    for start in stride(from: 0, to: samples.count, by: size) {
      var target = output.mutableSpan
      var part = target._mutatingExtracting(start..<start + size)
      sound.process(samples.span.extracting(start..<start + size), into: &part)
    }
    return output
  }

  /// A load of 25 % on 20 blocks is 5 blocks: of the sound's start at first, then from where the twin
  /// ended.
  @Test func aBusierSoundDoesAKnownShareMore() {
    let (source, twin) = (Listening(), Listening())
    let busier = LoadedSound(source, twin: twin, share: 0.25, mostSamples: 480)
    #expect(busier.latencySamples == 7)
    #expect(play(busier, Self.ramp, size: 48) == Self.ramp)
    #expect(source.blocks.count == 20 && twin.blocks.count == 5)
    #expect(twin.blocks.flatMap(\.self) == Array(Self.ramp[..<240]))
    busier.reset()
    #expect(source.resets == 1 && twin.resets == 0)
    _ = play(busier, Self.ramp, size: 48)
    // The twin repeats 480 samples.
    #expect(twin.blocks.flatMap(\.self) == Array(Self.ramp[..<480]))
    _ = play(busier, Self.ramp, size: 48)
    #expect(twin.blocks.suffix(5).flatMap(\.self) == Array(Self.ramp[..<240]))
  }

  @Test(arguments: [0.0, 0.1, 1, 2.5]) func anyShareIsKept(share: Double) {
    let (source, twin) = (Listening(), Listening())
    let busier = LoadedSound(source, twin: twin, share: share, mostSamples: 960)
    for _ in 0..<10 { _ = play(busier, Self.ramp, size: 48) }
    // 200 blocks; rounding of sums may delay one.
    #expect(abs(Double(twin.blocks.count) - 200 * share) <= 1)
  }

  @Test func aBusierSubjectSoundsTheSame() throws {
    let bench = try ProbeBench(ReferenceSubject())
    let phrase = try ProbeSounds.phrase(seconds: 0.2)
    let busier = LoadedSubject(ReferenceSubject(), share: 0.5)
    let rendering = try busier.render(phrase, score: bench.defaultScore, settings: [:])
    let plain = try ReferenceSubject().render(phrase, score: bench.defaultScore, settings: [:])
    #expect(rendering.mix == plain.mix)
    #expect(try #require(rendering.cpuSeconds) > 0)
  }

  /// Ten times the work takes ten times as long, within a factor of three for other work on the
  /// machine.
  @Test func timeGrowsWithTheWork() throws {
    let live = try LiveRounds(of: ProbeBench(ReferenceSubject()))
    try live.renew()
    for work in [live, CalibrationWorkload()] as [any CostRounds] {
      _ = try work.seconds(times: 1)
      let ratio = try work.seconds(times: 20) / work.seconds(times: 2)
      #expect(10.0 / 3 < ratio && ratio < 30, "\(ratio)")
    }
    let rendered = RenderedRounds(
      ReferenceSubject(),
      RenderRequest(
        signal: try ProbeSounds.phrase(seconds: 0.1),
        score: try ProbeBench(ReferenceSubject()).defaultScore, settings: [:], recording: "",
        condition: ""))
    #expect(try rendered.seconds(times: 1) > 0)
  }

  /// A workload with another sum needs another version. The spectra of its noise at half the rate are
  /// 24 times the sum of the noise with alternating signs, 275.5519; the filter ends at -0.1068. Both
  /// were computed by the same steps in another language. Single precision leaves seven digits of the
  /// largest partial sums.
  @Test func theWorkloadIsThatOfItsVersion() {
    let workload = CalibrationWorkload()
    _ = workload.seconds(times: 1)
    #expect(CalibrationWorkload.version == 1)
    #expect(abs(workload.sum - (275.5519 - 0.1068)) < 2e-3)
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
    #expect(throws: ProgramRounds.Failure.program("sh", .exited(64, errors: "no such verb")))
    {
      try program("echo no such verb >&2; exit 64").renew()
    }
    #expect(throws: ProgramRounds.Failure.self) { try program("echo hello").renew() }
    #expect(throws: ProgramRounds.Failure.program("sh", .hung(seconds: 1))) {
      try program("exec sleep 20", timeoutSeconds: 1).renew()
    }
    #expect(throws: ProgramRounds.Failure.self) {
      try program("echo choir-eval.cost-rounds/1; read n; echo much").seconds(times: 1)
    }
    // The program has ended before the next request, which must not end this process.
    #expect(throws: ProgramRounds.Failure.self) {
      let rounds = program("echo choir-eval.cost-rounds/1; read n; echo 1")
      for _ in 0..<3 { _ = try rounds.seconds(times: 1) }
    }
    #expect(
      throws: ProgramRounds.Failure.program(
        "/no/such/program", .notFound("/no/such/program"))
    ) {
      try ProgramRounds(running: ["/no/such/program"]).renew()
    }
  }
}
