import DSP
import ProcessorConformance
import Testing

@testable import Harmonizer

@Suite struct HarmonizerTests {
  static let chord = Harmonizer.Settings(
    voices: [.init(intervalSemitones: -5), .init(intervalSemitones: 4, gain: 0.5)],
    engine: .delayLine(.init { ($0.windowMs, $0.crossfadeMs) = (20, 10) }))

  static func make(_ settings: Harmonizer.Settings = chord) throws -> Harmonizer {
    try Harmonizer(settings, sampleRateHz: 48_000)
  }

  @Test func keepsTheProcessorContract() throws {
    let conformance = ProcessorConformance { try Self.make() }
    #expect(try conformance.findings() == [])
  }

  /// The mix is the sum of the individual voices times their gains, plus the lead, which is as late as
  /// the sweep, (20 + 10) / 2 ms, if it is delayed.
  @Test(arguments: [(true, 720), (false, 0)])
  func mixIsTheSumOfItsVoices(dryDelayed: Bool, late: Int) throws {
    var settings = Self.chord
    (settings.dryGain, settings.dryDelayed) = (0.25, dryDelayed)
    var harmonizer = try Self.make(settings)
    let input = noise(count: 3_000)
    let (mix, stems) = harmonizer.renderStems(input)

    var low = try DelayLineShifterTests.make(-5)
    var high = try DelayLineShifterTests.make(4)
    let (lowAlone, highAlone) = (low.render(input), high.render(input).map { $0 * 0.5 })
    #expect(stems == [lowAlone, highAlone])
    for i in 0..<3_000 {
      // Summed in another order: equal within single-precision rounding.
      let dry = i < late ? 0 : 0.25 * input[i - late]
      #expect(abs(mix[i] - (dry + lowAlone[i] + highAlone[i])) < 1e-6)
    }
  }

  @Test func theTruthLogHasTheDelayOfEachVoice() throws {
    var harmonizer = try Self.make()
    var log = TruthLog()
    log.record(harmonizer, startSample: 0)
    _ = harmonizer.render(noise(count: 100))
    log.record(harmonizer, startSample: 100)
    #expect(log.blocks.map(\.startSample) == [0, 100])
    let (before, after) = (log.blocks[0].voices[1], log.blocks[1].voices[1])
    #expect(before.intervalSemitones == 4 && before.gain == 0.5)
    #expect(before.delaySamples == 720)
    // The delay changes by 1 - 2^(4/12) a sample.
    #expect(abs(after.delaySamples - (720 - 100 * 0.259921)) < 0.001)
  }

  @Test func zeroOrSeventeenVoicesAreRefused() {
    for count in [0, 17] {
      let voices = [Harmonizer.Voice](repeating: .init(intervalSemitones: 3), count: count)
      #expect(throws: SettingsError.self) { _ = try Self.make(.init(voices: voices)) }
    }
  }
}
