import Analyzer
import Corpus
import DSP
import Metrics
import Platform
import Singer
import Subjects

/// A point as a sound: the singer's recording with its exact truth, what the subject receives, and
/// the resolved score.
struct HeardPoint: Sendable {
  let point: HuntPoint
  let performance: Performance
  let recording: Recording
  let score: ResolvedScore
  /// The subject's input.
  let heard: Signal

  /// - Throws: `SingerError` for a point that nobody can sing.
  init(_ point: HuntPoint) throws {
    self.point = point
    performance = point.performance()
    let voice = try performance.render(sampleRateHz: HuntPoint.sampleRateHz)
    var annotations = Annotations()
    annotations.phones = voice.truth.phones.map {
      LabelledSpan(
        onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, label: $0.phone.rawValue)
    }
    annotations.notes = voice.truth.notes.map {
      SungNote(onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, f0Hz: $0.f0Hz)
    }
    recording = Recording(
      entry: ManifestEntry(
        id: "hunt", file: "", source: "synthetic singer", sha256: "", licence: "CC0-1.0",
        attribution: "", voice: point.voice.name, kind: "sung", shows: "hunted"),
      signal: voice.signal, digest: "hunt", truth: PitchTrack(of: voice.truth),
      annotations: annotations)
    score = ResolvedScore(point.score(), lead: PitchTrack(of: voice.truth))
    heard = point.conditions.reduce(voice.signal) { $1.applied(to: $0) }
  }

  /// The class of recordings to which it belongs, for the grades of metrics.
  var kind: RecordingClass {
    var kind = RecordingClass(of: recording, under: .clean, lead: score.lead)
    for condition in point.conditions { kind = kind.under(condition) }
    return kind
  }

  /// The ideal rendering: the same singer at the targets.
  func ideal() throws -> (oracle: Oracle, rendering: Rendering) {
    let oracle = try Oracle(performance, score, sampleRateHz: HuntPoint.sampleRateHz)
    var mix = [Float](repeating: 0, count: heard.count)
    let stems = oracle.stems.map { stem -> Signal in
      let samples = Array(stem.signal.samples.prefix(heard.count))
      for (index, sample) in samples.enumerated() { mix[index] += sample }
      return Signal(samples, sampleRateHz: HuntPoint.sampleRateHz)
    }
    return (
      oracle,
      Rendering(
        mix: Signal(mix, sampleRateHz: HuntPoint.sampleRateHz), stems: stems, reportedLatencyMs: 0)
    )
  }

  /// Returns the request for a subject.
  func request(_ settings: SubjectSettings) -> RenderRequest {
    RenderRequest(
      signal: heard, score: score, settings: settings.merging(point.settings) { $1 },
      recording: "hunt", condition: Condition.clean.canonical)
  }
}
