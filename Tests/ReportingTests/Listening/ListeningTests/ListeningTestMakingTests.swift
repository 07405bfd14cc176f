import Analyzer
import AudioFile
import Corpus
import DSP
import EvaluationSupport
import Foundation
import Metrics
import Platform
import Sweep
import TestSupport
import Testing

@testable import Reporting

/// A test of a small run, from plan to page.
@Suite struct ListeningTestMakingTests {
  private let scratch: TemporaryFolder
  private let corpus: Corpus
  private let store: ResultStore
  private let run: StoredRun

  /// Two settings on a synthetic vowel, whose ideal choir is kept.
  init() async throws {
    scratch = try await SharedFolder.copy("listening test") { folder in
      try folder.write(
        """
        id,file,source,sha256,licence,attribution,voice,kind,shows
        vowel,,synthetic:vowel-a-bass,,CC0-1.0,nobody,bass,sung,one vowel
        """, to: "Corpus/manifest.csv")
      let text = """
        name: small
        title: A <b>title</b> that ends </script> a script
        subject: reference
        recordings: [vowel]
        metrics: [level.change, clicks.count]
        scores:
          - id: third
            intervalsSemitones: [4]
        settings:
          engine: [delayline, psola]
        listen: [vowel]
        """
      let plan = try Plan(reading: folder.write(text, to: "plan.yaml"))
      let store = try ResultStore(folder.file("results.sqlite"))
      _ = try await Sweep(plan, corpus: Corpus(folder: folder.file("Corpus")), store: store)
        .run(jobs: 2)
    }
    corpus = try Corpus(folder: scratch.file("Corpus"))
    store = try ResultStore(scratch.file("results.sqlite"))
    run = try store.run()
  }

  private func design(_ method: ListeningTest.Method, only: [String] = []) -> ListeningTestDesign {
    ListeningTestDesign(method: method, settings: only, seed: 4, maxTrials: 60)
  }

  @Test func aTestHasASoundForEachStimulusAndHidesWhichIsWhich() async throws {
    let plan = try design(.mushra).plan(of: run, in: store, corpus: corpus)
    #expect(
      plan.test.stimuli.map(\.role.rawValue).sorted() == [
        "anchor", "reference", "system", "system",
      ])
    #expect(plan.test.trials.map(\.stimuli.count) == [4])
    #expect(plan.test.systems.map(\.label).sorted() == ["engine=delayline", "engine=psola"])
    let place = scratch.file("test")
    try ListeningTestWriter().write(plan, to: place)
    let key = try ListeningTest(reading: place.appendingPathComponent(ListeningTest.keyFile))
    #expect(key == plan.test)
    let page = place.appendingPathComponent(ListeningTest.pageFolder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: page.path)
    #expect(
      names.filter { $0.hasPrefix("sounds/s") }.count == 4 && names.contains("sounds/r1.html"))
    // Nothing in the page names a setting, and the title can't break out of the script.
    for name in names where name.hasSuffix(".html") || name.hasSuffix(".js") {
      let text = try String(contentsOf: page.appendingPathComponent(name), encoding: .utf8)
      #expect(!text.contains("psola") && !text.contains("delayline") && !text.contains("anchor"))
    }
    let text = try String(contentsOf: page.appendingPathComponent("index.html"), encoding: .utf8)
    #expect(text.contains(#"\u003c/script>"#) && !text.contains("<b>title"))
    #expect(text.components(separatedBy: "</script>").count == 4)
    // The same run and seed make the same test, another seed another one.
    #expect(try design(.mushra).plan(of: run, in: store, corpus: corpus).test == plan.test)
    var other = design(.mushra)
    other.seed = 5
    #expect(try other.plan(of: run, in: store, corpus: corpus).test.id != plan.test.id)
    #expect(
      ListeningTestWriter.isReplaceable(place) && !ListeningTestWriter.isReplaceable(scratch.url))
  }

  /// The sounds as a listener gets them: one loudness, and an anchor without treble.
  @Test func soundsAreEquallyLoudAndTheAnchorIsDull() async throws {
    let plan = try design(.mushra).plan(of: run, in: store, corpus: corpus)
    let place = scratch.file("test")
    try ListeningTestWriter().write(plan, to: place)
    func sound(_ name: String) throws -> Signal {
      let page = place.appendingPathComponent("page/sounds/\(name).html")
      let text = try String(contentsOf: page, encoding: .utf8)
      let base64 = try #require(text.firstMatch(of: /base64,([^"]+)"/)).1
      let file = scratch.file("\(name).flac")
      try #require(Data(base64Encoded: String(base64))).write(to: file)
      return try AudioFile(reading: file.path).mono
    }
    let heard = try Dictionary(
      uniqueKeysWithValues: plan.test.stimuli.map { ($0.id, try sound($0.id)) })
    let loudness = try (Array(heard.values) + [sound("r1")]).map {
      try #require(Level(of: $0).integratedLufs)
    }
    #expect(loudness.max()! - loudness.min()! < 0.1 && loudness.max()! < -17.9)
    /// Share of the energy above 4 kHz.
    func treble(_ role: ListeningTest.Stimulus.Role) throws -> Double {
      let id = try #require(plan.test.stimuli.first { $0.role == role }).id
      func power(_ signal: Signal) -> Double {
        signal.samples.reduce(0) { $0 + Double($1) * Double($1) } / signal.sampleRateHz
      }
      return 1 - power(heard[id]!.resampled(to: 8000)) / power(heard[id]!)
    }
    #expect(try treble(.anchor) < 1e-4 && treble(.reference) > 10 * treble(.anchor))
  }

  @Test func pairsAreRepeatedAndSettingsNamed() async throws {
    let test = try design(.pairs).plan(of: run, in: store, corpus: corpus).test
    #expect(test.trials.count == 2 && test.trials[1].repeats == test.trials[0].id)
    #expect(test.stimuli.allSatisfy { $0.role == .system && $0.cell != nil })
    expectRefusal("'small' has the sound of one setting on any clip") {
      try design(.pairs, only: ["psola"]).plan(of: run, in: store, corpus: corpus)
    }
    expectRefusal(
      "no setting of the run is 'vocoder'; choose among: engine=delayline; engine=psola"
    ) {
      try design(.pairs, only: ["vocoder"]).plan(of: run, in: store, corpus: corpus)
    }
  }

  @Test func strangeAnswersAreNamed() async throws {
    let test = try design(.rating).plan(of: run, in: store, corpus: corpus).test
    let (trial, sounds) = (test.trials[0].id, test.trials[0].stimuli)
    func read(_ text: String) throws -> ListeningAnswers {
      let file = scratch.file("answers.json")
      try text.write(to: file, atomically: true, encoding: .utf8)
      return try ListeningAnswers(reading: file, of: test)
    }
    func answers(_ test: String, _ trial: String, _ score: String) -> String {
      """
      {"schema": "choir-eval.listening-answers/1", "test": "\(test)", "listener": "a", "answers": [
        {"trial": "\(trial)", "seconds": 9, "scores": {"\(sounds[0])": \(score), "\(sounds[1])": 50}}]}
      """
    }
    #expect(try read(answers(test.id, trial, "70")).answers[0].scores?[sounds[0]] == 70)
    for (text, words) in [
      (answers("x", trial, "70"), "holds answers to another test"),
      (answers(test.id, "t99", "70"), "the test has no trial 't99'"),
      (answers(test.id, trial, "170"), "a score outside of 0 to 100"),
      (
        answers(test.id, trial, "70").replacing("\"seconds\": 9", with: "\"seconds\": -9"),
        "took -9.0 seconds"
      ),
      ("{}", "it has no 'schema'"), ("not JSON", "it is not whole"),
    ] {
      expectRefusal(words) { try read(text) }
    }
  }

  /// A metric that orders three systems as the listeners do agrees fully; one that turns them, not.
  @Test func metricsAgreeOrNot() async throws {
    var test = try design(.rating).plan(of: run, in: store, corpus: corpus).test
    test.systems.append(test.systems[0])
    let keys = ["a", "b", "c"]
    test.stimuli = keys.enumerated().map { index, key in
      .init(id: key, clip: 0, role: .system, system: index, cell: key)
    }
    test.trials = [.init(id: "t", clip: 0, stimuli: keys)]
    var doctored = run
    doctored.cells = keys.enumerated().map { index, key in
      var cell = run.cells[0]
      cell.key = key
      cell.outcome = .measured(
        Measurements([
          "clicks.count": [.value(Double(index), count: 1)],
          "pitch.abs_error": [.value(Double(9 - index), count: 1)],
        ]))
      return cell
    }
    let answers = ["x", "y"].map { name in
      (
        name,
        ListeningAnswers(
          test: test.id, listener: name,
          answers: [
            .init(trial: "t", scores: ["a": 90, "b": 60, "c": 10], preferred: nil, seconds: 9)
          ])
      )
    }
    let pooled = try PooledAnswers(answers.map { (file: $0.0, $0.1) }, to: test)
    let agreement = MetricAgreement.all(of: pooled, to: test, in: doctored)
    #expect(agreement.map(\.metric) == ["clicks.count", "pitch.abs_error"])
    #expect(agreement.map(\.agreement) == [1, -1])
  }
}
