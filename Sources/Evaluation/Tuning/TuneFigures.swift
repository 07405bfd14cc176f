import Statistics

/// The figure of one setting, and where it was taken.
struct TuneFigure: Sendable {
  var value: Double
  var voice: String?
  /// Column of the recording; `nil` for a median over several.
  var column: Int?
  var register: String?
  /// True if it was taken on other recordings, because nothing has a value on these.
  var isElsewhere = false
  /// True if the setting has no value there, and one is assumed.
  var isAssumed = false
}

/// The figures of settings on recordings that may count several times or not at all.
///
/// In each register a setting has the value that the share `served` of the recordings does not exceed,
/// of latency and cost the median. The worst register is shown.
struct TuneFigures: Sendable {
  let table: TuneTable
  let goal: TuneGoal
  /// Steps by axis, setting and recording.
  private let steps: [TuneAxis: [[Double?]]]
  /// Figures of all recordings, for groups in which nothing has a value.
  private var whole: [TuneAxis: [TuneFigure?]] = [:]

  init(_ table: TuneTable, _ goal: TuneGoal) {
    (self.table, self.goal) = (table, goal)
    steps = Dictionary(
      uniqueKeysWithValues: table.readings.map { axis, rows in
        (axis, rows.map { $0.map { $0.map { goal.steps(axis, $0.value) } } })
      })
    for axis in table.readings.keys {
      whole[axis] = table.candidates.indices.map { figure(axis, $0, table.once) }
    }
  }

  /// Returns the figure of a setting when each recording counts several times.
  func figure(_ axis: TuneAxis, _ row: Int, _ times: [Int]) -> TuneFigure? {
    let worst = table.strata.indices.compactMap { figure(axis, row, times, in: $0) }.max {
      axis.shortfall($0.value) < axis.shortfall($1.value)
    }
    if let worst { return worst }
    guard var elsewhere = whole[axis]?[row] else { return nil }
    (elsewhere.column, elsewhere.isElsewhere) = (nil, true)
    return elsewhere
  }

  /// Returns the figure in one register; `nil` if nothing has a value there.
  private func figure(_ axis: TuneAxis, _ row: Int, _ times: [Int], in place: Int) -> TuneFigure? {
    guard let readings = table.readings[axis]?[row] else { return nil }
    let (register, columns) = table.strata[place]
    let sung = columns.filter { readings[$0] != nil }
      .sorted { axis.shortfall(readings[$0]!.value) < axis.shortfall(readings[$1]!.value) }
      .flatMap { Array(repeating: $0, count: times[$0]) }
    guard !sung.isEmpty else { return nil }
    if axis.isAudible {
      let worst = sung[goal.rank(of: sung.count) - 1]
      let reading = readings[worst]!
      return TuneFigure(
        value: reading.value, voice: reading.voice, column: worst, register: register,
        isAssumed: reading.isAssumed)
    }
    let (low, high) = (readings[sung[(sung.count - 1) / 2]]!, readings[sung[sung.count / 2]]!)
    let value = (low.value + high.value) / 2
    let known = Statistics.median(Set(sung).compactMap { readings[$0]!.measured })
    // A gap that moves the median by nothing that is heard needs no remark.
    let isKnown = known.map { abs($0 - value) < TuneRule.smallestStep * goal.scale(axis) }
    return TuneFigure(value: value, register: register, isAssumed: isKnown != true)
  }

  /// Returns the value that is held against a budget: of the worst register, without what is assumed, since
  /// another setting's value breaks no budget.
  func budgeted(_ axis: TuneAxis, _ row: Int, _ times: [Int]) -> Double? {
    guard let readings = table.readings[axis]?[row] else { return nil }
    let worst = table.strata.compactMap { _, columns -> Double? in
      let known = columns.flatMap { column in
        Array(repeating: readings[column]?.measured, count: times[column]).compactMap(\.self)
      }.sorted { axis.shortfall($0) < axis.shortfall($1) }
      guard axis.isAudible, !known.isEmpty else { return Statistics.median(known) }
      return known[goal.rank(of: known.count) - 1]
    }.max { axis.shortfall($0) < axis.shortfall($1) }
    return worst ?? figure(axis, row, times)?.value
  }

  /// Returns the steps of a setting in one register: of a fault the mean over its recordings, so that one recording
  /// decides nothing, of latency and cost the median. What nothing can be read of there is as in all recordings.
  func steps(_ axis: TuneAxis, _ row: Int, _ times: [Int], in place: Int) -> Double? {
    guard let steps = steps[axis]?[row] else { return nil }
    func typical(_ columns: [Int], _ times: [Int]) -> Double? {
      let sung = columns.filter { times[$0] > 0 && steps[$0] != nil }
      guard !sung.isEmpty, axis.isAudible else {
        return Statistics.median(sung.flatMap { repeatElement(steps[$0]!, count: times[$0]) })
      }
      return sung.reduce(0) { $0 + Double(times[$1]) * steps[$1]! }
        / Double(columns.reduce(0) { $0 + times[$1] })
    }
    return typical(table.strata[place].columns, times)
      ?? typical(Array(steps.indices), table.once)
  }

  /// Returns the steps of a setting on one recording, or else the median of all.
  func steps(_ axis: TuneAxis, _ row: Int, onColumn column: Int) -> Double? {
    guard let steps = steps[axis]?[row] else { return nil }
    return steps[column] ?? Statistics.median(steps.compactMap(\.self))
  }

  /// Returns the largest fault of a setting that was measured, not assumed.
  func measured(_ axis: TuneAxis, _ row: Int) -> TuneFigure? {
    let readings = table.readings[axis]?[row] ?? []
    let columns = readings.indices.filter { readings[$0]?.measured != nil }
    return columns.max {
      axis.shortfall(readings[$0]!.measured!) < axis.shortfall(readings[$1]!.measured!)
    }.map { column in
      TuneFigure(
        value: readings[column]!.measured!, voice: readings[column]!.measuredVoice, column: column,
        register: table.strata.first { $0.columns.contains(column) }?.register)
    }
  }
}
