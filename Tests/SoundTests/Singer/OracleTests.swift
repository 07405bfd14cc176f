import DSP
import Foundation
import Testing

@testable import Singer

/// Compares a performance with itself at another pitch.
@Suite struct OracleTests {
  @Test(arguments: [7.0, -5, 12, 0.37])
  func onlyThePitchChanges(interval: Double) throws {
    let written = try phrase().render()
    let moved = try phrase().transposed(bySemitones: interval).render()
    #expect(moved.truth.frames == written.truth.frames)  // formants and levels, bit by bit
    #expect(moved.truth.phones == written.truth.phones)
    #expect(moved.signal.count == written.signal.count)
    let ratio = exp2(interval / 12)
    #expect(zip(written.truth.f0Hz, moved.truth.f0Hz).allSatisfy { $0 * ratio == $1 })
    for (before, after) in zip(written.truth.notes, moved.truth.notes) {
      #expect(after.onsetSeconds == before.onsetSeconds)
      #expect(after.offsetSeconds == before.offsetSeconds)
      #expect(after.f0Hz == before.f0Hz * ratio)
    }
  }

  @Test func unvoicedConsonantsAreUnchanged() throws {
    var line = Phrase(voice: .tenor)
    line.sing("C3", "s")
    line.sing("E3", "a")
    let written = try line.performance().render()
    let moved = try line.performance().transposed(bySemitones: 7).render()
    // Only noise sounds until the vowel begins to rise, 20 ms before the beat.
    let vowel = Int((written.truth.phones[1].onsetSeconds - 0.02) * 48_000)
    #expect(written.signal.samples[..<vowel] == moved.signal.samples[..<vowel])
    #expect(written.signal.samples[vowel...] != moved.signal.samples[vowel...])
    #expect(written.signal.samples[16_000..<vowel].contains { abs($0) > 0.001 })
  }

  @Test func transposingByNothingChangesNothing() throws {
    #expect(try phrase().transposed(bySemitones: 0).render() == phrase().render())
  }

  @Test func targetsAreSungExactly() throws {
    let performance = held(seconds: 2, vibrato: Vibrato(extentCents: 80))
    let exact = try performance.sung(
      at: [
        PitchTarget(startSeconds: 0, f0Hz: 300), PitchTarget(startSeconds: 1, f0Hz: 350),
      ], keepingExpression: false
    ).render()
    // The change of target is excluded; its ramp takes one frame of 0.5 ms.
    #expect(exact.truth.f0Hz[10_000..<47_000].allSatisfy { abs($0 / 300 - 1) < 1e-12 })
    #expect(exact.truth.f0Hz[48_100..<90_000].allSatisfy { abs($0 / 350 - 1) < 1e-12 })
    #expect(try exact.truth.frames == performance.render().truth.frames)
  }

  @Test func targetsKeepTheVibratoByDefault() throws {
    let performance = held(semitones: 57, seconds: 2, vibrato: Vibrato(extentCents: 80))
    let written = try performance.render().truth.f0Hz
    let targets = [PitchTarget(startSeconds: 0, pitchSemitones: 62)]
    let sung = try performance.sung(at: targets).render().truth.f0Hz
    // A constant target keeps every detail of the line, five semitones higher, up to rounding.
    let errors = (10_000..<90_000).map { abs(sung[$0] / written[$0] / exp2(5.0 / 12) - 1) }
    #expect(errors.max()! < 1e-12)
  }
}
