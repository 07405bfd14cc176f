import ArgumentParser
import CommandSupport
import Files
import Foundation
import JackAudio
import Probes

/// The measurement of a JACK client by `probe --jack`.
package struct ProbeJack {
  private let client: String
  private let input: String?
  private let midi: String?
  private let blockSizes: [Int]

  /// - Parameter blockSizes: sizes to measure at; empty for the present one.
  package init(client: String, input: String?, midi: String?, blockSizes: [Int]) {
    (self.client, self.input, self.midi) = (client, input, midi)
    self.blockSizes = blockSizes
  }

  /// Result of one block size.
  struct Row: Encodable {
    var blockSize: Int
    var delaySamples: Double?
    var delayMs: Double?
    var jitterMs: Double?
    var xruns: Int
    /// Load of the whole server, 0 to 1.
    var load: Double
    var undefined: String?
  }

  package struct Output: Encodable {
    var schema = "choir-eval.jack-probe/1"
    var subject: String
    var sampleRateHz: Double
    package fileprivate(set) var findings: [ProbeFinding]
    var blocks: [Row]
  }

  package func run(report: (String) -> Void) throws -> Output {
    let loop = try JackLoop(through: client, input: input, midi: midi)
    defer { loop.close() }
    let usual = loop.sender.blockSize
    report("\(client) at \(usual) frames")
    let probe = try LoopProbe(loop)
    var output = Output(
      subject: client, sampleRateHz: loop.sampleRateHz, findings: probe.findings, blocks: [])
    for size in blockSizes {
      report("blocks of \(size)")
      output.blocks.append(row(loop, size))
    }
    if !blockSizes.isEmpty { try loop.sender.setBlockSize(usual) }
    let xruns = probe.xrunCount + output.blocks.reduce(0) { $0 + $1.xruns }
    output.findings.append(
      ProbeFinding(
        .cost, "xruns", Double(xruns), "count", xruns == 0 ? .good : .poor,
        xruns == 0
          ? "the server missed no period" : "periods that the server missed, whoever was late"))
    output.findings.append(
      ProbeFinding(
        .cost, "server_load", 100 * loop.sender.serverLoad, "%", .measured,
        "of the whole server at \(usual) frames, as it states it"))
    return output
  }

  private func row(_ loop: JackLoop, _ size: Int) -> Row {
    var row = Row(blockSize: size, xruns: 0, load: 0)
    do {
      try loop.sender.setBlockSize(size)
      // The graph starts anew.
      usleep(UInt32(8e6 * Double(size) / loop.sampleRateHz) + 50_000)
      let probe = try LoopProbe(loop, isBrief: true)
      row.delaySamples = probe.bursts?.delaySamples.map(Double.init)
      row.delayMs = row.delaySamples.map { $0 / loop.sampleRateHz * 1000 }
      row.jitterMs = probe.findings.first { $0.name == "waveform.jitter" }?.value
      row.undefined = probe.findings.first { $0.verdict == .undefined }?.words
      (row.xruns, row.load) = (probe.xrunCount, loop.sender.serverLoad)
    } catch { row.undefined = "\(error)" }
    return row
  }

  package static func text(_ output: Output) -> String {
    var parts = ["\(output.subject) by JACK at \(Int(output.sampleRateHz)) Hz"]
    var table = TextTable(header: ["finding", "value", "unit", "verdict", "details"])
    table.textColumns = [4]
    table.rows = output.findings.map { finding in
      [
        "\(finding.aspect.rawValue) \(finding.name)",
        format(finding.value, abs(finding.value ?? 1) < 0.1 ? 5 : 2), finding.unit ?? "",
        finding.verdict.rawValue, finding.words,
      ]
    }
    parts.append(table.text())
    if !output.blocks.isEmpty {
      var blocks = TextTable(
        header: ["block", "delay samples", "ms", "jitter ms", "xruns", "load %", ""])
      blocks.rows = output.blocks.map { row in
        [
          "\(row.blockSize)", format(row.delaySamples, 0), format(row.delayMs, 3),
          format(row.jitterMs, 3), "\(row.xruns)", format(100 * row.load, 1), row.undefined ?? "",
        ]
      }
      parts.append(blocks.text())
    }
    return parts.joined(separator: "\n\n")
  }
}
