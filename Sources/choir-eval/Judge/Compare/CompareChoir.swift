import AudioFile
import CommandSupport
import DSP
import Foundation
import Metrics
import Platform
import Probes
import Subjects

extension Compare {
  /// Judges each voice inside a finished mix.
  func compareChoir(recording: String, mix: String, _ intervals: [Double]) throws {
    let voices = (try Self.voice(in: recording), try Self.voice(in: mix))
    let sounds = (voices.0.sound, voices.1.sound)
    Terminal.stage("judging \(counted(intervals.count, "voice"))")
    let comparison = try ChoirComparison(
      sounds.1, madeFrom: sounds.0, intervals: intervals, holdsDryVoice: dry)
    let names = intervals.map(Self.name(ofInterval:))
    var answer = AnswerText()
    answer.remark([voices.0.remark, voices.1.remark].compactMap(\.self))
    answer.remark(Self.lengths(reference: sounds.0, test: sounds.1))
    answer.remark(Self.delay(of: comparison), "")
    answer.figures(Self.figures(comparison, names: names))
    print(
      json
        ? try JSON.text(
          Self.json(comparison, recording: recording, mix: mix, names: names), of: answer)
        : answer.description)
  }

  /// Name of a voice by its interval, such as `+4`.
  private static func name(ofInterval semitones: Double) -> String {
    let number = semitones == semitones.rounded() ? format(semitones, 0) : "\(semitones)"
    return semitones > 0 ? "+\(number)" : number
  }

  /// Figures by their ids, for the whole sound and for voices, which are named by interval, such as `+4`.
  private static func json(
    _ comparison: ChoirComparison, recording: String, mix: String, names: [String]
  ) -> JSONObject {
    let metrics = comparison.rows.map { row -> (String, JSONObject) in
      let results = [row.whole].compactMap(\.self) + row.voices
      return (
        row.metric.id,
        [
          "unit": row.metric.unit, "better": row.metric.direction.rawValue,
          "summary": row.metric.summary, "domain": row.metric.domain,
          "values": results.map { result in
            result.json(voice: result.voice.map { names[$0] })
          },
        ]
      )
    }
    return [
      "schema": "choir-eval.compare-choir/1", "reference": recording, "test": mix,
      "delayMs": comparison.observation.delay.ms,
      "metrics": Dictionary(metrics, uniquingKeysWith: { $1 }), "instants": comparison.instants(),
    ]
  }

  private static func figures(_ comparison: ChoirComparison, names: [String]) -> String {
    let isMix = names.count > 1
    var table = TextTable(header: ["metric", "unit", "better"] + (isMix ? ["all"] : []) + names)
    for row in comparison.rows where row.hasValue {
      func cell(_ result: MetricResult?) -> String {
        guard let value = result?.outcome.number else { return "–" }
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
      let name = instant.voice.map { Score.words(forVoice: names[$0]) } ?? ""
      let amount = instant.unit == "cents" ? "\(format(instant.value, 0)) cents, " : ""
      return "  \(format(instant.atSeconds, 2)) s  \(name): \(amount)\(instant.words)"
    }
    return
      ([table.text()] + (instants.isEmpty ? [] : ["", "worst instants:"] + instants)
      + ["", "–: no value; --json gives the reasons."]).joined(separator: "\n")
  }

  private static func delay(of comparison: ChoirComparison) -> String {
    words(for: comparison.observation.delay)
  }
}
