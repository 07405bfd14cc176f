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
    case none, shortBlocks, remembers, shares, random, offline
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
    try SubjectProbe(of: ProbeBench(subject), aspects: [.equivalence], itself: []).findings
      .filter { $0.verdict == .poor }.map(\.name)
  }

  @Test(arguments: [
    (Fault.none, []), (.shortBlocks, ["blocks"]), (.remembers, ["reset"]),
    (.shares, ["instances"]), (.random, []), (.offline, ["offline"]),
  ])
  func aFaultHasItsName(fault: Fault, names: [String]) throws {
    #expect(try poor(Filter(fault: fault)) == names)
  }

  /// 0.1 % is 60 dB below the sound.
  @Test func theDifferenceIsMeasured() throws {
    let findings = try SubjectProbe(
      of: ProbeBench(Filter(fault: .offline)), aspects: [.equivalence], itself: []
    ).findings
    let offline = try #require(findings.first { $0.name == "offline" })
    #expect(abs(try #require(offline.value) + 60) < 0.1)
    #expect(offline.words.contains("from 0.0"))
  }

  @Test(arguments: ["psola", "vocoder", "delayline"])
  func theEnginesOfTheReferenceAreTheSameEverywhere(engine: String) throws {
    let bench = try ProbeBench(ReferenceSubject(), settings: ["engine": .text(engine)])
    let findings = try SubjectProbe(of: bench, aspects: [.equivalence], itself: []).findings
    #expect(findings.count == 5)
    for finding in findings {
      #expect(finding.verdict == .good, "\(finding.name): \(finding.words)")
    }
  }

  @Test(.enabled(if: ToyPlugin.compiler != nil, "no C compiler: apt-get install gcc"))
  func aPluginThatKeepsItsPastIsFound() throws {
    let toy = ToyPlugin()
    #expect(try poor(toy.ladspa("STALE").judged) == ["reset"])
    #expect(try poor(toy.ladspa("NONE").judged).isEmpty)
  }

  @Test func aProgramOfItsOwnHasNoBlocks() throws {
    let subject = try ToyPlugin().subject(
      "id: x\nkind: command\ncommand: [cp, \"{input}\", \"{output}\", \"{semitones}\"]")
    let findings = try SubjectProbe(of: ProbeBench(subject), aspects: [.equivalence], itself: [])
      .findings
    #expect(findings.map(\.verdict) == [.undefined])
  }
}
