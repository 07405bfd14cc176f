import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct HistoryBufferLagTests {
  /// A sound with a fractional period, under an envelope that changes its level as voices do.
  /// Harmonics reach a sixth of the rate, where the polynomial through six samples is off by 1 % of
  /// the highest. The error of the period is less than a thousandth of a sample, a hundredth of a
  /// parabola's at 110 Hz.
  @Test(arguments: [24.3, 57.81, 109.09, 217.5], [-0.4, 0, 0.45])
  func aFractionalPeriodIsFound(period: Double, offBy: Double) {
    var sound = HistoryBuffer(longest: 2000, window: nil)
    for n in 0..<1500 {
      let turns = Double(n) / period
      var sample = 0.0
      for k in 1...max(1, Int(period / 6)) {
        let number = Double(k)
        sample += cos(2 * .pi * number * (turns + 0.013 * number)) / number
      }
      let level: Double = exp2(-Double(n) / 700)
      sound.push(Float(level * sample))
    }
    let (whole, count) = (Int(period), Int(period + 0.5))
    let wanted = period - Double(whole)
    var found = wanted + offBy
    // Each step squares the remaining error; from 0.45 samples that takes three.
    for _ in 0..<3 { found = sound.finerLag(900, 900 + whole, guess: found, count: count) }
    #expect(abs(found - wanted) < 0.001)
  }

  /// Silence, and a sound that is inverted after the lag, carry no information about it.
  @Test func withoutRepetitionTheGuessStays() {
    var sound = HistoryBuffer(longest: 2000, window: nil)
    for n in 0..<1500 { sound.push(n < 700 ? 0 : Float(sin(2 * .pi * Double(n) / 80))) }
    #expect(sound.finerLag(100, 300, guess: 0.3, count: 80) == 0.3)
    #expect(sound.finerLag(800, 840, guess: 0.3, count: 80) == 0.3)
  }
}
