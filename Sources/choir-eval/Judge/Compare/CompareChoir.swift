import AudioFile
import CommandSupport
import DSP
import Foundation
import Metrics
import Platform
import Probes

extension Compare {
  /// Judges each voice inside a finished mix.
  func compareChoir(recording: String, mix: String, _ intervals: [Double]) throws {
    let sounds = (try AudioFile(named: recording).mono, try AudioFile(named: mix).mono)
    Terminal.stage("judging \(counted(intervals.count, "voice"))")
    let comparison = try ChoirComparison(
      sounds.1, madeFrom: sounds.0, intervals: intervals, holdsDryVoice: dry)
    let names = intervals.map(Self.name(ofInterval:))
    var answer = AnswerText()
    answer.remark(Self.lengths(reference: sounds.0, test: sounds.1))
    answer.remark(Self.delay(of: comparison), "")
    answer.figures(Self.figures(comparison, names: names))
    print(
      json
        ? try JSON.text(
          ChoirComparisonText(reference: recording, test: mix, names: names, comparison),
          of: answer)
        : answer.description)
  }

  /// Name of a voice by its interval, such as `+4`.
  private static func name(ofInterval semitones: Double) -> String {
    let number = semitones == semitones.rounded() ? format(semitones, 0) : "\(semitones)"
    return semitones > 0 ? "+\(number)" : number
  }

  private static func figures(_ comparison: ChoirComparison, names: [String]) -> String {
    let isMix = names.count > 1
    var table = TextTable(
      header: ["metric", "unit", "better"] + (isMix ? ["all"] : []) + names)
    for row in comparison.rows where row.hasValue {
      func cell(_ result: MetricResult?) -> String {
        guard case .value(let value)? = result?.outcome else { return "–" }
        return digits(value, of: row.metric.unit)
      }
      let voices = names.indices.map { voice in
        cell(row.voices.first { $0.voice == voice } ?? (isMix ? nil : row.whole))
      }
      table.rows.append(
        [row.metric.id, row.metric.unit, row.metric.direction.rawValue]
          + (isMix ? [cell(row.whole)] : []) + voices)
    }
    let instants = comparison.instants().map { instant in
      let name = instant.voice.map { names[$0] } ?? ""
      let amount = instant.unit == "cents" ? "\(format(instant.value, 0)) cents, " : ""
      return "  \(format(instant.atSeconds, 2)) s  voice \(name): \(amount)\(instant.words)"
    }
    return
      ([table.text()] + (instants.isEmpty ? [] : ["", "worst instants:"] + instants)
      + ["", "–: no value; --json gives the reasons."]).joined(separator: "\n")
  }

  private static func delay(of comparison: ChoirComparison) -> String {
    words(for: comparison.observation.delay)
  }
}

/// The output of `compare --intervals --json`.
private struct ChoirComparisonText: Encodable {
  var schema = "choir-eval.compare-choir/1"
  var reference: String
  var test: String
  /// Delay by which the targets were aligned; null if it is unknown.
  var delayMs: Double?
  /// Figures by their ids.
  var metrics: [String: Figure] = [:]
  /// Worst instants; a voice is its index in the intervals.
  var instants: [Explanation.Instant]

  struct Figure: Encodable {
    var unit: String
    var better: String
    var summary: String
    var domain: String
    /// Values of the whole sound or of its voices, which are named by interval, such as `+4`.
    var values: [ResultJSON<String>]
  }

  init(reference: String, test: String, names: [String], _ comparison: ChoirComparison) {
    (self.reference, self.test) = (reference, test)
    delayMs = comparison.observation.delay.ms
    instants = comparison.instants()
    for row in comparison.rows {
      metrics[row.metric.id] = Figure(
        unit: row.metric.unit, better: row.metric.direction.rawValue,
        summary: row.metric.summary, domain: row.metric.domain,
        values: ([row.whole].compactMap { $0 } + row.voices).map { result in
          ResultJSON(result, voice: result.voice.map { names[$0] })
        })
    }
  }
}
