import Analyzer
import Corpus
import DSP
import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Subjects

@Suite struct PerturbedSubjectTests {
  private static let voice = Signal.sine(220, amplitude: 0.5)
  private static let score = ResolvedScore(
    Score(id: "up", intervalsSemitones: [4]),
    lead: PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 220, count: 100)))

  private static func render(_ subject: any Subject, _ number: Int) throws -> Signal {
    let perturbed = PerturbedSubject(subject, Perturbation(number))!
    return try perturbed.render(voice, score: score, settings: [:]).stems[0]
  }

  /// A subject that only passes sound on gives it back in place: what remains is the dither.
  @Test(arguments: 1...4)
  func delayGainAndPolarityAreTakenBack(number: Int) throws {
    let output = try Self.render(ToySubject { $0 }, number)
    #expect(output.count == Self.voice.count)
    let residue = zip(output.samples, Self.voice.samples).map { $0 - $1 }
    let db = 20 * log10(Signal(residue, sampleRateHz: 48_000).rms)
    #expect(-97 ... -95 ~= db)
  }

  /// A subject with a clock of its own, here a gain that falls to half, shows it: the fall comes
  /// early by the delay, 1 to 300 ms.
  @Test(arguments: 1...4)
  func whatFollowsTheClockMoves(number: Int) throws {
    let fall = 24_000
    let falling = ToySubject { $0.enumerated().map { $1 * ($0 < fall ? 1 : 0.5) } }
    let output = try Self.render(falling, number)
    let moved = (0..<output.count).filter { index in
      let (now, was) = (output.samples[index], Self.voice.samples[index])
      return index < fall && abs(was) > 0.1 && abs(now / was - 0.5) < 0.1
    }
    let first = try #require(moved.first)
    #expect(40...14_400 ~= fall - first)
  }

  /// Sounds that were rendered elsewhere hear no perturbed input, as the mix either.
  @Test func aFolderOfRenderingsCannotBePerturbed() throws {
    let scratch = try TemporaryFolder()
    let folder = try ExternalSubject(
      reading: scratch.write("id: rendered\nkind: folder\nfiles: x.wav", to: "subject.yaml"))
    #expect(PerturbedSubject(folder, Perturbation(1)) == nil)
    #expect(PerturbedSubject(MixSubject(folder), Perturbation(1)) == nil)
    #expect(PerturbedSubject(MixSubject(ToySubject { $0 }), Perturbation(1)) != nil)
  }

  @Test func perturbationsDiffer() {
    let delays = (1...8).map { Perturbation($0).delaySeconds }
    for (a, b) in zip(delays.sorted(), delays.sorted().dropFirst()) { #expect(b - a > 0.0005) }
    #expect(delays.allSatisfy { 0.001...0.3 ~= $0 })
    #expect((1...4).map { Perturbation($0).invertsPolarity } == [false, true, false, true])
    #expect(Set((1...4).map { Perturbation($0).factor }).count == 4)
  }
}
