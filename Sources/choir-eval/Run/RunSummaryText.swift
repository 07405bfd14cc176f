import CommandSupport
import Corpus
import Foundation
import Platform
import Subjects
import Sweep

/// The summary of a run, as text and as JSON.
enum RunSummaryText {
  static func write(_ run: StoredRun, to answer: inout AnswerText) {
    answer.figures(tables(run))
    answer.remark(remarks(on: run))
  }

  private static func tables(_ run: StoredRun) -> String {
    let summaries = run.summaries()
    let tables = run.plan.scores.map { score in
      let rows = summaries.filter { $0.score.id == score.id }
      return heading(score) + "\n\n" + table(rows, score, run.plan.axisNames).text()
    }
    return ([run.plan.title] + tables + [legend(run)]).joined(separator: "\n\n")
  }

  private static func heading(_ score: Score) -> String {
    let title = score.title.map { " (\($0))" } ?? ""
    return "score \(score.id)\(title): " + score.voiceLabels.joined(separator: ", ")
  }

  private static func table(
    _ rows: [SettingSummary], _ score: Score, _ names: [String]
  ) -> TextTable {
    let voices = score.voiceLabels.map { "\($0): ¢ med/p95" }
    let formants = score.voiceLabels.map { "formants \($0)" }
    let conditioned = rows.contains { $0.condition != "clean" }
    // Only some plans have the latency probe.
    let hasImpulses = rows.contains { $0.latencyMs != nil }
    var table = TextTable(
      header: (conditioned ? ["condition"] : []) + names + voices + ["latency ms"]
        + (hasImpulses ? ["of impulses", "predicted"] : []) + formants + ["real-time factor"])
    for row in rows {
      table.rows.append(
        (conditioned ? [row.condition] : []) + names.map { row.choice(of: $0)?.description ?? "–" }
          + row.voices.map {
            "\(format($0.errorCents?.value, 1)) / "
              + format($0.figures["pitch.abs_error.p95"]?.value, 0)
          }
          + [format(row.onsetLatencyMs?.value, 1)]
          + (hasImpulses ? [format(row.latencyMs, 1), format(row.predictedLatencyMs, 1)] : [])
          + row.voices.map { format($0.figures["formant.ratio"]?.value, 2) }
          + [format(row.realtimeFactor?.value, 4)])
    }
    return table
  }

  private static func legend(_ run: StoredRun) -> String {
    var lines = [
      "¢ med/p95: pitch error of a voice in cents, median and 95th percentile of frames; latency: "
        + "sound to sound; formants: 1 if kept, the pitch ratio if they moved with the pitch. "
        + "Medians over recordings."
    ]
    if run.cells.contains(where: { $0.isProbe }) {
      lines.append(
        "Of impulses: latency of single impulses, mean over voices, and the prediction of the "
          + "engine's law; an offline program may place impulses differently from a voice.")
    }
    return lines.joined(separator: "\n")
  }

  private static func remarks(on run: StoredRun) -> [String] {
    var lines: [String] = []
    if let most = run.undefinedCounts().first(where: { !$0.doesNotApply }) {
      lines.append("Missing most often: \(most.metric) (\(most.reason)).")
    }
    if run.cells.count < run.plannedCells {
      lines.append("\(counted(run.plannedCells - run.cells.count, "cell")) remain.")
    }
    return lines
  }

  static func json(
    _ run: StoredRun, _ outcome: Sweep.Outcome, of answer: AnswerText
  ) throws -> String {
    let output: JSONObject = [
      "schema": "choir-eval.run/3", "plan": run.plan, "plannedCells": run.plannedCells,
      "cells": run.cells.count,
      // `complete`, `outOfTime` or `stopped`.
      "end": "\(outcome.end)",
      "notBegun": outcome.left.map { cell -> JSONObject in
        [
          "recording": cell.recording.id, "condition": cell.condition.canonical,
          "score": cell.score.id, "subject": cell.subjectID, "settings": cell.settings,
          "key": cell.key,
        ]
      },
      "failures": run.failures.map { "\($0.recording) \($0.settings): \($0.reason)" },
      "summaries": run.summaries(), "undefined": run.undefinedCounts(),
    ]
    return try JSON.text(output, of: answer)
  }
}
