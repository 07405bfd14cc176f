import Analyzer
import Corpus
import EvaluationSupport
import Foundation
import Testing

@testable import Metrics
@testable import Subjects

/// Broken plugins: each fault has its name, and none ends this process.
@Suite(.enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"))
struct PluginFaultTests {
  private let toy = ToyPlugin()

  @Test(arguments: [
    ("CRASHES", "crashed: segmentation fault"), ("EXITS", "left: "), ("REFUSES", "not started: "),
    ("HANGS", "hung: still running after 0.3 s"), ("NAN", "no number: returned nan at sample 896"),
    ("INFINITE", "no number: returned inf at sample 896"), ("SILENT", "silent: "),
    ("ABORTS_AT_START", "crashed: aborted"), ("DIVIDES", "crashed: arithmetic fault"),
    ("EATS_MEMORY", "crashed: segmentation fault"),
    ("CRASHES_AT_LOAD", "crashed: segmentation fault"),
    ("OUT_OF_BOUNDS", "out of bounds: wrote at sample 128 of port 'output'"),
    ("BEFORE_BOUNDS", "out of bounds: wrote at sample -1 of port 'output'"),
    ("BESIDE_A_CONTROL", "out of bounds: wrote at sample 1 of port 'semitones'"),
  ])
  func aFaultHasItsName(fault: String, words: String) throws {
    let subject = try toy.ladspa(fault, fault == "HANGS" ? "timeoutSeconds: 0.3" : "")
    expectError(words) {
      try subject.render(ToyPlugin.noise, score: ToyPlugin.score([0]), settings: [:])
    }
  }

  /// Printing is no sound, a process left behind ends with the host, and NaN is no latency.
  @Test(arguments: ["PRINTS", "FORKS", "LATENCY_NAN"])
  func aHarmlessFaultChangesNothing(fault: String) throws {
    let rendering = try toy.ladspa(fault).render(
      ToyPlugin.noise, score: ToyPlugin.score([0]), settings: [:])
    #expect(rendering.mix.samples == ToyPlugin.delayed(by: 64))
    #expect(rendering.reportedLatencyMs == (fault == "LATENCY_NAN" ? nil : 64.0 / 48))
  }

  /// The same faults in a live sound: it is silent from then on.
  @Test(arguments: [
    ("CRASHES", "while it plays: crashed"), ("EXITS", "while it plays: left"),
    ("OUT_OF_BOUNDS", "while it plays: out of bounds"),
    ("GARBLES", "while it plays: out of bounds: the plugin damaged its host's messages"),
    ("DIES_ON_REACTIVATION", "on reactivation: crashed: aborted"),
  ])
  func aLiveFaultHasItsName(fault: String, words: String) throws {
    switch try contract(fault) {
    case .success: Issue.record("\(fault): kept the contract")
    case .failure(let undefined): #expect(undefined.detail.contains(words), "\(undefined)")
    }
  }

  private func contract(_ fault: String) throws -> Result<LiveContract, Undefined> {
    LiveContract.tried(
      on: try toy.ladspa(fault).judged, singing: Score(id: "test", intervalsSemitones: [0]),
      settings: [:], sampleRateHz: 48_000)
  }

  @Test func aSoundPluginKeepsTheContract() throws {
    let contract = try contract("NONE").get()
    #expect(contract.nonFiniteCount == 0)
    #expect(contract.changedShare == 0)
    #expect([0, nil].contains(contract.allocationsPerBlock))
  }

  /// A block allocates once and releases once.
  @Test func allocationsOfAPluginAreCounted() throws {
    guard let count = try contract("ALLOCATES").get().allocationsPerBlock else { return }
    // The last block, a part of one, counts as well: 1594 of 1593 3/4.
    #expect(abs(count - 2) < 0.01)
  }

  @Test func aPluginThatKeepsItsPastIsStale() throws {
    // The last 64 samples of the voice come out at the start of the next pass.
    let share = try contract("STALE").get().changedShare
    #expect(share > 0 && share < 0.001)
  }

  /// The toy states 544 samples and delays by 64.
  @Test func aWrongLatencyShows() throws {
    let rendering = try toy.ladspa("WRONG_LATENCY").render(
      ToyPlugin.noise, score: ToyPlugin.score([0]), settings: [:])
    let measured = try WaveformDelay(of: rendering.mix, from: ToyPlugin.noise).delaySamples
    #expect(abs(measured - 64) < 0.01)
    #expect(rendering.reportedLatencyMs == 544.0 / 48)
  }

  /// A bound that is infinite is none; JSON could not hold it.
  @Test func infiniteBoundsAreNone() throws {
    let subject = try toy.ladspa("INFINITE_BOUNDS")
    let port = try #require(subject.plugin?.get().control("semitones"))
    #expect(port.minimum == nil && port.maximum == nil && port.preset == 0)
  }

  // MARK: Plugins that can't be used

  @Test func anAbsentPluginIsNamed() throws {
    let lv2 = try toy.subject(
      "id: x\nkind: lv2\nuri: \"urn:none\"\nenvironment: {LV2_PATH: \(toy.scratch.url.path)}\n"
        + "install: apt-get install none")
    #expect(!lv2.isInstalled)
    #expect(lv2.absence.contains("there is no LV2 plugin 'urn:none'"))
    #expect(lv2.absence.hasSuffix("apt-get install none"))
    let ladspa = try toy.subject("id: x\nkind: ladspa\nlibrary: ./none.so\nlabel: none")
    #expect(ladspa.absence.contains("there is no LADSPA library"))
    let library = try toy.subject("id: x\nkind: library\nlibrary: ./none.so")
    #expect(library.absence.contains("there is no library"))
  }

  @Test func anUnknownControlIsNamedBesideThoseThereAre() throws {
    let subject = try toy.ladspa()
    let text = try String(contentsOf: toy.scratch.file("toy.yaml"), encoding: .utf8)
    let wrong = try toy.subject(text.replacing("semitones:", with: "pitch:"))
    #expect(subject.isInstalled)
    #expect(
      wrong.absence.contains("has no control 'pitch'; it has semitones (-12 to 12)"))
  }

  @Test func anIntervalBeyondThePortIsRefused() throws {
    let subject = try toy.ladspa()
    expectError("port 'semitones' is 19.0, but takes -12 to 12") {
      try subject.render(ToyPlugin.noise, score: ToyPlugin.score([19]), settings: [:])
    }
  }

  @Test func aFeatureThatNobodyOffersIsNamed() throws {
    let subject = try toy.lv2(
      "plain-lv2.c", ports: [ToyPlugin.input, ToyPlugin.output, ToyPlugin.gain],
      required: ["http://example.org/ui#window"], "")
    #expect(
      subject.absence.contains("needs its own window, http://example.org/ui#window"),
      "\(subject.absence)")
  }
}
