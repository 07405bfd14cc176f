import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Metrics
import Platform
import Probes
import Subjects
import Sweep

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain one number of a run: its source, its worst instants, its audio.",
    discussion: """
      Use it to find the cause of a regression or an outlier. Name the cell by the beginning of its \
      key, or by words of its label: recording, score, settings. The cell is rendered again, and \
      its audio is written to a folder.

        choir-eval explain 3fa9 pitch.abs_error.p95
        choir-eval explain "alto-vowels/third" pitch.abs_error.p95 --run demo
      """)

  @Argument(help: "Beginning of a key, or words of a label.") var cell: String
  @Argument(help: "Id of a metric.", completion: .metrics) var metric: String
  @OptionGroup var places: StoreOptions
  @Option(name: .customLong("run"), help: "Name of a run; default: the last one.")
  var runName: String?
  @Option(help: "Folder for the audio; default: Reports/explain/KEY.", completion: .directory)
  var output: String?
  @Flag(help: "Write no audio.") var noFiles = false
  @OptionGroup var overwriting: Overwriting
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    // A store makes its own metrics known. A missing one is reported after a misspelt id.
    let store = Result { try ResultStore(reading: places.storeFile) }
    if Metric.metric(id: metric) == nil { throw ValidationError("\(Metric.unknown(metric)).") }
    let stored = try store.get().run(named: runName)
    let found = Explanation.cells(cell, in: stored)
    guard let chosen = found.first, found.count == 1 else {
      if found.isEmpty {
        Terminal.printError(
          "no cell of the run '\(stored.plan.name)' has a key or label like '\(cell)'; choose "
            + "one of its cells, such as:")
      } else {
        Terminal.printError("'\(cell)' matches \(found.count) cells; name one of them:")
      }
      for other in (found.isEmpty ? stored.cells : found).prefix(12) {
        Terminal.write("  \(other.key.prefix(12))  \(other.label)\n")
      }
      throw ExitCode(64)
    }
    if let output, !noFiles {
      var outputs = OutputFiles(reading: [places.store], force: overwriting.force)
      for name in Explanation.fileNames(voices: chosen.score.voiceLabels.count) {
        try outputs.claim("\(output)/\(name)")
      }
    }
    let folder = URL(fileURLWithPath: output ?? "Reports/explain/\(chosen.key.prefix(12))")
    let explanation = try Explanation(
      of: chosen, of: stored, metric: metric, corpus: places.place.read(),
      into: noFiles ? nil : folder)
    let command = remake(chosen, stored)
    print(
      json
        ? try JSON.text(Self.json(explanation, command: command))
        : Self.text(explanation, command: command))
  }

  private func remake(_ cell: CellResult, _ run: StoredRun) -> String {
    let words = [
      "choir-eval", "explain", String(cell.key.prefix(12)), metric, "--run", run.plan.name,
    ]
    let files = noFiles ? ["--no-files"] : output.map { ["--output", $0] } ?? []
    return ShellWords.line(words + places.words + files)
  }

  private static func json(_ found: Explanation, command: String) -> JSONObject {
    let (cell, metric) = (found.cell, found.metric)
    return [
      "schema": "choir-eval.explain/1", "cell": cell.key, "label": cell.label,
      "metric": metric.id, "version": metric.version, "unit": metric.unit,
      "better": metric.direction.rawValue, "summary": metric.summary, "domain": metric.domain,
      "measurements": found.measurements.map { $0.json(voice: $0.voice) },
      "remade": found.remade.map { $0.json(voice: $0.voice) }, "worst": found.worst,
      "noInstants": found.noInstants.map { "\($0)" }, "files": found.files.map(\.relativePath),
      "command": command,
      // Of the stored figures; `remade` is measured now.
      "provenance": cell.provenance, "changes": found.changes, "note": cell.note,
    ]
  }

  private static func text(_ found: Explanation, command: String) -> String {
    let metric = found.metric
    var lines = [
      "\(metric.id) of \(found.cell.label)", "",
      "what    \(metric.summary)", "unit    \(metric.unit), better: \(metric.direction.rawValue)",
      "domain  \(metric.domain)", "version \(metric.version)",
    ]
    if let provenance = found.cell.provenance {
      lines += [
        "subject \(found.cell.subject) version \(provenance.subjectVersion)",
        "by      \(provenance.toolkit.program), on \(provenance.machine)",
      ]
    }
    lines += found.changes.map { "changed since the run: \($0)" }
    if let note = found.cell.note { lines.append("note    \(note)") }
    for (index, measurement) in found.measurements.enumerated() {
      let labels = found.cell.score.voiceLabels
      let label = measurement.voice.map { voice in
        "voice \(voice + 1)" + (labels.indices.contains(voice) ? " (\(labels[voice]))" : "")
      }
      var line = "\(label ?? "whole"): \(words(measurement)), n = \(measurement.count)"
      let again = index < found.remade.count ? found.remade[index] : nil
      if let again, !same(measurement, again) { line += "; rendered again: \(words(again))" }
      lines.append(line)
    }
    lines.append("")
    if let reason = found.noInstants {
      lines.append("no instants: \(reason)")
    } else if found.worst.isEmpty {
      lines.append("no instants: nothing stands out")
    } else {
      var table = TextTable(header: ["at s", "voice", "value", "unit", "finding"])
      for instant in found.worst {
        table.rows.append([
          format(instant.atSeconds, 3), instant.voice.map { "\($0 + 1)" } ?? "all",
          format(instant.value, 1), instant.unit, instant.words,
        ])
      }
      lines.append(table.text())
    }
    if !found.files.isEmpty {
      lines += ["", "listen to:"] + found.files.map { "  \($0.relativePath)" }
    }
    return (lines + ["", "repeat: \(command)"]).joined(separator: "\n")
  }

  private static func words(_ measurement: MetricResult) -> String {
    switch measurement.outcome {
    case .value(let value): format(value, 4)
    case .undefined(let reason): "undefined: \(reason)"
    }
  }

  /// Compares two measurements up to rounding.
  private static func same(_ a: MetricResult, _ b: MetricResult) -> Bool {
    if case .value(let x) = a.outcome, case .value(let y) = b.outcome {
      return abs(x - y) <= 1e-6 * max(1, abs(x))
    }
    return a.outcome == b.outcome
  }
}

extension MetricResult {
  /// The result in JSON: a value, or null with its reason.
  ///
  /// - Parameter voice: the voice, `nil` for the whole sound.
  func json(voice: (any Encodable)?) -> JSONObject {
    [
      "voice": JSONObject.orNull(voice), "value": JSONObject.orNull(outcome.number),
      "undefined": outcome.reason?.detail, "count": count,
    ]
  }
}
