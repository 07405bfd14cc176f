import Analyzer
import DSP
import Metrics
import Platform
import Sweep

/// A place in one cell where something is wrong, on which two judges agree.
public struct WorstInstant: Sendable {
  public enum Fault: Sendable {
    case missing(seconds: Double)
    /// Positive is sharp.
    case outOfTune(cents: Double, seconds: Double)
    /// - Parameter words: the finding in words.
    case click(words: String)
    /// An onset later than the others of its recording.
    case late(delayMs: Double, medianMs: Double)

    public var name: String {
      switch self {
      case .missing: "missing"
      case .outOfTune: "out of tune"
      case .click: "click"
      case .late: "late onset"
      }
    }

    /// The error that both judges might share.
    public var doubt: String {
      switch self {
      case .missing: "a breathy or creaky voice has no steady pitch for either judge"
      case .outOfTune: "both judges read a fast glide or creak with some cents of error"
      case .click: "a plosive or a hard glottal pulse may pass for a click"
      case .late: "a soft onset has no clear beginning"
      }
    }

    /// Id of the metric that measures it.
    public var metric: String {
      switch self {
      case .missing: "voice.missing"
      case .outOfTune: "pitch.abs_error.p95"
      case .click: "clicks.count"
      case .late: "latency.onset"
      }
    }
  }

  public let replay: CellReplay
  public let atSeconds: Double
  /// The voice; `nil` for the whole mix.
  public let voice: Int?
  public let fault: Fault
  /// Agreement of the second judge, from 0 to 1 (`SecondJudge`).
  public let confidence: Double
  /// Comparable among faults of the same name.
  let severity: Double

  /// Smallest audible delay beyond the recording's median.
  public static let minLateMs = 10.0

  /// Returns the worst instant of each fault in turn, then the next ones, without neighbours.
  public static func all(in replays: [CellReplay], most: Int) -> [WorstInstant] {
    let all = replays.flatMap(instants)
    let names = all.map(\.fault.name).uniqued()
    var left = Dictionary(grouping: all, by: \.fault.name)
      .mapValues { $0.sorted { $0.severity > $1.severity } }
    var chosen: [WorstInstant] = []
    while chosen.count < most, left.values.contains(where: { !$0.isEmpty }) {
      for name in names where chosen.count < most {
        guard
          let next = left[name]?.firstIndex(where: { one in !chosen.contains(where: one.isNear) })
        else {
          left[name] = []
          continue
        }
        chosen.append(left[name]!.remove(at: next))
      }
    }
    return chosen
  }

  private func isNear(_ other: WorstInstant) -> Bool {
    replay.cell.key == other.replay.cell.key && abs(atSeconds - other.atSeconds) < 0.5
  }

  // MARK: Search

  private static func instants(of replay: CellReplay) -> [WorstInstant] {
    (strays(in: replay) + clicks(in: replay) + late(in: replay)).filter {
      $0.confidence >= SecondJudge.minConfidence
    }
  }

  /// Stretches that are out of tune or missing. Nothing confirms those of a voice that is heard inside
  /// a mix only.
  private static func strays(in replay: CellReplay) -> [WorstInstant] {
    let rendering = replay.observation.rendering
    return replay.traces.flatMap { trace -> [WorstInstant] in
      let voice = replay.observation.voices[trace.voice]
      let stray = OutOfTuneSegment.all(in: trace, of: voice).prefix(6)
      guard !stray.isEmpty, rendering.stems.indices.contains(trace.voice) else { return [] }
      let judge = SecondJudge(on: rendering.stems[trace.voice])
      return stray.map { stray in
        let fault: Fault =
          switch stray.kind {
          case .missing: .missing(seconds: stray.durationSeconds)
          case .offCents(let cents): .outOfTune(cents: cents, seconds: stray.durationSeconds)
          }
        return WorstInstant(
          replay: replay, atSeconds: stray.middleSeconds, voice: stray.voice, fault: fault,
          confidence: judge.confidence(in: stray, of: trace), severity: stray.centSeconds)
      }
    }
  }

  private static func clicks(in replay: CellReplay) -> [WorstInstant] {
    guard let metric = Metric.metric(id: "clicks.count"),
      let found = try? replay.worst(for: metric, most: 2)
    else { return [] }
    let rendering = replay.observation.rendering
    return found.map { click in
      let stem = click.voice.flatMap { voice in
        rendering.stems.indices.contains(voice) ? rendering.stems[voice] : nil
      }
      return WorstInstant(
        replay: replay, atSeconds: click.atSeconds, voice: click.voice,
        fault: .click(words: click.words),
        confidence: SecondJudge.clickConfidence(
          in: stem ?? rendering.mix, atSeconds: click.atSeconds),
        severity: click.value)
    }
  }

  private static func late(in replay: CellReplay) -> [WorstInstant] {
    let observation = replay.observation
    guard let found = try? EventDelay(of: observation.rendering.mix, from: observation.heard)
    else { return [] }
    let medianMs = found.estimate.medianMs
    return found.measured.filter { $0.delayMs - medianMs > minLateMs }.map { seconds, delayMs in
      WorstInstant(
        replay: replay, atSeconds: seconds + delayMs / 1000, voice: nil,
        fault: .late(delayMs: delayMs, medianMs: medianMs),
        confidence: SecondJudge.onsetConfidence(
          of: observation.rendering.mix, from: observation.heard, atSeconds: seconds,
          delayMs: delayMs),
        severity: delayMs - medianMs)
    }
  }
}
