import Corpus
import DSP
import EvaluationSupport
import Foundation
import Testing

@testable import Probes
@testable import Subjects

/// Each equivalence is broken once, and found by its name; nothing else is.
@Suite struct EquivalenceProbeTests {
  enum Fault: String, CaseIterable {
    case none, shortBlocks, notANumber, remembers, shares, random, offline
  }

  /// A smoothing filter with a fault.
  private struct Filter: LiveSubject {
    let id = "filter"
    let version = "1"
    var fault = Fault.none

    /// Memory that two instances with the fault `shares` write to.
    final class Memory { var last: Float = 0 }

    final class Sound: LiveSound {
      let fault: Fault
      let memory: Memory
      var (place, draw) = (0, SystemRandomNumberGenerator())
      let latencySamples = 0

      init(_ fault: Fault, _ memory: Memory) { (self.fault, self.memory) = (fault, memory) }

      func reset() { if fault != .remembers { memory.last = 0 } }

      func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
        for i in 0..<input.count {
          memory.last = 0.9 * memory.last + input[i]
          output[i] = memory.last
          if fault == .random { output[i] += Float.random(in: -0.001...0.001, using: &draw) }
        }
        // The first frame of a short block is lost.
        if fault == .shortBlocks, input.count < 8 { output[0] = 0 }
        if fault == .notANumber, input.count < 8 { output[0] = .nan }
      }
    }

    nonisolated(unsafe) private static let shared = Memory()

    func validate(_ settings: SubjectSettings, for score: Score) throws {}

    func start(
      _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
    ) throws -> any LiveSound {
      guard fault == .shares else { return Sound(fault, Memory()) }
      Self.shared.last = 0
      return Sound(fault, Self.shared)
    }

    func render(
      _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
    ) throws -> Rendering {
      let sound = try start(score, settings: settings, sampleRateHz: signal.sampleRateHz)
      var output = [Float](repeating: 0, count: signal.count)
      var target = output.mutableSpan
      sound.process(signal.samples.span, into: &target)
      if fault == .offline { for i in output.indices { output[i] *= 1.001 } }
      let mix = Signal(output, sampleRateHz: signal.sampleRateHz)
      return Rendering(mix: mix, stems: [mix])
    }
  }

  private func poor(_ subject: any Subject) throws -> [String] {
    try findings(subject).filter { $0.verdict == .poor }.map(\.name)
  }

  @Test(arguments: [
    (Fault.none, []), (.shortBlocks, ["blocks"]), (.notANumber, ["blocks"]),
    (.remembers, ["reset"]), (.shares, ["instances"]), (.random, []), (.offline, ["offline"]),
  ])
  func aFaultHasItsName(fault: Fault, names: [String]) throws {
    #expect(try poor(Filter(fault: fault)) == names)
  }

  /// 0.1 % is 60 dB below the sound.
  @Test func theDifferenceIsMeasured() throws {
    let findings = try SubjectProbe(
      of: ProbeBench(Filter(fault: .offline)), aspects: [.equivalence]
    ).findings
    let offline = try #require(findings.first { $0.name == "offline" })
    #expect(abs(try #require(offline.value) + 60) < 0.1)
    #expect(offline.words.contains("from 0.0"))
  }

  @Test(arguments: ["psola", "vocoder", "delayline"])
  func theEnginesOfTheReferenceAreTheSameEverywhere(engine: String) throws {
    let bench = try ProbeBench(ReferenceSubject(), settings: ["engine": .text(engine)])
    let findings = try SubjectProbe(of: bench, aspects: [.equivalence]).findings
    #expect(findings.count == 5)
    for finding in findings {
      #expect(finding.verdict == .good, "\(finding.name): \(finding.words)")
    }
  }

  @Test(.enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"))
  func aPluginThatKeepsItsPastOrMindsItsBlocksIsFound() throws {
    let toy = ToyPlugin()
    #expect(try poor(toy.ladspa("STALE").judged) == ["reset"])
    for fault in ["SHORT_BLOCKS", "LONG_BLOCKS"] {
      #expect(try poor(toy.ladspa(fault).judged).contains("blocks"))
    }
    #expect(try poor(toy.ladspa("NONE").judged).isEmpty)
  }

  private func findings(_ subject: any Subject) throws -> [ProbeFinding] {
    try SubjectProbe(of: ProbeBench(subject, orEffect: true), aspects: [.equivalence])
      .findings
  }

  /// Returns what is found of the tests that only plugins have.
  private func findingsOfPlugin(_ subject: any Subject) throws -> [ProbeFinding] {
    let bench = try ProbeBench(subject, orEffect: true)
    return try PluginEquivalence.findings(bench, EquivalenceProbe(bench), isFreshAfterReset: true)
  }

  /// A delay line of 64 samples, which a value of CLAP reaches at its frame.
  @Test(
    .enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"),
    arguments: [
      ("STATE_FORGETS", "state", "over turned controls forgets 'drive'"),
      ("STATE_IS_NOT_HEARD", "state", "in a new process gives another sound, from 0.0"),
      (
        "STATE_CRASHES", "damaged state", "with a state without a byte: crashed: segmentation fault"
      ),
      ("BYPASS_IS_EARLY", "bypass", "states 64 samples, and the input comes out 0.0 samples late"),
      ("STATE_SWAPS", "state", "in a new process forgets"),
      ("STATE_GIVES_NAN", "damaged state", "it returned nan"),
      ("BYPASS_CLICKS", "bypass", "it clicks"),
      ("BYPASS_IS_SOFT", "bypass", "the input comes out 64.0 samples late"),
      ("TURNS_A_BLOCK_LATE", "automation", "after 64 samples in blocks of 64, and after 704"),
      ("TURNS_EARLY", "automation", "turns 320 samples too early in blocks of 1024"),
    ])
  func aFaultOfAPluginHasItsName(fault: String, name: String, words: String) throws {
    let toy = ToyPlugin()
    let poor = try findingsOfPlugin(toy.clap(fault).judged).filter { $0.verdict == .poor }
    #expect(poor.map(\.name) == [name])
    #expect(poor.first?.words.contains(words) == true, "\(poor)")
  }

  @Test(.enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"))
  func aSoundPluginOfCLAPPassesAllTests() throws {
    let toy = ToyPlugin()
    let findings = try findings(toy.clap().judged)
    for name in ["state", "damaged state", "bypass", "automation"] {
      #expect(findings.first { $0.name == name }?.verdict == .good, "\(findings)")
    }
    #expect(!findings.contains { $0.verdict == .poor }, "\(findings)")
  }

  /// Look-ahead that a restart changes, an echo's time, an echo as loud as its sound, blocks of its own,
  /// noise, a bypass that fades, sums in another order.
  @Test(
    .enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"),
    arguments: [
      ("lookahead", ""), ("slapback", ""), ("echo", "ports: {wet: 0, feedback: 0}"),
      ("spectrum", ""),
      ("gate", ""), ("bypass", ""), ("vector", ""),
    ])
  func nothingIsFoundInASoundPlugin(name: String, ports: String) throws {
    let toy = ToyPlugin()
    let findings = try findings(toy.sound(name, ports).judged)
    #expect(findings.filter { $0.verdict == .poor }.isEmpty, "\(findings)")
    #expect(findings.contains { $0.name == "state" && $0.verdict == .good }, "\(findings)")
  }

  /// The delay line halves its delay above 6 semitones, and says so; or says what is not true.
  @Test(
    .enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"),
    arguments: [
      ("NONE", true, "it states 64 samples and stays as late in 3 of 3 settings"),
      ("LATENCY_MOVES", true, "it states 32 samples and is 32.0 late"),
      ("LATENCY_MOVES_UNTOLD", false, "it states 64 samples and is 32.0 late"),
      ("LATENCY_LIES", false, "it states 164 samples and is 64.0 late"),
    ])
  func aDelayThatMovesIsStated(fault: String, isTrue: Bool, words: String) throws {
    let toy = ToyPlugin()
    let finding = try #require(
      try findingsOfPlugin(toy.ladspa(fault).judged).first { $0.name == "latency" })
    #expect(finding.verdict == (isTrue ? .good : .poor))
    #expect(finding.words.contains(words), "\(finding.words)")
  }

  /// A preset sets what no port shows.
  @Test(
    .enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"),
    arguments: [
      ("NONE", ""), ("FORGETS", "state"), ("CRASHES", "damaged state"),
    ])
  func aStateOfLV2IsRestored(fault: String, name: String) throws {
    let gain = ToyPlugin.gain.replacing("maximum 1", with: "maximum 4")
    let toy = ToyPlugin()
    let subject = try toy.lv2(
      "state-lv2.c", ports: [ToyPlugin.input, ToyPlugin.output, gain],
      flags: ["-DFAULT_\(fault)"],
      words: """
        <urn:preset> a <http://lv2plug.in/ns/ext/presets#Preset> ; lv2:appliesTo <urn:toy> ;
          <http://lv2plug.in/ns/ext/state#state> [ <urn:toy#depth> 3 ] .
        """, "preset: \"urn:preset\"\nports: {gain: \"{ratio}\"}")
    let findings = try findingsOfPlugin(subject.judged)
    #expect(findings.filter { $0.verdict == .poor }.map(\.name) == [name].filter { !$0.isEmpty })
    #expect(findings.contains { $0.name == "state" && $0.verdict == .good } == (name != "state"))
  }

  /// A host fills the blocks of such a plugin up with silence, so that no other length can be compared.
  @Test(.enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"))
  func aPluginThatRequiresOneLengthIsTriedAtNoOther() throws {
    let toy = ToyPlugin()
    let subject = try toy.lv2(
      "block-lv2.c", ports: [ToyPlugin.input, ToyPlugin.output],
      required: ["http://lv2plug.in/ns/ext/buf-size#fixedBlockLength"], "")
    let blocks = try findings(subject.judged).first { $0.name == "blocks" }
    #expect(blocks?.words.contains("requires blocks of one length") == true, "\(blocks as Any)")
  }

  /// Two plugins that are to be one.
  @Test(
    .enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"),
    arguments: [("NONE", []), ("FADES", ["voice", "noise"]), ("WRONG_LATENCY", ["stated"])])
  func twinsAreCompared(fault: String, names: [String]) throws {
    let (toy, other) = (ToyPlugin(), ToyPlugin())
    let findings = try SubjectProbe(
      of: ProbeBench(toy.ladspa().judged), aspects: [.equivalence],
      against: ProbeBench(other.ladspa(fault).judged)
    ).findings
    #expect(findings.map(\.name) == ["voice", "noise", "stated"])
    #expect(findings.filter { $0.verdict == .poor }.map(\.name) == names)
  }

  @Test func aProgramOfItsOwnHasNoBlocks() throws {
    let subject = try ToyPlugin().subject(
      "id: x\nkind: command\ncommand: [cp, \"{input}\", \"{output}\", \"{semitones}\"]")
    let findings = try SubjectProbe(of: ProbeBench(subject), aspects: [.equivalence])
      .findings
    #expect(findings.map(\.verdict) == [.undefined])
  }
}
