import Analyzer
import DSP
import Foundation
import Singer

@testable import Corpus
@testable import Metrics
@testable import Subjects

/// The synthetic singer as a subject: its voices are perfect except for a test's changes.
package struct ChoirOfSingers {
  var performance: Performance
  var score: ResolvedScore
  package var recording: Recording
  let oracle: Oracle

  /// Renders a performance and its oracle.
  ///
  /// - Parameter seconds: the duration to keep, from the start.
  package init(_ performance: Performance, _ score: Score, seconds: Double = 4) throws {
    self.performance = performance.withIrregularity(times: 0)
    let sung = try self.performance.render()
    let rate = sung.signal.sampleRateHz
    let signal = sung.signal.cut(0...min(seconds, sung.signal.durationSeconds))
    let entry = ManifestEntry(
      id: "sung", source: "synthetic:sung", licence: "CC0-1.0", voice: "tenor", kind: "sung")
    var annotations = Annotations()
    annotations.phones = sung.truth.phones.map {
      LabelledSpan(
        onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, label: $0.phone.rawValue)
    }
    recording = Recording(
      entry: entry, signal: signal, digest: "", truth: PitchTrack(of: sung.truth),
      annotations: annotations)
    self.score = ResolvedScore(score, lead: recording.truth!)
    oracle = try Oracle(self.performance, self.score, sampleRateHz: rate)
  }

  /// The score's voices, cut to the length of the recording.
  package var stems: [Signal] {
    oracle.stems.map { $0.signal[..<recording.signal.count] }
  }

  package func observation(_ stems: [Signal], withOracle: Bool = true) -> Observation {
    Observation(
      recording, score: score,
      rendering: .init(mix: mix(stems), stems: stems, reportedLatencyMs: 0, cpuSeconds: 0.01),
      oracle: withOracle ? oracle : nil)
  }

  /// The same voices of a subject that gives their mix only, with or without the dry voice.
  package func observationOfMix(_ stems: [Signal], withDryVoice: Bool = false) -> Observation {
    let sung = mix(stems + (withDryVoice ? [recording.signal] : []))
    return Observation(
      recording, score: score,
      rendering: .init(
        mix: sung, stems: [], reportedLatencyMs: 0, cpuSeconds: 0.01, holdsDryVoice: withDryVoice),
      oracle: oracle)
  }

  private func mix(_ stems: [Signal]) -> Signal {
    .sum(of: stems.map { $0[..<recording.signal.count] })
  }
}

extension Observation {
  package func value(_ id: String, voice: Int? = 0) -> Double? {
    Metric.metric(id: id)!.measure(self).first { $0.voice == voice }?.outcome.number
  }

  package func reason(_ id: String, voice: Int? = 0) -> String? {
    let found = Metric.metric(id: id)!.measure(self).first { $0.voice == voice || $0.voice == nil }
    return found?.outcome.reason?.detail
  }
}
