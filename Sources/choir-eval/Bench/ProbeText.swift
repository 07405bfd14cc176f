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
      let header = [aspect.rawValue, "value", "unit", "verdict", "details"]
      let table = TextTable(header: header, of: found) { finding in
        [
          finding.name, format(finding.value, abs(finding.value ?? 1) < 0.1 ? 5 : 2),
          finding.unit ?? "", finding.verdict.rawValue, finding.words,
        ]
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
    let header = [
      "note Hz", "semitones", "block", "rate Hz", "stated ms", "sustained", "beyond stated",
      "onsets", "p5", "p95", "settings",
    ]
    return TextTable(header: header, of: rows) { row in
      [
        format(row.noteHz, 0), format(row.semitones, 0), "\(row.blockSize)",
        format(row.sampleRateHz, 0), format(row.statedMs, 2), format(row.sustainedMs, 2),
        format(row.beyondReportedMs, 2), format(row.onset?.medianMs, 2),
        format(row.onset?.p5Ms, 2), format(row.onset?.p95Ms, 2), row.undefined ?? row.settings,
      ]
    }.text()
  }

  private static func response(_ rows: [EffectProbe.Row]) -> String {
    TextTable(header: ["Hz", "gain dB", "decay s"], of: rows) { row in
      // The sum with 0 takes the sign from a negative zero.
      let gainDb = (100 * row.gainDb).rounded() / 100 + 0
      return [format(row.hz, 0), format(gainDb, 2), row.decaySeconds.map { format($0, 2) } ?? ""]
    }.text()
  }

  private static func cost(_ cost: CostProfile) -> String {
    let header = ["block", "pace", "deadline ms", "p50", "p95", "p99", "p99.9", "max"]
    let blocks = TextTable(header: header, of: cost.spreads) { spread in
      let times = [
        spread.deadlineMs, spread.p50Ms, spread.p95Ms, spread.p99Ms, spread.p999Ms, spread.maxMs,
      ]
      return ["\(spread.blockSize)", spread.pace.rawValue] + times.map { format($0, 3) }
    }
    let voices = TextTable(header: ["voices", "% of a core"], of: cost.voices) {
      ["\($0.voices)", format($0.realtimeFactor * 100, 3)]
    }
    let columns = ["with effect", "adds % of a core", "adds ms"]
    let effects = TextTable(header: columns, of: cost.effects) {
      [$0.effect, format($0.realtimeFactor * 100, 3), format($0.latencyMs, 2)]
    }
    return ([blocks.text()] + (cost.voices.isEmpty ? [] : [voices.text()]) + [effects.text()])
      .joined(separator: "\n\n")
  }
}
