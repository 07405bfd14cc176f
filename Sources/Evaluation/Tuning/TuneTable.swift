import Corpus
import Metrics
import Platform
import Statistics
import Sweep

/// The numbers of a run that `tune` compares: one for each setting, axis and recording.
///
/// A heard axis has the worst voice of the recording, each voice by its median over conditions.
/// Latency and cost have the median over voices, conditions and scores.
struct TuneTable: Sendable {
  let candidates: [SettingChoice]
  /// Ids of the recordings with a voice; probes are not among them.
  let recordings: [String]
  /// Register of each recording; `nil` if unknown.
  let registers: [String?]
  /// The metric used for each axis; an axis that nothing in the run defines is missing.
  let metrics: [TuneAxis: String]
  /// Readings by axis, candidate and recording.
  private(set) var readings: [TuneAxis: [[TuneReading?]]] = [:]
  /// Values by axis and candidate for metrics that only probes define; probes are no sample of
  /// voices.
  private(set) var constants: [TuneAxis: [Double?]] = [:]
  /// The voice that is lost in the largest share of frames of the clean recording, in percent, by
  /// candidate and recording; `nil` if it was not measured.
  let lost: [[TuneReading?]]
  /// True where a candidate failed and another was measured, by candidate and recording.
  let failed: [[Bool]]
  /// The first candidate whose output equals a candidate's, by candidate.
  let firstEqual: [Int]
  /// Latency of lone impulses by candidate, median over voices.
  let impulseLatencyMs: [Double?]
  /// The most frequent reason why a candidate has no value on an axis.
  private(set) var reasons: [TuneAxis: [Undefined?]] = [:]
  /// Reason why an axis has no value at all.
  private(set) var missing: [TuneAxis: Undefined] = [:]
  /// Figures of the whole table by heard axis and candidate, for those that have none on some of its
  /// recordings.
  private(set) var elsewhere: [TuneAxis: [TuneFigure?]] = [:]
  /// Recordings on which a setting outside of the table loses no voice.
  let keptByOthers: Set<String>
  /// Columns of each register, in the order of the recordings.
  let strata: [(register: String?, columns: [Int])]
  /// Figures by axis and candidate, which many questions need.
  private var settled: [TuneAxis: [TuneFigure?]] = [:]
  private let goal: TuneGoal
  /// Figures of each possible metric, by axis.
  private let figures: [TuneAxis: [Figures]]

  /// Figures of one metric.
  private struct Figures {
    var metric: String
    /// Readings by candidate and recording with a voice.
    var voices: [[TuneReading?]]
    /// Values by candidate.
    var probes: [Double?]

    /// Returns the figures without those of some candidates.
    func without(_ left: [Bool]) -> Self {
      var rest = self
      for candidate in left.indices where left[candidate] {
        rest.voices[candidate] = voices[candidate].map { _ in nil }
        rest.probes[candidate] = nil
      }
      return rest
    }
  }

  /// Largest distance between the delays of impulses and of voices that are one latency. The loudness of
  /// voices errs by up to 8 ms, and the laws of engines differ by as much between notes.
  private static let farthestImpulseMs = 20.0

  /// Returns a reason for each candidate whose impulses come at another time than its voices.
  private static func strayImpulses(_ figures: [Figures]) -> [Undefined?] {
    guard let impulses = figures.first(where: { $0.metric == "latency.impulse" }) else { return [] }
    return impulses.probes.indices.map { candidate in
      let voices = figures.lazy.compactMap { figure in
        Statistics.median(figure.voices[candidate].compactMap { $0?.own })
      }.first
      guard let ms = impulses.probes[candidate], let voices,
        abs(ms - voices) > farthestImpulseMs
      else { return nil }
      return Undefined(
        .methodsDiffer,
        "impulses come \(Int(ms.rounded())) ms late and voices \(Int(voices.rounded())) ms")
    }
  }

  private static let offline = Undefined(
    .notObservable, "an engine that reads whole recordings can't be played live")

  /// - Parameters:
  ///   - registers: register of each recording by id.
  ///   - classes: class of each recording by id, on which metrics have grades.
  ///   - keptByOthers: recordings on which a setting outside of the table loses no voice.
  init(
    _ cells: [CellResult], goal: TuneGoal, registers: [String: String] = [:],
    classes: [String: RecordingClass] = [:], keptByOthers: Set<String> = []
  ) {
    let axes = goal.allAxes
    let places = TuneCells(
      cells, classes: classes, ofSound: axes.filter { $0 != .cost }.flatMap(\.metrics).uniqued())
    self.goal = goal
    self.keptByOthers = keptByOthers
    candidates = places.candidates
    recordings = places.recordings
    let own = recordings.map { registers[$0] }
    (self.registers, strata) = (own, Self.strata(of: own))
    impulseLatencyMs = places.probes(of: "latency.impulse") { $0 }
    lost = places.lost(TuneAxis.lost.filter(goal.axes.contains), limit: goal.lostLimitPercent)
    failed = places.failed()
    firstEqual = places.firstEqual
    var figures = Dictionary(
      uniqueKeysWithValues: axes.uniqued().map { axis in
        let found = axis.metrics.map { metric in
          Figures(
            metric: metric, voices: places.readings(of: axis, by: metric),
            probes: places.probes(of: metric) { axis.value($0) })
        }
        return (axis, found)
      })
    let isOffline = candidates.map(\.isOffline)
    if isOffline.contains(false) {
      figures[.latency] = figures[.latency]?.map { $0.without(isOffline) }
    }
    let stray = Self.strayImpulses(figures[.latency] ?? [])
    figures[.latency] = figures[.latency]?.map { figure in
      figure.metric == "latency.impulse" ? figure.without(stray.map { $0 != nil }) : figure
    }
    self.figures = figures
    metrics = figures.compactMapValues { Self.chosen($0, Array(places.recordings.indices))?.metric }
    choose(Array(recordings.indices))
    settle()
    for axis in axes {
      let ids = metrics[axis].map { [$0] } ?? axis.metrics
      let without = candidates.indices.filter { figure(axis, $0) == nil }
      var most = places.commonReasons(ids, of: Set(without))
      for candidate in candidates.indices where axis == .latency && isOffline[candidate] {
        most[candidate] = Self.offline
      }
      for candidate in candidates.indices where axis == .latency {
        if let reason = stray[candidate] { most[candidate] = reason }
      }
      reasons[axis] = most
      if metrics[axis] == nil {
        missing[axis] =
          most.compactMap(\.self).first
          ?? Undefined(
            .notMeasured, "no cell measured " + axis.metrics.joined(separator: " or "))
      }
    }
  }

  /// Creates the table of some of the recordings, with all probes, whose latency applies to every
  /// voice. It has no reasons. A fault that can't be measured on them is taken to be as large as on the
  /// others: that nothing reads the formants of a soprano does not mean that they are kept.
  init(_ whole: TuneTable, keeping kept: Set<String>) {
    let columns = whole.recordings.indices.filter { kept.contains(whole.recordings[$0]) }
    goal = whole.goal
    keptByOthers = whole.keptByOthers
    candidates = whole.candidates
    recordings = columns.map { whole.recordings[$0] }
    let own = columns.map { whole.registers[$0] }
    (registers, strata) = (own, Self.strata(of: own))
    lost = whole.lost.map { row in columns.map { row[$0] } }
    firstEqual = whole.firstEqual
    failed = whole.failed.map { row in columns.map { row[$0] } }
    impulseLatencyMs = whole.impulseLatencyMs
    figures = whole.figures
    var metrics = figures.compactMapValues { Self.chosen($0, columns)?.metric }
    for axis in goal.axes where axis.isAudible && whole.metrics[axis] != nil {
      guard metrics[axis] == nil || metrics[axis] == whole.metrics[axis] else { continue }
      metrics[axis] = whole.metrics[axis]
      elsewhere[axis] = candidates.indices.map { whole.figure(axis, $0)?.elsewhere }
    }
    self.metrics = metrics
    choose(columns)
    for axis in elsewhere.keys where readings[axis] == nil && constants[axis] == nil {
      readings[axis] = candidates.map { _ in columns.map { _ in nil } }
    }
    settle()
  }

  /// Returns the metric by which most candidates can be compared, the first of several; if there is none,
  /// the first that has a value.
  private static func chosen(_ figures: [Figures], _ columns: [Int]) -> Figures? {
    let counts = figures.map { comparable($0, columns) }
    if let most = counts.max(), most > 0 { return figures[counts.firstIndex(of: most)!] }
    return figures.first { isOfVoices($0, columns) || $0.probes.contains { $0 != nil } }
  }

  /// Returns the number of candidates that have a value on a probe or on half of the recordings.
  private static func comparable(_ figures: Figures, _ columns: [Int]) -> Int {
    let isOfVoices = isOfVoices(figures, columns)
    return figures.probes.indices.count { candidate in
      guard isOfVoices else { return figures.probes[candidate] != nil }
      return !columns.isEmpty
        && 2 * columns.count { figures.voices[candidate][$0]?.own != nil } >= columns.count
    }
  }

  private static func isOfVoices(_ figures: Figures, _ columns: [Int]) -> Bool {
    figures.voices.contains { row in columns.contains { row[$0] != nil } }
  }

  private mutating func choose(_ columns: [Int]) {
    for (axis, all) in figures {
      guard let chosen = Self.chosen(all, columns) else { continue }
      if Self.isOfVoices(chosen, columns) {
        readings[axis] = chosen.voices.map { row in columns.map { row[$0] } }
      } else if chosen.metric == "latency.impulse",
        let loudness = all.first(where: { $0.metric == "latency.loudness" }),
        let later = laterVoices(than: chosen, by: loudness, columns)
      {
        readings[axis] = later
      } else {
        constants[axis] = chosen.probes
      }
    }
  }

  /// Smallest distance by which the loudness of voices says that they come later than impulses.
  private static let minLaterMs = 4.0

  /// Returns the latency of impulses for each recording, and that of voices in a register in which they
  /// come later; `nil` if they never do. An engine that works on periods is later the lower the note, and
  /// an impulse has none.
  private func laterVoices(
    than impulses: Figures, by loudness: Figures, _ columns: [Int]
  ) -> [[TuneReading?]]? {
    var isLater = false
    let rows = candidates.indices.map { candidate -> [TuneReading?] in
      guard let impulseMs = impulses.probes[candidate] else { return columns.map { _ in nil } }
      var row = [TuneReading?](repeating: TuneReading(value: impulseMs), count: columns.count)
      for (_, own) in strata {
        let voices = Statistics.median(
          own.compactMap { loudness.voices[candidate][columns[$0]]?.own })
        guard let voices, voices > impulseMs + Self.minLaterMs else { continue }
        isLater = true
        for place in own { row[place] = TuneReading(value: voices) }
      }
      return row
    }
    return isLater ? rows : nil
  }

  // MARK: - Figures

  private static func strata(of registers: [String?]) -> [(register: String?, columns: [Int])] {
    registers.uniqued().map { name in
      (name, registers.indices.filter { registers[$0] == name })
    }
  }

  private mutating func settle() {
    let table = self
    for axis in metrics.keys {
      settled[axis] = Array(candidates.indices).concurrentMap { table.settled(axis, $0) }
    }
  }

  /// Returns the figure of a setting: that of the worst register.
  func figure(_ axis: TuneAxis, _ candidate: Int) -> TuneFigure? { settled[axis]?[candidate] }

  private func settled(_ axis: TuneAxis, _ candidate: Int) -> TuneFigure? {
    if let constants = constants[axis] { return constants[candidate].map { TuneFigure(value: $0) } }
    guard let row = readings[axis]?[candidate] else { return nil }
    let own = strata.compactMap { register, columns in
      axis.isAudible
        ? worst(axis, row, columns, register)
        : Statistics.median(columns.compactMap { row[$0]?.value })
          .map { TuneFigure(value: $0, register: register) }
    }.max { axis.shortfall($0.value) < axis.shortfall($1.value) }
    return own ?? elsewhere[axis]?[candidate]
  }

  /// Returns the axes on which a setting has only the figure of the whole table.
  func borrowed(by candidate: Int) -> [TuneAxis] {
    goal.axes.filter { figure($0, candidate)?.isElsewhere == true }
  }

  /// Returns the axes on which a setting has only the figure of another.
  func assumed(by candidate: Int) -> [TuneAxis] {
    goal.axes.filter { figure($0, candidate)?.isAssumed == true }
  }

  private func worst(
    _ axis: TuneAxis, _ row: [TuneReading?], _ columns: [Int], _ register: String?
  ) -> TuneFigure? {
    let known = columns.filter { row[$0] != nil }
      .sorted { axis.shortfall(row[$0]!.value) < axis.shortfall(row[$1]!.value) }
    guard !known.isEmpty else { return nil }
    let column = known[goal.rank(of: known.count) - 1]
    return TuneFigure(
      value: row[column]!.value, voice: row[column]!.voice, column: column, register: register,
      isAssumed: row[column]!.isAssumed)
  }

  func value(_ axis: TuneAxis, _ candidate: Int) -> Double? { figure(axis, candidate)?.value }

  /// Returns true if a candidate can't be played live and live latency counts.
  func isUnplayable(_ candidate: Int) -> Bool {
    reasons[.latency]?[candidate] == Self.offline
  }

  /// Returns a candidate's figures on every axis that has one.
  func values(_ candidate: Int) -> [TuneAxis: Double] {
    Dictionary(
      uniqueKeysWithValues: metrics.keys.compactMap { axis in
        value(axis, candidate).map { (axis, $0) }
      })
  }

  /// Returns the median over recordings.
  func median(_ axis: TuneAxis, _ candidate: Int) -> Double? {
    readings[axis].flatMap { Statistics.median($0[candidate].compactMap { $0?.value }) }
  }
}

/// A figure of one setting on one recording, with the voice that it is about.
struct TuneReading: Sendable {
  var value: Double
  /// Label of the worst voice; `nil` for the whole sound, and for latency and cost.
  var voice: String?
  /// True if the setting has no value there and that of another is assumed.
  var isAssumed = false

  /// The value, if it is the setting's own.
  var own: Double? { isAssumed ? nil : value }
}

/// The figure of one setting: a reading, and where it was taken.
struct TuneFigure: Sendable {
  var value: Double
  var voice: String?
  /// Column of the recording; `nil` for a median over several.
  var column: Int?
  var register: String?
  /// True if it was taken on recordings that a table does not have.
  var isElsewhere = false
  /// True if it is assumed to be that of another setting.
  var isAssumed = false

  /// The figure in a table of other recordings.
  var elsewhere: TuneFigure {
    TuneFigure(value: value, voice: voice, register: register, isElsewhere: true)
  }
}
