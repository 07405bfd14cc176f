import Analyzer
import ArgumentParser
import CommandSupport
import Foundation
import Platform
import Subjects

struct Timing: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure latency and cost of everything an app can do with a voice.",
    discussion: """
      Use it to see what a combination of tuner, choir and effects costs on this machine. Each row \
      is a process (none, the tuner, a choir of --voices by --subject, or both), a source (a live voice in \
      blocks, or a recorded sample at three speeds), and effects. By default only the unprocessed \
      live voice has effects: each one by itself, and larger sets that cover every on-off \
      combination of any two. With --full every process and source has every set of up to three \
      effects, and larger sets that cover every combination of any three. The number of rows and a \
      forecast come first.

        choir timing
        choir timing --subject vocoder --voices 4
        choir timing --subject delayline --set windowMs=20 --set crossfadeMs=5
        choir timing --full --dry-run
        choir timing --full --json > timing.json
      """)

  @Option(
    help: "Harmonizer: an engine, or a plugin's subject, by id or file.",
    completion: .subjects)
  var subject = "reference"
  @Option(help: "Setting of the harmonizer, NAME=VALUE; repeatable.") var set: [String] = []
  @Option(help: "Voices of the choir.", in: 1...8) var voices = 2
  @OptionGroup var place: CorpusOption
  @Flag(help: "Measure every process and source with every set of effects.") var full = false
  @Flag(help: "Print the number of rows and a forecast, and stop.") var dryRun = false
  @Option(help: "Frames in a block.", in: 1...8192) var block = 128
  @Option(help: "Sample rate.", in: Bounds.sampleRateHz) var rateHz = 48_000.0
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func run() throws {
    let timing = try TimingRun(
      TimingPlan(isFull: full), blockSize: block, sampleRateHz: rateHz,
      of: Subjects.subject(id: subject, in: place.subjects),
      settings: NamedValues.settings(set, of: "--set"), voices: voices)
    let seconds = try timing.forecastSeconds()
    let size = "\(timing.plan.rowCount) rows, about \(ProgressBar.clock(seconds))"
    if dryRun { return print(size) }
    Terminal.progress(size + "\n")
    var bar = ProgressBar(total: timing.plan.rowCount)
    let rows = try timing.rows { bar.advance(to: "\($0.process.rawValue) · \($0.source)") }
    let exports = try timing.exportFactors()
    if json {
      return print(
        try JSON.text(
          [
            "schema": "choir.timing/2", "peakMemoryMB": Self.peakMemoryMB,
            "exportRealtimeFactors": Dictionary(
              uniqueKeysWithValues: exports.map { ($0.format.rawValue, $0.factor) }),
            "subject": subject, "voices": voices, "blockSize": block,
            "sampleRateHz": rateHz, "isFull": full, "rows": rows.map(\.json),
          ] as JSONObject))
    }
    print(Self.table(rows))
    let times = exports.map { "\($0.format) \(format($0.factor * 1000, 1)) ms" }
    print("export of 1 s of stereo: \(times.joined(separator: ", "))")
    print(Self.minimumRequirements(rows))
  }

  /// Returns the minimum requirements of all rows: its memory, and its core against this one.
  static func minimumRequirements(_ rows: [TimingRun.Row]) -> String {
    guard let costliest = rows.max(by: { $0.realtimeFactor < $1.realtimeFactor }) else { return "" }
    return "minimum requirements: \(format(peakMemoryMB, 0)) MB for the process, and a core of "
      + "\(format(costliest.realtimeFactor * 100, 2)) % of this one's speed, with nothing to spare: "
      + "\(costliest.process.rawValue), \(costliest.source), \(costliest.effects)"
  }

  /// Most memory that the process has held, in MB.
  private static var peakMemoryMB: Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return Double(usage.ru_maxrss) * 1024 / 1e6  // Linux counts in KiB
  }

  private static func table(_ rows: [TimingRun.Row]) -> String {
    var table = TextTable(header: [
      "process", "source", "stated ms", "measured", "process only", "p5", "p95", "% of a core",
      "effects' %", "effects",
    ])
    for row in rows {
      table.rows.append([
        row.process.rawValue, row.source, format(row.reportedMs, 2),
        format(row.delayMs, 2), format(row.processDelay?.medianMs, 2),
        format(row.processDelay?.p5Ms, 2), format(row.processDelay?.p95Ms, 2),
        format(row.realtimeFactor * 100, 3), format(row.effectsRealtimeFactor * 100, 3),
        row.effects,
      ])
    }
    let undefined = Dictionary(grouping: rows.compactMap(\.undefined?.description)) { $0 }
      .map { "\($0.value.count) delays are undefined: \($0.key)" }.sorted()
    return ([table.text()] + undefined).joined(separator: "\n")
  }
}
