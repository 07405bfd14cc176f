import Analyzer
import ArgumentParser
import Corpus
import DSP
import Foundation
import Metrics
import Probes
import Statistics
import Subjects
import Sweep

/// Judges renderings that are later by a known time, once at the delay that is measured and once at
/// the true one.
///
/// Each rendering of a plan, and the oracle of each synthetic recording, is delayed by a constant, by
/// a drift and by a jump. The true delay is that plus the subject's own: what it states, or for PSOLA and delay lines,
/// whose delay depends on the period or sweeps, that at which the voice is nearest to its target.
struct DelayTrials: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delays",
    abstract: "Measure what a delay that is not known moves in the figures of pitch.")

  @Argument(help: "A plan.", completion: .file(extensions: ["yaml"])) var plan: String
  @Option(help: "Names of the delays to try, such as '85 ms'; all by default.") var only: [String] =
    []
  @Option(help: "CSV file for a row of each figure.") var csv: String?

  func run() async throws {
    let (plan, corpus, work) = try CellWork.reading(plan)
    let delays = AddedDelay.all.filter { only.isEmpty || only.contains($0.name) }
    let cells = try plan.cells(in: corpus).filter { !$0.recording.isProbe }
    var sungByOracle: Set<String> = []
    let isFirst = cells.map { sungByOracle.insert($0.recording.id + $0.score.id).inserted }
    let rows = try await withThrowingTaskGroup(of: [DelayRow].self) { group in
      var rows: [DelayRow] = []
      for (place, cell) in cells.enumerated() {
        if place >= ProcessInfo.processInfo.activeProcessorCount {
          rows += try await group.next() ?? []
        }
        group.addTask {
          let observation = try await work.observe(cell)
          return Self.renderings(of: cell, observation, withOracle: isFirst[place]).flatMap {
            subject, rendering, own in
            delays.flatMap { $0.rows(of: rendering, lateByMs: own, in: observation, subject) }
          }
        }
      }
      for try await more in group { rows += more }
      return rows
    }
    if let csv {
      let text = ([DelayRow.header] + rows.map(\.line).sorted()).joined(separator: "\n") + "\n"
      try text.write(toFile: csv, atomically: true, encoding: .utf8)
    }
    for (title, key) in [("delay", \DelayRow.delay), ("subject", \DelayRow.subject)] {
      print("\(title)\tfigures\twithin the limit\tundefined\tworst (cents)")
      for name in rows.map({ $0[keyPath: key] }).uniqued().sorted() {
        print(Self.summary(name, rows.filter { $0[keyPath: key] == name }))
      }
    }
  }

  /// Returns the rendering of a cell with the delay of its own, and the oracle, which has none.
  private static func renderings(
    of cell: Cell, _ observation: Observation, withOracle: Bool
  ) -> [(subject: String, rendering: Rendering, ownMs: Double)] {
    let sung = observation.rendering
    let subject = "\(cell.subjectID) \(cell.settings.canonical)"
    let ideal = withOracle ? observation.oracle : nil
    let isMoving = [.text("psola"), .text("delayline")].contains(cell.settings["engine"])
    let own = isMoving ? observation.ownDelayMs(of: sung) : sung.reportedLatencyMs ?? 0
    return [(subject, sung, own)]
      + (ideal.map { [("oracle", rendering(of: $0, observation.heard.count), 0)] } ?? [])
  }

  private static func rendering(of oracle: Oracle, _ count: Int) -> Rendering {
    let stems = oracle.stems.map { stem in
      Signal(
        stem.signal.samples.prefix(count)
          + [Float](repeating: 0, count: max(0, count - stem.signal.count)),
        sampleRateHz: stem.signal.sampleRateHz)
    }
    return Rendering(mix: .sum(of: stems), stems: stems, reportedLatencyMs: 0)
  }

  private static func summary(_ name: String, _ rows: [DelayRow]) -> String {
    let known = rows.filter { $0.truth != nil }
    let (defined, good) = (known.filter { $0.found != nil }, known.count { $0.isRight })
    func percent(_ count: Int, of all: Int) -> String {
      all == 0 ? "–" : "\((1000 * Double(count) / Double(all)).rounded() / 10) %"
    }
    let worst = defined.filter { $0.unit == "cents" }.compactMap(\.error).max() ?? 0
    return [
      name, "\(known.count)", percent(good, of: defined.count),
      percent(known.count - defined.count, of: known.count), "\((worst * 10).rounded() / 10)",
    ].joined(separator: "\t")
  }
}

/// One figure of a voice, at the measured delay and at the true one.
private struct DelayRow {
  var recording, subject, delay, figure, unit: String
  var voice: Int
  /// Error of the measured delay in the middle of the sound.
  var delayErrorMs: Double?
  var truth: Double?
  var found: Double?
  var reason: String

  var error: Double? { truth.flatMap { truth in found.map { abs($0 - truth) } } }
  /// True within 1 cent, or within half a percent of the frames, the effect of a share.
  var isRight: Bool { error.map { $0 <= (unit == "cents" ? 1 : 0.005) } ?? false }

  static let header = "recording,subject,delay,voice,figure,delay_error_ms,truth,found,reason"
  var line: String {
    func text(_ value: Double?) -> String { value.map { "\(($0 * 1e4).rounded() / 1e4)" } ?? "" }
    return [
      recording, "\"\(subject)\"", delay, "\(voice)", figure, text(delayErrorMs), text(truth),
      text(found), reason,
    ].joined(separator: ",")
  }
}

/// A delay that is added to a rendering.
private struct AddedDelay {
  var name: String
  /// Returns the delay of a sound of a given duration.
  var trajectory: @Sendable (Double) -> DelayTrajectory

  static let all: [AddedDelay] =
    [0.0, 3, 25, 85, 180, 450].map { ms in
      AddedDelay(name: "\(Int(ms)) ms") { _ in DelayTrajectory(ms: ms) }
    }
    + [0.1, 0.3, 1].map { rate in
      AddedDelay(name: "\(rate) ms a second") { seconds in
        DelayTrajectory(knots: [
          .init(seconds: 0, ms: 25), .init(seconds: seconds, ms: 25 + rate * seconds),
        ])
      }
    }
    + [5.0, 15, 50].map { ms in
      AddedDelay(name: "jump of \(Int(ms)) ms") { seconds in
        DelayTrajectory(fromMs: 25, toMs: 25 + ms, atSeconds: 0.45 * seconds)
      }
    }

  private static let figures = [
    "pitch.abs_error", "pitch.residual", "pitch.gross_errors", "pitch.octave_errors",
    "voice.missing",
  ]

  func rows(
    of rendering: Rendering, lateByMs own: Double, in observation: Observation, _ subject: String
  ) -> [DelayRow] {
    let seconds = rendering.mix.durationSeconds
    let added = trajectory(seconds)
    var late = rendering
    let delayed: (Signal) -> Signal = { $0.delayed { added.ms(atSeconds: $0) / 1000 } }
    (late.mix, late.stems) = (delayed(late.mix), late.stems.map(delayed))
    late.stereo = nil
    let (found, truth) = (
      observation.with(late), observation.with(late, delay: .given(added.later(byMs: own)))
    )
    let middle = seconds / 2
    return Self.figures.flatMap { id -> [DelayRow] in
      let metric = Metric.metric(id: id)!
      let truths = metric.measure(truth)
      return metric.measure(found).map { result in
        var reason = ""
        if case .undefined(let why) = result.outcome { reason = why.code.rawValue }
        let voice = result.voice ?? 0
        let ms = found.voices[voice].delay.trajectory?.ms(atSeconds: middle)
        return DelayRow(
          recording: observation.recording.entry.id, subject: subject, delay: name, figure: id,
          unit: metric.unit, voice: voice,
          delayErrorMs: ms.map { $0 - own - added.ms(atSeconds: middle) },
          truth: truths.first { $0.voice == result.voice }?.outcome.number,
          found: result.outcome.number, reason: reason)
      }
    }
  }
}

extension Observation {
  /// Returns the observation of another rendering.
  fileprivate func with(_ rendering: Rendering, delay: SoundDelay? = nil) -> Observation {
    Observation(
      recording, score: score, rendering: rendering, heard: heard, jury: jury, delay: delay)
  }

  /// Returns the delay within 20 ms of the stated one at which the first voice is nearest to its target.
  fileprivate func ownDelayMs(of rendering: Rendering) -> Double {
    let voice = with(rendering, delay: .given(ms: 0)).voices[0]
    func error(_ ms: Double) -> Double {
      let late = voice.target.delayed(bySeconds: ms / 1000)
      let errors = zip(voice.heard.f0Hz, late.f0Hz).compactMap { heard, wanted in
        heard > 0 && wanted > 0 ? abs(cents(heard, over: wanted)) : nil
      }
      return Statistics.median(errors) ?? .infinity
    }
    let stated = rendering.reportedLatencyMs ?? 0
    return stride(from: stated - 20, through: stated + 20, by: 0.5).min { error($0) < error($1) }!
  }
}
