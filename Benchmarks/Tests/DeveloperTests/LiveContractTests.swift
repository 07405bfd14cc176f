import AllocationProbe
import DSP
import EvaluationSupport
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects
@testable import choir_dev

/// The live contract of the right subject and of defective ones.
@Suite struct LiveContractTests {
  private func contract(_ kind: Damage.Kind?, _ dose: Double = 0) throws -> LiveContract {
    let right = ReferenceSubject()
    let subject: any LiveSubject =
      kind.map {
        DamagedSubject(source: right, damage: Damage(kind: $0, dose: dose), place: .all, seed: 1)
      } ?? right
    return try LiveContract(
      of: subject, singing: Score(id: "third", intervalsSemitones: [4]),
      settings: ["engine": .text("psola")], sampleRateHz: 48_000)
  }

  private let isCounted = allocation_probe_is_live() != 0

  @Test func theHarmonizerKeepsIt() throws {
    let found = try contract(nil)
    #expect(found.nonFiniteCount == 0 && found.changedShare == 0)
    #expect(found.allocationsPerBlock == (isCounted ? 0 : nil))
  }

  /// The silence goes on for 0.75 s after its first 2 s, and the voice may start with silence.
  @Test func silenceWithoutNumbersIsSeen() throws {
    let found = try contract(.notANumber, 2)
    #expect(found.nonFiniteCount >= 36_000 && found.nonFiniteCount < 60_000)
  }

  @Test func aResetThatForgetsNothingIsSeen() throws {
    let found = try contract(.stale)
    #expect(found.changedShare > 0.01 && found.nonFiniteCount == 0)
  }

  /// Each block allocates one array and frees the one before: two calls.
  @Test func anAllocationPerBlockIsCounted() throws {
    let found = try contract(.allocating)
    // The first block has no array to free.
    if isCounted { #expect(abs(try #require(found.allocationsPerBlock) - 2) < 0.01) }
    #expect(found.changedShare == 0)
  }

  @Test func externalProgramsAreNotTried() {
    let found = LiveContract.tried(
      on: ToySubject { $0 }, singing: Score(id: "third", intervalsSemitones: [4]), settings: [:],
      sampleRateHz: 48_000)
    guard case .failure(let untried) = found else { return #expect(Bool(false)) }
    #expect(untried.code == .notObservable, "\(untried)")
  }
}
