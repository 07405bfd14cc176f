import CommandSupport
import Corpus
import Foundation
import Metrics
import Platform
import Probes
import Subjects

/// The findings of a probe for a terminal.
enum ProbeText {
  static func text(_ probe: SubjectProbe) -> String {
    let chosen = probe.settings.isEmpty ? "" : " with \(probe.settings.canonical)"
    var parts = ["\(probe.subject) \(probe.version)\(chosen)"]
    let aspects = ProbeFinding.Aspect.allCases
    for aspect in aspects {
      let found = probe.findings.filter { $0.aspect == aspect }
      guard !found.isEmpty else { continue }
      var table = TextTable(header: [aspect.rawValue, "value", "unit", "verdict", "details"])
      for finding in found {
        let small = abs(finding.value ?? 1) < 0.1
        table.rows.append([
          finding.name, format(finding.value, small ? 5 : 2), finding.unit ?? "",
          finding.verdict.rawValue, finding.words,
        ])
      }
      parts.append(table.text())
      if aspect == .latency, !probe.latency.isEmpty { parts.append(latency(probe.latency)) }
      if aspect == .effect, !probe.response.isEmpty { parts.append(response(probe.response)) }
      if aspect == .cost, let cost = probe.cost { parts.append(self.cost(cost)) }
    }
    let poor = probe.findings.count { $0.verdict == .poor }
    let undefined = probe.findings.count { $0.verdict == .undefined }
    parts.append(
      "\(counted(probe.findings.count, "finding")): \(poor) poor, \(undefined) undefined, each with its reason."
    )
    return parts.joined(separator: "\n\n")
  }

  private static func latency(_ rows: [LatencyProbe.Row]) -> String {
    var table = TextTable(header: [
      "note Hz", "semitones", "block", "rate Hz", "stated ms", "sustained", "beyond stated",
      "onsets", "p5", "p95", "settings",
    ])
    for row in rows {
      table.rows.append([
        format(row.noteHz, 0), format(row.semitones, 0), "\(row.blockSize)",
        format(row.sampleRateHz, 0), format(row.statedMs, 2), format(row.sustainedMs, 2),
        format(row.beyondReportedMs, 2), format(row.onset?.medianMs, 2),
        format(row.onset?.p5Ms, 2), format(row.onset?.p95Ms, 2), row.undefined ?? row.settings,
      ])
    }
    return table.text()
  }

  private static func response(_ rows: [EffectProbe.Row]) -> String {
    var table = TextTable(header: ["Hz", "gain dB", "decay s"])
    for row in rows {
      // The sum with 0 takes the sign from a negative zero.
      let gainDb = (100 * row.gainDb).rounded() / 100 + 0
      table.rows.append([
        format(row.hz, 0), format(gainDb, 2), row.decaySeconds.map { format($0, 2) } ?? "",
      ])
    }
    return table.text()
  }

  private static func cost(_ cost: CostProfile) -> String {
    var blocks = TextTable(header: [
      "block", "pace", "deadline ms", "p50", "p95", "p99", "p99.9", "max",
    ])
    for spread in cost.spreads {
      blocks.rows.append(
        ["\(spread.blockSize)", spread.pace.rawValue]
          + [
            spread.deadlineMs, spread.p50Ms, spread.p95Ms, spread.p99Ms, spread.p999Ms,
            spread.maxMs,
          ].map { format($0, 3) })
    }
    var voices = TextTable(header: ["voices", "% of a core"])
    for row in cost.voices {
      voices.rows.append(["\(row.voices)", format(row.realtimeFactor * 100, 3)])
    }
    var effects = TextTable(header: ["with effect", "adds % of a core", "adds ms"])
    for row in cost.effects {
      effects.rows.append([
        row.effect, format(row.realtimeFactor * 100, 3), format(row.latencyMs, 2),
      ])
    }
    return ([blocks.text()] + (cost.voices.isEmpty ? [] : [voices.text()]) + [effects.text()])
      .joined(separator: "\n\n")
  }
}
