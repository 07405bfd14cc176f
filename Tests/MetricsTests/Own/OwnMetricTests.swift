import Analyzer
import DSP
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Metrics
@testable import Platform
@testable import Subjects

@Suite struct OwnMetricTests {
  private let scratch = try! TemporaryFolder()

  /// Writes a metric whose program is a shell script.
  private func metric(_ script: String, _ arguments: String = "\"{output}\"", _ more: String = "")
    throws -> OwnMetric
  {
    try scratch.write(script, to: "judge.sh")
    return try OwnMetric(
      reading: scratch.write(Self.file(arguments: arguments) + more, to: "toy.yaml"))
  }

  private static func file(arguments: String) -> String {
    """
    id: toy
    title: What a script says
    unit: count
    direction: lower
    domain: any sound
    command: [sh, judge.sh, \(arguments)]

    """
  }

  /// An observation of a second of noise, which the subject returns later.
  private func observation(lateSeconds: Double = 0) -> Observation {
    let input = Signal.noise(seed: 3)
    let output = input.late(samples: Int(lateSeconds * 48_000))
    var annotations = Annotations()
    annotations.words = [
      LabelledSpan(onsetSeconds: 0.1, offsetSeconds: 0.4, label: "ten"),
      LabelledSpan(onsetSeconds: 0.5, offsetSeconds: 0.9, label: "men"),
    ]
    let entry = ManifestEntry(
      id: "noise", source: "test", licence: "CC0-1.0", voice: "male", kind: "spoken")
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 200, count: 200))
    return Observation(
      Recording(entry: entry, signal: input, digest: "", annotations: annotations),
      score: ResolvedScore(Score(id: "octave", intervalsSemitones: [12]), lead: lead),
      rendering: Rendering(mix: output, stems: [output]), delay: .given(ms: lateSeconds * 1000))
  }

  private func outcome(_ metric: OwnMetric, lateSeconds: Double = 0) -> MetricResult.Outcome {
    metric.metric.measure(observation(lateSeconds: lateSeconds))[0].outcome
  }

  // MARK: What a program says

  @Test(
    arguments: [
      ("echo 0.25", .value(0.25, count: 1)),
      ("echo noise; echo 0.25 12; echo", .value(0.25, count: 12)),
      ("echo -3e2", .value(-300, count: 1)),
    ] as [(String, MetricResult)])
  func theLastLineIsTheValue(script: String, expected: MetricResult) throws {
    var found = try metric(script).metric.measure(observation())[0]
    found.voice = nil
    #expect(found == expected)
  }

  @Test(
    arguments: [
      ("echo undefined: no speech", .undefinedByProgram, "no speech"),
      ("echo not applicable: too long", .excludedByProgram, "too long"),
      ("echo 3 men", .failed, "'3 men'"), ("echo nan", .failed, "'nan'"), ("true", .failed, "''"),
      ("echo 1; exit 3", .failed, "exit code 3"), ("echo 1 2 3", .failed, "'1 2 3'"),
    ] as [(String, Undefined.Code, String)])
  func otherAnswersAreReasons(script: String, code: Undefined.Code, words: String) throws {
    let reason = try #require(outcome(try metric(script)).reason)
    #expect(reason.code == code && reason.detail.contains(words), "\(reason.detail)")
  }

  /// A recording that leaves nothing to judge is no fault of a subject; a program that fails says nothing
  /// about one.
  @Test func reasonsDifferInWhatTheySayOfASubject() {
    #expect(Undefined(.excludedByProgram, "").doesNotApply)
    #expect(Undefined(.undefinedByProgram, "").isOfSound)
  }

  @Test func aProgramThatHangsIsEnded() throws {
    let hanging = try metric("sleep 60", "\"{output}\"", "timeoutSeconds: 0.2")
    let reason = try #require(outcome(hanging).reason)
    #expect(reason.code == .failed && reason.detail.contains("hung"))
  }

  // MARK: What a program gets

  /// Aligned sounds begin together: a delayed copy equals its input, as far as both last.
  @Test(arguments: [("", "1"), ("aligned: false", "0")])
  func outputAndReferenceBeginTogether(alignment: String, expected: String) throws {
    let same = try metric(
      "cmp -s \"$1\" \"$2\" && echo 1 || echo 0", "\"{output}\", \"{reference}\"",
      "reference: input\n" + alignment)
    #expect(outcome(same, lateSeconds: 0.1).number == Double(expected))
  }

  /// A header of 58 bytes (RIFF with a fact chunk) or 44, and samples of 4 or 2 bytes. The count of the
  /// samples follows from the rate.
  @Test(arguments: [("", 192_000), ("rateHz: 16000\ninputFormat: pcm16", 32_000)])
  func filesHaveTheWantedForm(keys: String, bytes: Int) throws {
    let size = try #require(outcome(try metric("wc -c < \"$1\"", "\"{output}\"", keys)).number)
    #expect((40...120).contains(Int(size) - bytes), "\(size)")
  }

  @Test func wordsAndTargetsAreTables() throws {
    let words = try metric("sed -n 3p \"$2\" | cut -d, -f1", "\"{output}\", \"{words}\"")
    #expect(outcome(words).number == 0.5)
    let lyrics = try metric("wc -w < \"$2\"", "\"{output}\", \"{lyrics}\"")
    #expect(outcome(lyrics).number == 2)
    // An octave above 200 Hz.
    let target = try metric("sed -n 100p \"$2\" | cut -d, -f3", "\"{output}\", \"{score}\"")
    #expect(outcome(target).number == 400)
    let phones = try metric("echo 1", "\"{output}\", \"{phones}\"")
    #expect(outcome(phones).reason?.code == .noPhones)
  }

  @Test func onlyTheSingerHasAnOracle() throws {
    let beside = try metric("echo 1", "\"{output}\", \"{reference}\"", "reference: oracle")
    #expect(outcome(beside).reason?.code == .noOracle)
  }

  // MARK: Versions

  @Test func anotherProgramIsAnotherVersion() throws {
    let first = try metric("echo 1")
    let changed = try metric("echo 2")
    let slower = try metric("echo 1", "\"{output}\"", "timeoutSeconds: 9")
    let renamed = try metric("echo 1", "\"{output}\"", "install: make")
    #expect(try first.content == metric("echo 1").content && first.content == renamed.content)
    #expect(first.version != changed.version && first.content != slower.content)
    func fingerprint(_ metric: OwnMetric) -> String {
      var choice = MetricChoice(["pitch"])
      choice.own = [metric]
      return choice.fingerprint
    }
    #expect(fingerprint(first) != fingerprint(changed))
    #expect(fingerprint(first) != MetricChoice(["pitch"]).fingerprint)
  }

  @Test func whatTheValueDependsOnIsPartOfTheVersion() throws {
    try scratch.write("one", to: "model.txt")
    let first = try metric("echo 1", "\"{output}\"", "dependsOn: [model.txt]")
    try scratch.write("other", to: "model.txt")
    #expect(try metric("echo 1", "\"{output}\"", "dependsOn: [model.txt]").content != first.content)
    #expect(throws: Refusal.self) {
      try metric("echo 1", "\"{output}\"", "dependsOn: [absent.txt]")
    }
  }

  /// A description runs no command that is not in its file.
  @Test func onlyTheFileSaysWhatRuns() throws {
    var forged = try metric("echo 1")
    #expect(outcome(forged).number == 1)
    forged.command = ["sh", "-c", "echo 2", "{output}"]
    #expect(outcome(forged).number == 1)
    // The same holds for a program that was changed since.
    let read = try metric("echo 1")
    try scratch.write("echo 3", to: "judge.sh")
    #expect(outcome(read).number == nil)
  }

  // MARK: Files

  @Test(arguments: [
    ("id: toy", "id: pitch.bias", "is that of a metric"), ("id: toy", "id: own", "is that of"),
    ("id: toy", "id: a b", "must be letters"), ("direction: lower", "direction: higher", "'ideal'"),
    ("{output}", "{input}", "{input} is no place"), ("\"{output}\"", "x", "no {output}"),
    ("\"{output}\"", "\"{output}\", \"{reference}\"", "'reference' is missing"),
    ("unit: count", "unit: count\nreference: clean", "no {reference}"),
    ("unit: count", "unit: count\nrateHz: 10", "rateHz is 10"),
    ("unit: count", "unit: count\nreference: dry", "none of oracle, input, clean"),
    ("unit: count", "unit: count\nspeed: 3", "has no 'speed'"), ("unit: count", "", "lacks 'unit'"),
  ])
  func mistakesAreNamed(text: String, other: String, words: String) throws {
    let file = try scratch.write(
      Self.file(arguments: "\"{output}\"").replacing(text, with: other), to: "toy.yaml")
    let error = #expect(throws: Refusal.self) { try OwnMetric(reading: file) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func anAbsentProgramIsNamedWithTheWayToInstallIt() throws {
    let file = try scratch.write(
      Self.file(arguments: "\"{output}\"").replacing("[sh,", with: "[absent-judge,")
        + "install: make judge", to: "toy.yaml")
    let metric = try OwnMetric(reading: file)
    let error = #expect(throws: Refusal.self) { try metric.requireInstalled() }
    #expect(error?.description.contains("install it: make judge") == true)
  }
}
