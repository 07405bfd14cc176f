import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct HarmonicFitTests {
  private func errors(_ voice: TestVoice, offCents: Double) -> [Double] {
    let fit = HarmonicFit(of: voice.signal())
    return (10..<90).map { index in
      let time = Double(index) / 100
      let truth = voice.f0Hz(time)
      guard let found = fit.fit(atSeconds: time, expectedHz: truth * exp2(offCents / 1200)) else {
        return 9999
      }
      return abs(cents(found.f0Hz, over: truth))
    }.sorted()
  }

  @Test(arguments: [65.0, 110, 220, 440, 880, 1100], [-40.0, 0, 40])
  func steadyVoicesAreMeasuredToATenthOfACent(hz: Double, offCents: Double) {
    let found = errors(TestVoice { _ in hz }, offCents: offCents)
    // Low voices have more harmonics than are fitted; the others leak in a little.
    #expect(found[found.count / 2] < (hz < 100 ? 0.1 : 0.02))
    #expect(found.last! < 0.2)
  }

  /// A fit around a pitch also fits the voice an octave above; the voice itself is in its octave. That an
  /// octave below has half of its energy elsewhere, so it may have no fit.
  @Test(arguments: [65.0, 110, 220, 440, 880], [-1, 0, 1])
  func aVoiceIsMeasuredInItsOctave(expectedHz: Double, octaves: Int) {
    let hz = expectedHz * exp2(Double(octaves))
    let fit = HarmonicFit(of: TestVoice { _ in hz }.signal())
    guard let found = fit.voice(atSeconds: 0.5, expectedHz: expectedHz) else {
      #expect(octaves < 0)
      return
    }
    #expect(abs(cents(found.f0Hz, over: hz)) < 1)
  }

  /// A linear glide is exact because the slope is fitted; an exponential one is nearly so.
  @Test func glidesAreMeasuredToATenthOfACent() {
    let found = errors(TestVoice { 200 * exp2($0) }, offCents: 10)
    #expect(found.last! < 0.1)
  }

  /// The slope of 200 * 2^t is ln 2 times the pitch.
  @Test func theSlopeOfAGlideIsFitted() throws {
    let fit = HarmonicFit(of: TestVoice { 200 * exp2($0) }.signal())
    let found = try #require(fit.fit(atSeconds: 0.5, expectedHz: 280))
    #expect(abs(found.slopeHzPerSecond / (200 * exp2(0.5) * log(2)) - 1) < 0.02)
  }

  @Test func vibratoIsMeasuredToTheCent() {
    let found = errors(TestVoice { 220 * exp2(0.05 * sin(2 * .pi * 5.5 * $0)) }, offCents: 5)
    #expect(found[found.count * 95 / 100] < 1)
  }

  /// The stated deviation equals that of repeated trials, which are instants with independent
  /// noise.
  @Test func uncertaintyIsTheSpreadOfTheAnswers() {
    var voice = TestVoice { _ in 200 }
    voice.seconds = 4
    voice.noiseDb = -10
    let fit = HarmonicFit(of: voice.signal())
    var (squares, stated, count) = (0.0, 0.0, 0.0)
    for index in 2..<98 {
      guard let found = fit.fit(atSeconds: Double(index) / 25, expectedHz: 200) else { continue }
      squares += pow(cents(found.f0Hz, over: 200), 2)
      stated += found.uncertaintyCents
      count += 1
    }
    let spread = (squares / count).squareRoot()
    #expect(count > 90)
    // 96 trials give the spread within 15 %; the noise in the analyzed band is white.
    #expect(abs(stated / count / spread - 1) < 0.35, "stated \(stated / count), spread \(spread)")
  }

  @Test func noiseAndSilenceHaveNoFit() {
    let hiss = Signal.noise(seed: 3)
    #expect(HarmonicFit(of: hiss).fit(atSeconds: 0.5, expectedHz: 200) == nil)
    let silence = Signal([Float](repeating: 0, count: 48_000), sampleRateHz: 48_000)
    #expect(HarmonicFit(of: silence).fit(atSeconds: 0.5, expectedHz: 200) == nil)
    #expect(HarmonicFit(of: silence).fit(atSeconds: 9, expectedHz: 200) == nil)
  }
}
