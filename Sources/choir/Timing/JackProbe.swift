import ArgumentParser
import CommandSupport
import Foundation
import Instrument
import Platform
import Subjects

struct JackProbe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jack",
    abstract: "Measure a client of a running JACK server from outside.",
    discussion: """
      Measures sound-to-sound delay, jitter, the time from a key to its settled pitch, xruns, and \
      load over block sizes. With PipeWire, write pw-jack before the command.

        choir timing jack zita-at1
        choir timing jack choir:out_1 --blocks 32,64,128,256,512,1024

      Exit codes: 0 measured; 1 a verdict is poor, with --strict; 2 nothing could be measured; 64 \
      misuse.
      """)

  @Argument(help: "JACK client to measure, as CLIENT or CLIENT:PORT.") var client: String
  @Option(help: "Port to send sound to; default: the client's first.") var jackInput: String?
  @Option(help: "Port to send keys to; default: the client's first.") var jackMidi: String?
  @Option(help: "Block sizes to measure at, such as 32,64,1024.", eachIn: 16...8192)
  var blocks: NumberList?
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness
  @Flag(help: "Exit with 1 if a verdict is poor.") var strict = false

  func run() throws {
    let output = try measured { Terminal.stage($0) }
    print(json ? try JSON.text(output) : Self.text(output))
    let measured = output.findings.filter { $0.aspect != .cost }
    guard measured.contains(where: { $0.value != nil }) else {
      Terminal.printError("\(client): nothing could be measured; see the reasons in the table")
      throw ExitCode(2)
    }
    if strict, output.findings.contains(where: { $0.verdict == .poor }) { throw ExitCode(1) }
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

  struct Output: Encodable {
    var schema = "choir.jack-probe/1"
    var subject: String
    var sampleRateHz: Double
    fileprivate(set) var findings: [ProbeFinding]
    var blocks: [Row]
  }

  private func measured(report: (String) -> Void) throws -> Output {
    let blockSizes = blocks?.values.map { Int($0) } ?? []
    let loop = try JackLoop(through: client, input: jackInput, midi: jackMidi)
    defer { loop.close() }
    let startSize = loop.sender.blockSize
    report("\(client) at \(startSize) frames")
    let probe = try LoopProbe(loop)
    let load = loop.sender.serverLoad
    var output = Output(
      subject: client, sampleRateHz: loop.sampleRateHz, findings: probe.findings, blocks: [])
    for size in blockSizes {
      report("blocks of \(size)")
      output.blocks.append(row(loop, size))
    }
    if !blockSizes.isEmpty {
      do { try loop.sender.setBlockSize(startSize) } catch {
        Terminal.printError("warning: the server keeps its last block size: \(error)")
      }
    }
    let xruns = probe.xrunCount + output.blocks.reduce(0) { $0 + $1.xruns }
    output.findings.append(
      ProbeFinding(
        .cost, "xruns", Double(xruns), "count", xruns == 0 ? .good : .poor,
        xruns == 0
          ? "the server missed no period" : "periods that the server missed, whoever was late"))
    output.findings.append(
      ProbeFinding(
        .cost, "server_load", 100 * load, "%", .measured,
        "of the whole server at \(startSize) frames, as it states it"))
    return output
  }

  private func row(_ loop: JackLoop, _ size: Int) -> Row {
    var row = Row(blockSize: size, xruns: 0, load: 0)
    do {
      try loop.sender.setBlockSize(size)
      loop.settle()
      let probe = try LoopProbe(loop, isBrief: true)
      row.delaySamples = probe.bursts?.delaySamples.map(Double.init)
      row.delayMs = row.delaySamples.map { $0 / loop.sampleRateHz * 1000 }
      row.jitterMs = probe.findings.first { $0.name == "waveform.jitter" }?.value
      row.undefined = probe.findings.first { $0.verdict == .undefined }?.words
      (row.xruns, row.load) = (probe.xrunCount, loop.sender.serverLoad)
    } catch { row.undefined = "\(error)" }
    return row
  }

  private static func text(_ output: Output) -> String {
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
