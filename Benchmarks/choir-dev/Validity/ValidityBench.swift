import Analyzer
import Corpus
import DSP
import Foundation
import Metrics
import Singer
import Subjects

/// A performance of the synthetic singer with its oracle, on which systems and damage are measured.
struct ValidityBench: Sendable {
  /// A real system, and how good it is known to be.
  struct System: Sendable {
    let name: String
    let settings: SubjectSettings
    /// Place in the known order of pitch, timbre, words and steadiness: engines that keep the period
    /// and the formants (1) come before delay lines (2), and the ideal (0) before both.
    let place: Int
  }

  static let systems = [
    System(name: "offline", settings: ["engine": .text("offline")], place: 1),
    System(name: "vocoder", settings: ["engine": .text("vocoder")], place: 1),
    System(name: "psola", settings: ["engine": .text("psola")], place: 1),
    delayLine(windowMs: 40, crossfadeMs: 20),
    delayLine(windowMs: 20, crossfadeMs: 10),
    delayLine(windowMs: 10, crossfadeMs: 2),
  ]

  private static func delayLine(windowMs: Double, crossfadeMs: Double) -> System {
    System(
      name: "delay line \(Int(windowMs))/\(Int(crossfadeMs))",
      settings: [
        "engine": .text("delayline"), "windowMs": .number(windowMs),
        "crossfadeMs": .number(crossfadeMs),
      ], place: 2)
  }

  let kind: RecordingClass
  private let performance: Performance
  private let recording: Recording
  /// The systems' input.
  private let input: Signal
  private let score: ResolvedScore
  private let oracle: Oracle
  /// Analysis of the input, which all renderings share.
  private let leadSound: AnalyzedSound

  /// - Parameters:
  ///   - seed: seed of the singer's noise and jitter; another one is another take.
  ///   - seconds: duration to keep.
  init(_ id: String, under condition: Condition, seed: UInt64 = 1, seconds: Double) throws {
    var performance = try Songbook.performance(id: id)
    performance.seed &+= seed - 1
    self.performance = performance
    let sung = try performance.render()
    let rate = sung.signal.sampleRateHz
    let entry = ManifestEntry(
      id: id, source: "synthetic:\(id)", licence: "CC0-1.0",
      kind: id.hasPrefix("spoken") ? "spoken" : "sung")
    let count = min(sung.signal.count, Int(seconds * rate))
    let signal = sung.signal[..<count]
    var annotations = Annotations()
    annotations.phones = sung.truth.phones.map {
      LabelledSpan(
        onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, label: $0.phone.rawValue)
    }.filter { $0.offsetSeconds < seconds }
    let whole = PitchTrack(of: sung.truth)
    let track = whole[..<Int(Double(count) / rate / whole.hopSeconds)]
    recording = Recording(
      entry: entry, signal: signal, digest: "", truth: track, annotations: annotations)
    input = condition.applied(to: signal, other: nil)
    kind = RecordingClass(of: recording, under: condition, lead: track)
    // High voices go down, so that the pitch stays in the domain of formants.
    let interval = kind.register == .high ? -5.0 : 4
    score = ResolvedScore(Score(id: "validity", intervalsSemitones: [interval]), lead: track)
    oracle = try Oracle(performance, score, sampleRateHz: rate)
    leadSound = AnalyzedSound(input, track: track)
  }

  // MARK: Sounds

  /// The ideal voice.
  var ideal: Signal { cut(oracle.stems[0].signal) }

  private func cut(_ sound: Signal) -> Signal { sound[..<recording.signal.count] }

  func rendering(of system: System) throws -> (sound: Signal, latencyMs: Double) {
    let rendering = try ReferenceSubject().render(input, score: score, settings: system.settings)
    return (rendering.stems.first ?? rendering.mix, rendering.reportedLatencyMs ?? 0)
  }

  /// Returns the ideal voice with damage.
  func ideal(with damage: Damage) throws -> Signal {
    var random = SeededGenerator(seed: 1)
    return try DamagedVoice(sound: ideal, lead: score.lead) { retake in
      cut(try performance.ideal(retake, of: score, oracle))
    }.with(damage, &random)
  }

  // MARK: Measuring

  func figures(
    of sound: Signal, latencyMs: Double = 0, measuring metrics: [Metric]
  ) -> Rung.Figures {
    let observation = Observation(
      recording, score: score,
      rendering: Rendering(mix: sound, stems: [sound], reportedLatencyMs: latencyMs, cpuSeconds: 0),
      heard: input, oracle: oracle, leadSound: leadSound)
    var figures = Rung.Figures(latencyMs: latencyMs, values: [:])
    for metric in metrics {
      let value = metric.measure(observation).first?.outcome.number
      figures.values.updateValue(value, forKey: metric.id)
    }
    return figures
  }
}
