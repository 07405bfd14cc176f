import Analyzer
import Corpus
import DSP
import Foundation
import Metrics
import Probes
import Singer
import Subjects

/// Gives metrics known amounts of what they measure.
///
/// The voice is the synthetic singer's own at the target pitch, without faults. The result is
/// therefore the dose plus the metric's error, without any harmonizer's. Detuning and formants are
/// sung; all other doses are applied to the sound.
struct DoseBench {
  private let performance: Performance
  private let recording: Recording
  private let score: ResolvedScore
  private let oracle: Oracle

  /// - Parameter fault: one with a meter.
  static func doses(of fault: PlantedFault) throws -> [Dose] {
    guard let meter = fault.meter else { return [] }
    // Impulses tell a delay better than any voice.
    if fault.kind == .late { return Dose.amounts.map { Dose(meter, $0, delay($0)) } }
    let bench = try DoseBench(singing: -5)
    return try Dose.amounts.map { Dose(meter, $0, try bench.reading(of: fault, meter, $0)) }
  }

  private init(singing semitones: Double) throws {
    performance = try Songbook.performance(id: "vowels-tenor").withIrregularity(times: 0)
    let sung = try performance.render()
    let rate = sung.signal.sampleRateHz
    let entry = ManifestEntry(
      id: "dose", source: "synthetic:vowels-tenor", licence: "CC0-1.0", voice: "tenor",
      kind: "sung")
    let track = PitchTrack(of: sung.truth)
    let signal = sung.signal[..<Int(4 * rate)]
    recording = Recording(entry: entry, signal: signal, digest: "", truth: track)
    score = ResolvedScore(Score(id: "dose", intervalsSemitones: [semitones]), lead: track)
    oracle = try Oracle(performance, score, sampleRateHz: rate)
  }

  private func reading(
    of fault: PlantedFault, _ meter: PlantedFault.Meter, _ dose: Double
  ) throws -> MetricResult.Outcome {
    // The metric reads decibels per octave, and a voice that gets duller has a negative slope.
    let isTilt = fault.kind == .tilted
    let damage = fault.damage(isTilt ? dose * log2(50) : dose)
    let right = oracle.stems[0].signal
    var random = SeededGenerator(seed: 1)
    let wrong = try DamagedVoice(sound: right, lead: score.lead, sungAgain: sung)
      .with(damage, &random)
    if case .clicks = fault.kind {
      // `compare` judges the same way: it detects that both sounds share one waveform.
      return PairMetric.clicks.measure(try SoundPair(wrong, against: right))[0].outcome
    }
    let voice = wrong[..<recording.signal.count]
    let observation = Observation(
      recording, score: score,
      rendering: Rendering(mix: voice, stems: [voice], reportedLatencyMs: 0, cpuSeconds: 0),
      oracle: oracle)
    let outcome = Metric.metric(id: meter.metric)!.measure(observation)[0].outcome
    if isTilt, case .value(let slope) = outcome { return .value(-slope) }
    return outcome
  }

  private func sung(_ retake: DamagedVoice.Retake) throws -> Signal {
    try performance.ideal(retake, of: score, oracle)
  }

  private static func delay(_ ms: Double) -> MetricResult.Outcome {
    let input = ProbeSounds.impulses(count: 12, sampleRateHz: 48_000)
    let output = input.delayed(by: { _ in ms / 1000 })
    do { return .value(try ImpulseDelay(of: output, from: input).meanMs) } catch {
      return .undefined(Undefined(error))
    }
  }
}
