import DSP
import Effects
import Foundation
import Testing

@Suite struct VarispeedTests {
  /// A tone of 500 Hz at speed `r` has `500 r` Hz and lasts `1 / r` as long.
  @Test(arguments: [0.5, 2, 1.25, 0.9438743126816935])
  func pitchAndLengthFollowTheSpeed(speed: Double) throws {
    let tone = (0..<48_000).map { Float(sin(2 * .pi * 500 * Double($0) / 48_000)) }
    let output = try Varispeed(speed: speed).apply(to: Signal(tone, sampleRateHz: 48_000))
    #expect(output.sampleRateHz == 48_000)
    #expect(abs(Double(output.count) - 48_000 / speed) <= 1)
    // The resampler is flat within 0.001 dB; the ends of the tone are left out.
    let worst = (2000..<output.count - 2000).map { i in
      abs(Double(output.samples[i]) - sin(2 * .pi * 500 * speed * Double(i) / 48_000))
    }.max()!
    #expect(worst < 2e-4)
  }

  @Test func speedOneChangesNothing() throws {
    let signal = Signal([0.1, -0.2, 0.3], sampleRateHz: 44_100)
    #expect(try Varispeed(speed: 1).apply(to: signal) == signal)
    #expect(Varispeed.half.speed == 0.5 && Varispeed.double.speed == 2)
  }

  @Test func emptyAndShortSoundsWork() {
    #expect(Varispeed.double.apply(to: Signal([], sampleRateHz: 8000)).samples == [])
    #expect(Varispeed.half.apply(to: Signal([0.5], sampleRateHz: 8000)).count == 2)
  }

  @Test func speedOutOfRangeIsNamed() {
    #expect(throws: SettingsError.outOfRange(setting: "speed", value: 5, allowed: 0.25...4)) {
      try Varispeed(speed: 5)
    }
    let coded = Data(#"{"speed": 0}"#.utf8)
    #expect(throws: SettingsError.self) { try JSONDecoder().decode(Varispeed.self, from: coded) }
  }
}
