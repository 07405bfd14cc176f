import Analyzer
import Corpus
import DSP
import Foundation
import Harmonizer
import Subjects
import Testing

@testable import Metrics

@Suite struct TremoloMetricTests {
  /// A fifth above 220 Hz, by a delay line of 20 ms: 24.9 Hz by its law. The swing has 1 dB from trough to crest.
  /// Other engines have no value on less than a second, so the delay line has none either.
  @Test(arguments: [(0.9, false), (2.0, true)])
  func theDelayLineNeedsASecondToo(seconds: Double, hasValue: Bool) throws {
    let rateHz = 48_000.0
    let count = Int(seconds * rateHz)
    func sound(_ hz: Double, db: Double) -> Signal {
      Signal(
        (0..<count).map { n in
          let time = Double(n) / rateHz
          // Swells that come faster and faster tell the delay.
          let swell = 1 + 0.5 * sin(2 * .pi * (1 + time) * time)
          let gain = swell * pow(10, db / 2 * sin(2 * .pi * 24.9 * time) / 20)
          let waves = (1...8).reduce(0.0) { $0 + 0.1 * sin(2 * .pi * Double($1) * hz * time) }
          return Float(gain * waves)
        }, sampleRateHz: rateHz)
    }
    let frames = Int(seconds / 0.005)
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 220, count: frames))
    let entry = ManifestEntry(id: "held", kind: "sung")
    let voice = sound(220 * exp2(7.0 / 12), db: 1)
    let observation = Observation(
      Recording(entry: entry, signal: sound(220, db: 0), digest: "", truth: lead),
      score: ResolvedScore(Score(id: "fifth", intervalsSemitones: [7]), lead: lead),
      rendering: Rendering(mix: voice, stems: [voice]), subject: ReferenceSubject().id,
      settings: ["engine": .text("delayline"), "windowMs": .number(20)])
    let metric = try #require(Metric.metric(id: "tremolo.depth"))
    let found = try #require(metric.measure(observation).first)
    #expect((found.outcome.number != nil) == hasValue, "\(found)")
    if let depth = found.outcome.number { #expect(abs(depth - 1) < 0.02, "\(depth)") }
  }
}
