import DSP

@testable import Harmonizer

/// A bank of one voice as a processor, for tests of the processor contract.
struct SingleVoice<Bank: PitchShifter & ~Copyable>: BlockProcessor, ~Copyable {
  var bank: Bank

  init(_ bank: consuming Bank) { self.bank = bank }

  var latencySamples: Int { @_semantics("no_performance_analysis") get { bank.latencySamples } }

  @_semantics("no_performance_analysis") mutating func reset() { bank.reset() }

  @_semantics("no_performance_analysis")
  mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    bank.process(input, 0..<input.count, into: &output)
  }
}

/// Makes one voice of `psola`.
func psolaVoice(
  _ semitones: Double, _ settings: PSOLA.Settings = .init()
) throws -> SingleVoice<PSOLABank> {
  SingleVoice(try PSOLABank(shiftsSemitones: [semitones], settings, sampleRateHz: 48_000))
}
