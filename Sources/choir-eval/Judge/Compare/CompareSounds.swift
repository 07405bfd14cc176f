import Analyzer
import AudioFile
import CommandSupport
import Corpus
import DSP
import Foundation
import Gate
import Metrics
import Platform

extension Compare {
  func compareSounds(reference: String, test: String) throws {
    let voices = (try Self.voice(in: test), try Self.voice(in: reference))
    let sounds = (voices.0.sound, voices.1.sound)
    let pair = try SoundPair(
      sounds.0, against: sounds.1, shiftSemitones: semitones ?? 0, delayMs: delayMs)
    let findings = PairFinding.all(of: pair)
    var answer = AnswerText()
    answer.remark([voices.0.remark, voices.1.remark].compactMap(\.self))
    answer.remark(Self.lengths(reference: sounds.1, test: sounds.0))
    Self.write(pair, findings, to: &answer)
    print(
      json
        ? try JSON.text(Self.json(pair, findings, reference: reference, test: test), of: answer)
        : answer.description)
  }

  /// Returns the sound in which `analyze` judges a voice, and a remark where that is not the mean of the channels.
  static func voice(in file: String) throws -> (sound: Signal, remark: String?) {
    let sound = try AudioFile(named: file)
    guard sound.channels.count > 1 else { return (sound.mono, nil) }
    let channels = try RecordingChannels(of: file, [])
    guard let judged = channels.judged else { return (sound.mono, nil) }
    return (sound.channel(judged), "\(file): \(channels.remark!)")
  }

  private static func json(
    _ pair: SoundPair, _ findings: [PairFinding], reference: String, test: String
  ) -> JSONObject {
    let delayIsBy =
      switch pair.delay {
      case .waveform: "waveform"
      case .loudness: "loudness"
      case .contour: "pitch"
      case .given: "given"
      case .unknown: "unknown"
      }
    let metrics = findings.map { finding -> (String, JSONObject) in
      let (figure, outcome) = (finding.figure, finding.measurement.outcome)
      return (
        figure.id,
        [
          "value": JSONObject.orNull(outcome.number), "undefined": outcome.reason?.detail,
          "unit": figure.unit, "better": figure.direction.rawValue,
          "count": finding.measurement.count, "summary": figure.summary, "domain": finding.domain,
        ]
      )
    }
    return [
      "schema": "choir-eval.compare/2", "reference": reference, "test": test,
      "sampleRateHz": pair.reference.signal.sampleRateHz, "shiftSemitones": pair.shiftSemitones,
      "delayMs": pair.delay.ms, "delayIsBy": delayIsBy,
      "metrics": Dictionary(metrics, uniquingKeysWith: { $1 }),
      "instants": pair.instants(),
    ]
  }

  private static func write(
    _ pair: SoundPair, _ findings: [PairFinding], to answer: inout AnswerText
  ) {
    var table = TextTable(header: ["metric", "value", "unit", "better", "n"])
    var reasons: [String: [String]] = [:]
    for finding in findings {
      let figure = finding.figure
      switch finding.measurement.outcome {
      case .value(let value):
        table.rows.append([
          figure.id, Self.digits(value, of: figure.unit), figure.unit,
          figure.direction.rawValue, "\(finding.measurement.count)",
        ])
      case .undefined(let reason): reasons[reason.detail, default: []].append(figure.id)
      }
    }
    let undefined = reasons.sorted { $0.key < $1.key }.map {
      "undefined: \($0.value.joined(separator: ", ")): \($0.key)"
    }
    answer.remark(words(for: pair.delay), "")
    answer.figures(table.text())
    answer.remark([""] + undefined)
    let instants = pair.instants()
    guard !instants.isEmpty else { return }
    answer.figures("\nthey differ most at:\n" + InstantTable.text(instants, indent: "  "))
  }

  static func digits(_ value: Double, of unit: String) -> String {
    fixed(value, unit == "count" ? 0 : 3)
  }

  /// Returns a delay in words, such as `3.20 ms later`.
  static func lateness(ms: Double) -> String {
    abs(ms) < 0.005 ? "not later" : "\(format(abs(ms), 2)) ms \(ms > 0 ? "later" : "earlier")"
  }

  static func words(for delay: SoundDelay) -> String {
    let late = lateness(ms: delay.ms ?? 0)
    return switch delay {
    case .waveform(let found):
      "the test is \(late), by waveform (correlation \(format(found.correlation, 2)))"
    case .loudness(let found):
      "the test is \(late), by loudness (correlation \(format(found.correlation, 2)))"
    case .contour(let found, _):
      (delay.ms == nil ? "\(found.trajectory)" : "the test is \(late)")
        + ", by its pitch contour (standard deviation \(format(found.deviationMs, 2)) ms)"
    case .given: "the test is assumed to be \(late), as given"
    case .unknown(let reason):
      "the delay of the test is unknown: \(reason). Figures that need it are undefined; --delay-ms "
        + "states it"
    }
  }

  /// A remark on the lengths if one sound is at least a tenth shorter.
  static func lengths(reference: Signal, test: Signal) -> [String] {
    let seconds = [reference, test].map { Double($0.count) / $0.sampleRateHz }
    guard seconds.min()! < 0.9 * seconds.max()! else { return [] }
    return [
      "the reference lasts \(format(seconds[0], 2)) s, the test \(format(seconds[1], 2)) s: only "
        + "the common part is compared"
    ]
  }
}

/// The instants at which two sounds differ, for a terminal.
enum InstantTable {
  static func text(_ instants: [SoundPair.Instant], indent: String) -> String {
    instants.map { instant in
      let seconds = format(instant.atSeconds, 2)
      let padding = String(repeating: " ", count: max(0, 7 - seconds.count))
      return "\(indent)\(padding)\(seconds) s  \(instant.words)"
    }.joined(separator: "\n")
  }
}

extension DifferingInstants {
  var text: String {
    let instants =
      instants.isEmpty
      ? "the sounds before and after"
      : "the sounds differ most at\n" + InstantTable.text(instants, indent: "  ")
    return
      "\(Condition.place(recording, condition)): \(instants)\n  listen to \(baselineFile)\n            "
      + candidateFile
  }
}
