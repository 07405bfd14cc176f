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
/// of latency and cost the median. The worst register counts.
struct TuneFigures: Sendable {
  let table: TuneTable
  let goal: TuneGoal
  /// Columns by axis, setting and register, the best reading first.
  private let order: [TuneAxis: [[[Int]]]]
  /// Figures of all recordings, for groups in which nothing has a value.
  private var whole: [TuneAxis: [TuneFigure?]] = [:]

  init(_ table: TuneTable, _ goal: TuneGoal) {
    (self.table, self.goal) = (table, goal)
    order = table.readings.mapValues { _ in [] }.merging(
      table.readings.map { axis, rows in
        let sorted = rows.map { row in
          table.strata.map { stratum in
            stratum.columns.filter { row[$0] != nil }
              .sorted { axis.shortfall(row[$0]!.value) < axis.shortfall(row[$1]!.value) }
          }
        }
        return (axis, sorted)
      }
    ) { $1 }
    for axis in table.readings.keys {
      whole[axis] = table.candidates.indices.map { figure(axis, $0, table.once) }
    }
  }

  /// Returns the figure of a setting when each recording counts several times.
  func figure(_ axis: TuneAxis, _ row: Int, _ times: [Int]) -> TuneFigure? {
    guard let readings = table.readings[axis]?[row], let order = order[axis]?[row] else {
      return nil
    }
    var worst: TuneFigure?
    for (place, columns) in order.enumerated() {
      let total = columns.reduce(0) { $0 + times[$1] }
      guard total > 0 else { continue }
      func column(at rank: Int) -> Int {
        var upTo = 0
        return columns.first { column in
          upTo += times[column]
          return upTo > rank
        }!
      }
      var found: TuneFigure
      if axis.isAudible {
        let place = column(at: goal.rank(of: total) - 1)
        let reading = readings[place]!
        found = TuneFigure(
          value: reading.value, voice: reading.voice, column: place, isAssumed: reading.isAssumed)
      } else {
        let low = readings[column(at: (total - 1) / 2)]!
        let high = readings[column(at: total / 2)]!
        let value = (low.value + high.value) / 2
        let known = Statistics.median(
          columns.filter { times[$0] > 0 }.compactMap { readings[$0]?.measured })
        // A gap that moves the median by nothing that is heard needs no remark.
        let isKnown = known.map { abs($0 - value) < TuneRule.smallestStep * goal.scale(axis) }
        found = TuneFigure(value: value, isAssumed: isKnown != true)
      }
      found.register = table.strata[place].register
      if worst.map({ axis.shortfall(found.value) > axis.shortfall($0.value) }) ?? true {
        worst = found
      }
    }
    if let worst { return worst }
    guard var elsewhere = whole[axis]?[row] else { return nil }
    (elsewhere.column, elsewhere.isElsewhere) = (nil, true)
    return elsewhere
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
