import Corpus
import Metrics
import Platform
import Statistics
import Sweep

/// The readings of a run that `tune` compares, by axis, setting and recording.
struct TuneTable: Sendable {
  let candidates: [SettingChoice]
  /// Ids of the recordings with a voice; probes are not among them.
  let recordings: [String]
  /// Recordings on which every setting failed.
  let failedRecordings: [String]
  /// Columns of each register, in the order of the recordings; the register is `nil` if unknown.
  let strata: [(register: String?, columns: [Int])]
  /// The metric of each axis; an axis that nothing in the run defines is missing.
  let metrics: [TuneAxis: String]
  /// Readings by axis, candidate and recording.
  let readings: [TuneAxis: [[TuneReading?]]]
  /// Lost voices by candidate and recording.
  let presence: [[TuneCells.Presence]]
  /// The first candidate whose output equals a candidate's, by candidate.
  let firstEqual: [Int]
  /// Latency of lone impulses by candidate, median over voices.
  let impulseLatencyMs: [Double?]
  /// Level of the voices by candidate, median.
  let levelsDb: [Double?]
  /// Candidates that have their latency from a probe alone.
  let areProbed: [Bool]
  /// The most frequent reason why a candidate has no value on an axis.
  let reasons: [TuneAxis: [Undefined?]]

  private static let offline = Undefined(
    .notObservable, "an engine that reads whole recordings can't be played live")

  init(_ cells: [CellResult], goal: TuneGoal, facts: [Tuner.Fact]) {
    let facts = facts.keyed(by: \.id)
    let axes = goal.allAxes
    let places = TuneCells(
      cells, classes: facts.compactMapValues(\.recordingClass),
      ofSound: axes.filter { $0 != .cost }.flatMap(\.metrics).uniqued())
    let registers = places.recordings.map { facts[$0]?.register }
    candidates = places.candidates
    (recordings, failedRecordings) = (places.recordings, places.failedRecordings)
    strata = registers.uniqued().map { name in
      (name, registers.indices.filter { registers[$0] == name })
    }
    presence = places.presence(
      TuneAxis.lost.filter(goal.axes.contains), limit: goal.lostLimitPercent)
    firstEqual = places.firstEqual
    let impulses = places.probes(of: "latency.impulse")
    impulseLatencyMs = impulses
    levelsDb = places.candidates.indices.map(places.levelDb)

    // Files that an engine wrote offline have no delay that a live voice would have.
    let isOffline = candidates.map(\.isOffline)
    let starts = ProgramStart.percentSeconds(
      of: places.readings(of: .cost, by: TuneAxis.cost.metrics), facts, recordings)
    let seconds = recordings.map { facts[$0]?.durationSeconds }
    var (metrics, readings) = ([TuneAxis: String](), [TuneAxis: [[TuneReading?]]]())
    var areProbed = candidates.map { _ in false }
    for axis in axes.uniqued() {
      var found: [[TuneReading?]]
      switch axis {
      case .latency:
        metrics[axis] = axis.metrics.first { Self.count(places.readings(of: axis, by: [$0])) > 0 }
        found = places.readings(of: axis, by: axis.metrics)
        areProbed = found.map { row in row.allSatisfy { $0?.measured == nil } }
        if areProbed.contains(true) {
          found = places.readings(of: axis, by: axis.metrics, probed: impulses)
          if metrics[axis] == nil, impulses.contains(where: { $0 != nil }) {
            metrics[axis] = "latency.impulse"
          }
        }
        for row in candidates.indices {
          guard let latest = places.latestVoiceMs(of: row) else { continue }
          found[row] = found[row].map { $0?.delayed(toMs: latest) }
        }
        if isOffline.contains(false) {
          for row in candidates.indices where isOffline[row] {
            found[row] = found[row].map { _ in nil }
          }
        }
      case .cost:
        metrics[axis] = axis.metrics[0]
        found = places.readings(of: axis, by: axis.metrics) { value, row, column in
          seconds[column].map { max(0, value - starts[row] / $0) } ?? value
        }
      default:
        // One metric for all, so that they can be compared: the first that half of the settings have.
        let all = axis.metrics.map { (id: $0, readings: places.readings(of: axis, by: [$0])) }
        let chosen =
          all.first { 2 * Self.count($0.readings) >= places.candidates.count }
          ?? all.first { Self.count($0.readings) > 0 } ?? all[0]
        (metrics[axis], found) = (chosen.id, chosen.readings)
      }
      if Self.count(found) == 0 {
        metrics[axis] = nil
      } else {
        readings[axis] = found
      }
    }
    (self.metrics, self.readings, self.areProbed) = (metrics, readings, areProbed)
    var reasons: [TuneAxis: [Undefined?]] = [:]
    for axis in axes {
      let ids = axis == .latency ? axis.metrics : metrics[axis].map { [$0] } ?? axis.metrics
      reasons[axis] = places.candidates.indices.map { row in
        if readings[axis]?[row].contains(where: { $0?.measured != nil }) == true { return nil }
        if axis == .latency, isOffline[row], isOffline.contains(false) { return Self.offline }
        return places.commonReason(ids, of: row)
      }
    }
    self.reasons = reasons
  }

  /// Returns the number of settings with a measured value.
  private static func count(_ readings: [[TuneReading?]]) -> Int {
    readings.count { row in row.contains { $0?.measured != nil } }
  }

  /// Each recording once.
  var once: [Int] { Array(repeating: 1, count: recordings.count) }

  /// Returns true if a setting has a measured value on an axis.
  func isMeasured(_ axis: TuneAxis, _ row: Int) -> Bool {
    readings[axis]?[row].contains { $0?.measured != nil } == true
  }

  /// Returns the median over recordings.
  func median(_ axis: TuneAxis, _ row: Int) -> Double? {
    readings[axis].flatMap { Statistics.median($0[row].compactMap { $0?.value }) }
  }
}

/// The time that a program takes to start, which is no cost of the sound: the processor time of a
/// recording without duration, by the line through those of the recordings (Theil and Sen).
enum ProgramStart {
  /// Returns the start of each setting in percent of a core times seconds; 0 if fewer than five
  /// recordings tell it.
  static func percentSeconds(
    of readings: [[TuneReading?]], _ facts: [String: Tuner.Fact], _ recordings: [String]
  ) -> [Double] {
    let seconds = recordings.map { facts[$0]?.durationSeconds }
    return readings.map { row in
      let points = zip(seconds, row).compactMap { seconds, reading -> (x: Double, y: Double)? in
        guard let seconds, let percent = reading?.measured else { return nil }
        return (seconds, percent * seconds)
      }
      guard points.count >= Statistics.minSpreadCount else { return 0 }
      let slopes = points.indices.flatMap { a in
        points[..<a].filter { $0.x != points[a].x }.map {
          ($0.y - points[a].y) / ($0.x - points[a].x)
        }
      }
      guard let slope = Statistics.median(slopes) else { return 0 }
      return max(0, Statistics.median(points.map { $0.y - slope * $0.x })!)
    }
  }
}
