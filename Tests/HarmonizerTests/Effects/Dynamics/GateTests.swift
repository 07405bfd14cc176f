import Effects
import Foundation
import Testing

@Suite struct GateTests {
  private var settings: Gate.Settings {
    var settings = Gate.Settings()
    (settings.thresholdDb, settings.hysteresisDb) = (-20, 6)
    (settings.attackMs, settings.holdMs, settings.releaseMs) = (5, 50, 40)
    return settings
  }

  /// The gain at a steady level after a loud or a silent start.
  private func gainDb(_ levelDb: Double, afterLoud: Bool) throws -> Double {
    let tone = sine(hz: 12_000, amplitude: amplitude(levelDb), seconds: 1)
    let start = afterLoud ? sine(hz: 12_000, seconds: 0.2) : [Float](repeating: 0, count: 9600)
    let output = try StereoRun(settings).render(start + tone)
    let (measured, expected) = (output.suffix(480), tone.suffix(480))
    return decibels(Double(measured.map { abs($0) }.max()! / expected.map { abs($0) }.max()!))
  }

  /// The state is kept between the two thresholds, tested a quarter of a dB to both sides of each.
  @Test func opensAndClosesAtDifferentLevels() throws {
    #expect(abs(try gainDb(-19.75, afterLoud: false)) < 0.01)
    #expect(try gainDb(-20.25, afterLoud: false) < -59)
    #expect(abs(try gainDb(-25.75, afterLoud: true)) < 0.01)
    // After 0.95 s of release at 40 ms: exp(-22).
    #expect(abs(try gainDb(-26.25, afterLoud: true) + 60) < 0.1)
  }

  /// The gain reaches 63 % after the attack, stays for the hold and falls to 37 % in the release.
  @Test func timesAreAsSet() throws {
    let (quiet, loud) = (Float(0.001), Float(0.5))
    let input = (0..<96_000).map { i in (24_000..<48_000).contains(i) ? loud : quiet }
    let gains = zip(try StereoRun(settings).render(input), input).map { $0 / $1 }
    let closed: Float = 0.001
    let step: Float = 0.632 * (1 - closed)
    let opened: Int = gains.firstIndex { $0 > closed + step }!
    let attackMs = Double(opened - 24_000) / 48
    #expect(abs(attackMs - 5) < 0.25)
    // The first sample of the release is the one after the hold.
    let released: Int = gains[48_000...].firstIndex { $0 < 0.9999 }!
    #expect(abs(released - 48_000 - 50 * 48) <= 1)
    let fallen: Int = gains[48_000...].firstIndex { $0 < 1 - step }!
    let releaseMs = Double(fallen - released) / 48
    #expect(abs(releaseMs - 40) < 2)
  }

  /// A level that fluctuates around the threshold opens the gate only once.
  @Test func doesNotChatter() throws {
    let input = sine(hz: 12_000, seconds: 1).enumerated().map { i, sample in
      sample * Float(amplitude(-20 + 4 * sin(Double(i) * 2 * .pi * 3 / 48_000)))
    }
    let output = try StereoRun(settings).render(input)
    let gains = stride(from: 1, to: input.count, by: 2).map { output[$0] / input[$0] }
    #expect(zip(gains, gains.dropFirst()).count { $0 < 0.5 && $1 >= 0.5 } == 1)
    #expect(gains.suffix(20_000).allSatisfy { $0 > 0.999 })
  }

  @Test func rangeOfZeroIsTransparent() throws {
    var settings = settings
    settings.rangeDb = 0
    let input = noise(amplitude: 0.05, seconds: 0.2)
    #expect(try StereoRun(settings).render(input) == input)
  }
}
