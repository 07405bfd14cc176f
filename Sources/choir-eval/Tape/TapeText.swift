import CommandSupport
import Foundation
import Platform
import Probes

/// The properties of a recording of a test tape, for a terminal.
enum TapeText {
  static func answer(_ named: TapeOptions.NamedReading) -> String {
    let reading = named.reading
    var lines = ["\(named.file):"]
    func add(_ name: String, _ text: String) {
      lines.append("  " + name.padding(toLength: 10, withPad: " ", startingAt: 0) + text)
    }
    add("start", "\(fixed(reading.startSeconds, 3)) s")
    add(
      "drift",
      "\(fixed(reading.driftPpm)) ± \(fixed(reading.driftDeviationPpm)) ppm, "
        + (reading.undoesDrift ? "undone" : "too little to undo"))
    add(
      "gain",
      "\(fixed(reading.gainDb)) dB of the \(reading.isAbsolute ? "dry channel" : "marks"), undone"
        + (reading.isInverted == true ? "; inverted" : ""))
    add("noise", "\(fixed(reading.noiseDbfs)) dBFS in the pauses")
    if let latency = reading.latencyMs {
      add(
        "latency",
        "\(fixed(latency)) ms by the marks, \(fixed(reading.jitterMs)) ms jitter, "
          + "\(fixed(reading.delayDriftPpm ?? 0)) ppm drift")
    } else {
      add(
        "latency",
        "relative, because there is no dry channel; \(fixed(reading.jitterMs)) ms jitter of the marks"
      )
    }
    for (reason, names) in Dictionary(
      grouping: reading.unmeasured.keys.sorted(),
      by: {
        reading.unmeasured[$0]!
      }
    ).sorted(by: { $0.key < $1.key }) {
      add("undefined", "\(names.joined(separator: ", ")): \(reason)")
    }
    for (recording, reason) in reading.lostParts.sorted(by: { $0.key < $1.key }) {
      add("left out", "\(recording): \(reason)")
    }
    for finding in named.findings {
      let value = finding.value.map { "\($0.short) \(finding.unit ?? ""), " } ?? ""
      add("bench", "\(finding.aspect.rawValue) \(finding.name): \(value)\(finding.words)")
    }
    for warning in reading.warnings { add("warning", warning) }
    return lines.joined(separator: "\n")
  }
}
