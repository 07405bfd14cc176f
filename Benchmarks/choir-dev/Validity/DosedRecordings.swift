import Analyzer
import CommandSupport
import Corpus
import DSP
import Foundation
import Metrics
import Platform
import Statistics
import Subjects
import Sweep

/// A metric on recordings of people, with doses of the faults that it must follow.
///
/// The clean recording is dose 0. Recordings on which the metric has no value there are left out.
struct DosedRecordings: Codable, Sendable {
  struct Row: Codable, Sendable {
    /// Name of the fault with the unit of its dose; empty for the clean recordings.
    var fault: String
    var dose: Double
    /// Mean over recordings; `nil` if none has a value.
    var mean: Double?
    var byRecording: [String: Double]
  }

  var metric: String
  var rows: [Row]
  /// Recordings without a value on the clean voice, with the reason.
  var leftOut: [String: String] = [:]

  /// Doses for a recogniser of words, for which those of the ladders are too small or missing.
  private static let doses = [
    "consonants dulled, dB": [12.0, 24, 48], "consonants twice, ms apart": [30, 60, 120],
  ]

  /// - Parameter patterns: ids or patterns of recordings.
  init(_ metric: Metric, _ patterns: [String], in corpus: Corpus, jobs: Int) async throws {
    self.metric = metric.id
    let faults = PlantedFault.all.filter { $0.isAbout(metric.id) }
    let steps: [(fault: PlantedFault?, dose: Double)] =
      [(nil, 0)]
      + faults.flatMap { fault in
        (Self.doses[fault.name] ?? fault.ladder).map { (fault, $0) }
      }
    let entries = corpus.entries.filter { entry in
      !entry.isBenchSound && patterns.contains { Wildcard($0).matches(entry.id) }
    }
    let measured = try await entries.concurrentMap(jobs: jobs) { entry in
      let recording = try corpus.recording(entry)
      let lead = recording.truth ?? PitchConsensus.truth(of: recording.signal).track
      func outcome(_ step: (fault: PlantedFault?, dose: Double)) throws -> MetricResult.Outcome {
        var random = SeededGenerator(seed: 1)
        let voice = DamagedVoice(sound: recording.signal, lead: lead) { _ in recording.signal }
        let sound = try step.fault.map { try voice.with($0.damage(step.dose), &random) }
        let observation = Observation(
          recording, score: ResolvedScore(Score(id: "unison", intervalsSemitones: [0]), lead: lead),
          rendering: Rendering(
            mix: sound ?? recording.signal, stems: [sound ?? recording.signal], cpuSeconds: 0),
          delay: .given(ms: 0))
        return metric.measure(observation)[0].outcome
      }
      let clean = try outcome(steps[0])
      return clean.number == nil ? [clean] : [clean] + (try steps.dropFirst().map(outcome))
    }
    var kept: [(id: String, outcomes: [MetricResult.Outcome])] = []
    for (entry, outcomes) in zip(entries, measured) {
      if case .undefined(let reason) = outcomes[0] {
        leftOut[entry.id] = reason.detail
      } else {
        kept.append((entry.id, outcomes))
      }
    }
    rows = steps.indices.map { place in
      let values = kept.compactMap { id, all in all[place].number.map { (id, $0) } }
      return Row(
        fault: steps[place].fault?.name ?? "", dose: steps[place].dose,
        mean: Statistics.mean(values.map(\.1)),
        byRecording: Dictionary(uniqueKeysWithValues: values))
    }
  }

  var text: String {
    var table = TextTable(header: ["fault", "dose", metric, "recordings"])
    table.rows = rows.map { row in
      [
        row.fault.isEmpty ? "none" : row.fault, "\(row.dose)",
        row.mean.map { String(format: "%.3f", $0) } ?? "–", "\(row.byRecording.count)",
      ]
    }
    let gaps = leftOut.sorted { $0.key < $1.key }.map { "left out: \($0.key), \($0.value)" }
    return ([table.text()] + gaps).joined(separator: "\n")
  }
}
