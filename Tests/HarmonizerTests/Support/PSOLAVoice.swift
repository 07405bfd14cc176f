import DSP
import ProcessorConformance

@testable import Harmonizer

/// One voice of a bank, as a processor.
struct PSOLAVoice: BlockProcessor, ~Copyable {
  var bank: PSOLABank

  init(_ semitones: Double, _ settings: PSOLA.Settings = .init(), rateHz: Double = 48_000) throws {
    bank = try PSOLABank(shiftsSemitones: [semitones], settings, sampleRateHz: rateHz)
  }

  var latencySamples: Int { bank.latencySamples }

  @_noLocks mutating func reset() { bank.reset() }

  @_noLocks mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    bank.process(input, 0..<input.count, into: &output)
  }
}
