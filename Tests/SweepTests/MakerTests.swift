import DSP
import EvaluationSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AudioFile
@testable import Corpus
@testable import Metrics
@testable import Platform
@testable import Subjects
@testable import Sweep

/// A stored thing whose maker changed is never used.
@Suite struct MakerTests {
  private let scratch = try! TemporaryFolder()

  private static func build(_ sources: String) -> Toolkit {
    Toolkit(version: "1", commit: "c", sources: sources)
  }

  // MARK: Cells

  /// All that determines a cell's measurements.
  enum Maker: String, CaseIterable {
    case toolkit, name, kind, recording, condition, score, settings, subject, version, content,
      metrics
  }

  /// A subject whose version and content are chosen.
  private struct Stated: Subject {
    var id = "stated"
    var version = "1"
    var files = ""
    func validate(_ settings: SubjectSettings, for score: Score) {}
    func content(of settings: SubjectSettings) -> String { files }
    func render(
      _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
    ) -> Rendering { Rendering(mix: signal, stems: []) }
  }

  @Test(arguments: Maker.allCases)
  func anotherMakerMakesAnotherCell(changed: Maker) async throws {
    let entry = ManifestEntry(id: "r", kind: "")
    func key(_ changes: Maker?) async -> String {
      var subject = Stated()
      if changes == .subject { subject.id = "other" }
      if changes == .version { subject.version = "2" }
      if changes == .content { subject.files = "another file" }
      var named = entry
      // A folder of renderings is searched by name.
      if changes == .name { named.id = "another" }
      if changes == .kind { named.kind = "spoken" }
      let (tested, recording) = (subject, named)
      return await Self.build(changes == .toolkit ? "changed" : "same").run {
        Cell(
          recording, recordingDigest: changes == .recording ? "another" : "one",
          condition: HeardCondition(
            condition: .clean, address: changes == .condition ? "noise 2" : "noise 1"),
          score: Score(id: "s", intervalsSemitones: [changes == .score ? 5 : 4]),
          settings: changes == .settings ? ["windowMs": .number(20)] : ["windowMs": .number(10)],
          subject: tested,
          metrics: changes == .metrics ? MetricChoice(["pitch"]) : .everything
        ).key
      }
    }
    let unchanged = await key(nil)
    #expect(await key(nil) == unchanged)
    #expect(await key(changed) != unchanged)
  }

  /// The cells of every kind of subject are judged in this process.
  @Test(arguments: ["reference", "psola", "autotuner", "preset:vader", "program", "folder"])
  func cellsOfAnotherBuildAreMeasuredAgain(subject: String) async throws {
    let corpus = try scratch.corpus()
    try scratch.write(
      "id: program\nkind: command\ncommand: [cp, \"{input}\", \"{output}\"]\n",
      to: "Corpus/subjects/program.yaml")
    try scratch.write(
      "id: folder\nkind: folder\nfiles: \"{recording}.wav\"\n", to: "Corpus/subjects/folder.yaml")
    try FileManager.default.copyItem(
      at: scratch.file("Corpus/audio/buzz.wav"), to: scratch.file("Corpus/subjects/buzz.wav"))
    let known = try Subjects.subject(id: subject, in: corpus.subjectsFolder)
    let keys = await ["one", "two"].asyncMap { sources in
      await Self.build(sources).run {
        Cell(
          corpus.entries[0], recordingDigest: "r",
          score: Score(id: "s", intervalsSemitones: [4]), settings: [:], subject: known
        ).key
      }
    }
    #expect(keys[0] != keys[1])
  }

  // MARK: Stores

  private func sweep(
    _ corpus: Corpus, _ plan: String = buzzPlan, testing: [any Subject]? = nil
  ) throws -> (Sweep, ResultStore) {
    let store = try ResultStore(scratch.file("results.sqlite"))
    return (try Sweep(Plan.decoded(plan), corpus: corpus, store: store, testing: testing), store)
  }

  @Test func aRunOfAnotherBuildIsMeasuredAgainAndSaysSo() async throws {
    let corpus = try scratch.corpus()
    func run(_ sources: String) async throws -> (Sweep.Outcome, [ProvenanceSummary.Share]) {
      try await Self.build(sources).run {
        let said = Mutex<[ProvenanceSummary.Share]>([])
        let outcome = try await sweep(corpus).0.run(jobs: 1) { event in
          if case .rebuilt(let programs) = event { said.withLock { $0 = programs } }
        }
        return (outcome, said.withLock { $0 })
      }
    }
    let first = try await run("one")
    #expect(first.0.computed == 4 && first.1.isEmpty)
    let again = try await run("one")
    #expect(again.0.computed == 0 && again.1.isEmpty)
    let rebuilt = try await run("two")
    #expect(rebuilt.0.computed == 4)
    #expect(rebuilt.1 == [.init(value: Self.build("one").program, cells: 4)])
    let store = try ResultStore(reading: scratch.file("results.sqlite"))
    #expect(try store.run().cells.allSatisfy { $0.provenance?.toolkit == Self.build("two") })
    // What the first build measured is still there for it.
    #expect(try await run("one").0.computed == 0)
  }

  /// A perturbed take and the run itself differ in their cells.
  @Test func aReplacedSubjectHasCellsOfItsOwn() throws {
    var (sweep, _) = try sweep(scratch.corpus())
    let before = sweep.cells.map(\.key)
    sweep.share = [sweep.cells[1]]
    try sweep.replaceSubjects { try #require(PerturbedSubject($0, Perturbation(1))) }
    #expect(Set(before).isDisjoint(with: sweep.cells.map(\.key)) && sweep.cells.count == 4)
    #expect(sweep.share == [sweep.cells[1]])
  }

  /// The input and the oracle of a recording that was replaced are not those of before.
  @Test(arguments: ["buzz", "sung"])
  func keptSoundsAreThoseOfTheirRecording(recording: String) async throws {
    let plan =
      smallPlan.replacing("[buzz, probe]", with: "[\(recording)]") + "\nlisten: [\(recording)]"
    func kept(_ corpus: Corpus) async throws -> (input: Signal, oracle: Signal?) {
      let (sweep, store) = try sweep(corpus, plan)
      _ = try await sweep.run(jobs: 1)
      let cell = try store.run().cells[0]
      func signal(_ url: URL?) throws -> Signal? {
        try url.map { try AudioFile(reading: $0.path).mono }
      }
      return (
        try #require(try signal(store.inputFile(of: cell))), try signal(store.oracleFile(of: cell))
      )
    }
    let sung = "sung,,synthetic:vowel-a-bass,,CC0-1.0,nobody,bass,sung,a vowel\n"
    let first = try await kept(scratch.corpus(extraRows: sung))
    #expect((first.oracle != nil) == (recording == "sung"))
    // The same names for another sound.
    if recording == "buzz" {
      try Signal(first.input.samples.map { -$0 / 2 }, sampleRateHz: 48_000)
        .write(to: scratch.file("Corpus/audio/buzz.wav").path)
    }
    let manifest = try String(contentsOf: scratch.file("Corpus/manifest.csv"), encoding: .utf8)
    let digest = try Digest.sha256(ofFile: scratch.file("Corpus/audio/buzz.wav"))
    try scratch.write(
      manifest.replacing(/buzz.wav,test,\w+/, with: "buzz.wav,test,\(digest)")
        .replacing("vowel-a-bass", with: "stops-tenor"),
      to: "Corpus/manifest.csv")
    let second = try await kept(Corpus(folder: scratch.file("Corpus")))
    #expect(second.input != first.input)
    #expect(second.oracle != first.oracle || recording == "buzz")
  }

  /// The facts by which tiers are chosen are measured by the tracker of a build.
  @Test func factsAreThoseOfTheBuild() async throws {
    let corpus = try scratch.corpus()
    func pitchHz(_ sources: String) async throws -> Double? {
      try await Self.build(sources).run {
        var cache = RecordingFactsCache(beside: corpus)
        let facts = try cache.facts(of: corpus.entry(id: "buzz"), in: corpus)
        cache.save()
        return facts.medianF0Hz
      }
    }
    let file = scratch.file("Corpus/audio/.facts.json")
    #expect(abs(try #require(await pitchHz("one")) - 150) < 1)
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing(/"medianF0Hz":[0-9.]+/, with: #""medianF0Hz":99"#)
      .write(to: file, atomically: true, encoding: .utf8)
    #expect(try await pitchHz("one") == 99)
    #expect(abs(try #require(await pitchHz("two")) - 150) < 1)
  }

  // MARK: Failures

  /// Fails at its first rendering of each setting of 20 ms.
  private final class Moody: Subject {
    let id = "moody"
    let version = "1"
    private let calls = Mutex(0)

    func validate(_ settings: SubjectSettings, for score: Score) {}
    func render(
      _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
    ) throws -> Rendering {
      guard settings["windowMs"]?.number == 20,
        calls.withLock({
          $0 += 1
          return $0 == 1
        })
      else {
        return Rendering(mix: signal, stems: [signal])
      }
      throw Refusal(id, "returned nan")
    }
  }

  @Test func aFailureIsNotForgottenWhenTheNextAttemptSucceeds() async throws {
    let corpus = try scratch.corpus()
    let moody = Moody()
    let plan = buzzPlan.replacing("subject: reference", with: "subject: moody")
    func failures(anew: Bool = false) async throws -> [String] {
      var (sweep, _) = try sweep(corpus, plan, testing: [moody])
      sweep.measuresAnew = anew
      return try await sweep.run(jobs: 1).failed
    }
    #expect(try await failures().count == 1)
    for _ in 1...2 {
      let failed = try await failures()
      #expect(
        failed.count == 1 && failed[0].hasSuffix("failed before, then not: moody: returned nan"))
    }
    // A merge keeps it, on whichever side it was.
    let (_, store) = try sweep(corpus, plan, testing: [Moody()])
    let other = try ResultStore(scratch.file("other.sqlite"))
    _ = try await Sweep(Plan.decoded(plan), corpus: corpus, store: other, testing: [moody])
      .run(jobs: 1)
    #expect(try other.earlierFailures().isEmpty)
    _ = try other.merge(store.url)
    #expect(try other.earlierFailures().count == 1)
    #expect(try await failures(anew: true).isEmpty)
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ make: (Element) async throws -> Value) async rethrows
    -> [Value]
  {
    var values: [Value] = []
    for element in self { values.append(try await make(element)) }
    return values
  }
}
