import Statistics
import Subjects

/// The rule by which `tune` compares settings (docs/reference/tuning.md#the-rule).
///
/// 1. A setting has one figure for each axis: `TuneFigures`.
/// 2. Faults count in steps of hearing, latency and cost in proportion. The total is their sum, in the
///    mean over the recordings of the worst register.
/// 3. A setting is eligible if it is within all budgets and loses no voice that another setting within
///    them keeps.
/// 4. The first of the plan is recommended that is less than a step worse than the best eligible one, or less than a
///    third of its audible total where other recordings could turn the difference round.
struct TuneRule: Sendable {
  let figures: TuneFigures
  /// Axes that count: those that at least half of the settings have.
  let weighed: [TuneAxis]
  /// Columns of each register that are judged.
  private(set) var strata: [(register: String?, columns: [Int])]
  private let goal: TuneGoal
  private let table: TuneTable
  /// True for each setting that is within all budgets.
  let fits: [Bool]
  /// True for each setting that may be recommended.
  private let isWhole: [Bool]
  /// True for each recording of which some setting within the budgets loses no voice.
  private let isKept: [Bool]
  private let fitsAny: Bool
  /// Steps by setting and recording, with latency and cost.
  private let totals: [[Double]]

  /// Smallest difference that counts in an order of settings, in steps.
  static let smallestStep = 0.1
  /// Smallest difference of two totals that listeners notice.
  private static let noticeableStep = 1.0
  /// A larger difference counts, unless other recordings could turn it round (in this share of cases) and it is less
  /// than this share of the audible total. docs/notes/gate.md#recommendations has what less and more change;
  /// 0.04 and 0.06 move Student's limit by 7 %.
  private static let (turnedShare, movedShare) = (0.05, 1.0 / 3)

  /// - Parameter compared: settings that may be recommended; the others only tell which voices can be
  ///   kept. `nil` is all.
  init(_ figures: TuneFigures, _ goal: TuneGoal, comparing compared: Set<SettingChoice>? = nil) {
    let table = figures.table
    (self.figures, self.goal, self.table, strata) = (figures, goal, table, table.strata)
    let rows = table.candidates.indices
    let weighed = goal.axes.filter { axis in
      let measured = rows.count { table.isMeasured(axis, $0) }
      return measured > 0 && 2 * measured >= rows.count
    }
    self.weighed = weighed
    isWhole = rows.map { row in
      compared?.contains(table.candidates[row]) ?? true && !weighed.isEmpty
        && (weighed + goal.budgets.keys).allSatisfy { table.isMeasured($0, row) }
    }
    let fits = rows.map { row in
      goal.excess { axis in
        table.isMeasured(axis, row) ? figures.budgeted(axis, row, table.once) : nil
      } == 0
    }
    self.fits = fits
    fitsAny = fits.contains(true)
    isKept = table.recordings.indices.map { column in
      rows.contains { fits[$0] && table.presence[$0][column] == .kept }
    }
    totals = rows.map { row in
      table.recordings.indices.map { column in
        weighed.reduce(0) { $0 + (figures.steps($1, row, onColumn: column) ?? 0) }
      }
    }
  }

  /// Returns the rule for some of the recordings.
  func restricted(to columns: Set<Int>) -> TuneRule {
    var rule = self
    rule.strata = strata.map { ($0.register, $0.columns.filter(columns.contains)) }
    return rule
  }

  // MARK: - The order of preference

  /// A setting on a draw of recordings.
  struct Standing: Sendable {
    /// Largest excess over a budget, in units of the scale.
    var excess: Double
    /// True if it loses no voice that another setting keeps.
    var isServed: Bool
    /// Steps of all faults together, if any is weighed, then of latency and cost, each in its worst register.
    var coordinates: [Double]
    /// Steps of all faults together; 0 if none is weighed.
    var faults: Double
    /// Steps of all of them in the worst register.
    var total: Double
    /// True if every axis was measured, so that it can be recommended.
    var isWhole: Bool

    var isEligible: Bool { isWhole && excess == 0 && isServed }
    fileprivate var rank: (Double, Int, Double) { (excess, isServed ? 0 : 1, total) }

    /// True if it is preferred: by the excess over budgets, then the voices lost, then the total.
    static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
  }

  /// Returns the standing of each setting when each recording counts several times.
  func standings(_ times: [Int]) -> [Standing] {
    let sung = table.strata.indices.filter { table.strata[$0].columns.contains { times[$0] > 0 } }
    let faults = weighed.filter(\.isAudible)
    let parts = (faults.isEmpty ? [] : [faults]) + weighed.filter { !$0.isAudible }.map { [$0] }
    return table.candidates.indices.map { row in
      let registers = sung.map { place in
        parts.map { $0.reduce(0) { $0 + (figures.steps($1, row, times, in: place) ?? .infinity) } }
      }
      let worst = parts.indices.map { part in registers.map { $0[part] }.max() ?? .infinity }
      return Standing(
        excess: goal.excess { figures.budgeted($0, row, times) },
        isServed: strata.allSatisfy { isServed($0.columns, row, times) },
        coordinates: worst, faults: faults.isEmpty ? 0 : worst[0],
        total: registers.map { $0.reduce(0, +) }.max() ?? .infinity,
        isWhole: isWhole[row])
    }
  }

  /// Returns the settings without a noticeable difference, as far as the recordings show, from the one with the
  /// lowest total, or else from the one that comes nearest, in the order of the plan. The first is recommended: a
  /// default changes for what people notice, whichever recordings are tried.
  func best(of all: [Standing]) -> [Int] {
    let whole = all.indices.filter { all[$0].isWhole }
    guard let best = whole.min(by: { all[$0] < all[$1] }) else { return [] }
    let open = openDifferences(from: best)
    let moved = Self.movedShare * all[best].faults
    return whole.filter {
      (all[$0].excess, all[$0].isServed) == (all[best].excess, all[best].isServed)
        && all[$0].total - all[best].total < max(Self.noticeableStep, min(open($0), moved))
    }
  }

  /// Returns by how much other recordings could move the difference of a setting's total from another one's: the
  /// limit of Student's t for the mean of the register with the fewest recordings, with the deviation of the
  /// differences on all recordings. Faults that both have cancel. 0 if there is one recording.
  private func openDifferences(from other: Int) -> (Int) -> Double {
    let columns = strata.flatMap(\.columns)
    let fewest = strata.map(\.columns.count).filter { $0 > 0 }.min() ?? 0
    guard columns.count > 1 else { return { _ in 0 } }
    let limit = Statistics.studentLimit(level: Self.turnedShare, degrees: Double(columns.count - 1))
    return { row in
      let differences = columns.map { self.totals[row][$0] - self.totals[other][$0] }
      return limit * Statistics.deviation(differences)! / Double(fewest).squareRoot()
    }
  }

  // MARK: - Lost voices

  /// Returns true if a setting keeps what another keeps on the share `served` of a register's
  /// recordings, and fails on none that another was measured on.
  private func isServed(_ columns: [Int], _ row: Int, _ times: [Int]) -> Bool {
    var (total, lost) = (0, 0)
    for column in columns {
      let presence = table.presence[row][column]
      // A failure is one, even if a draw lacks it.
      if presence == .failed { return false }
      guard isKept[column], times[column] > 0 else { continue }
      total += times[column]
      if presence != .kept { lost += times[column] }
    }
    return lost == 0 || lost <= total - goal.rank(of: total)
  }

  /// Returns the worst loss in each register that a setting does not serve: a failure, else the
  /// largest measured one, else a recording on which it was not measured.
  func losses(of row: Int, _ times: [Int]) -> [Loss] {
    strata.filter { !isServed($0.columns, row, times) }.compactMap { register, columns in
      columns.filter { times[$0] > 0 }.compactMap { column in
        let presence = table.presence[row][column]
        guard isKept[column] || presence == .failed else { return nil }
        return Loss(presence, register: register, recording: table.recordings[column])
      }.max { $0.size < $1.size }
    }
  }

  /// Returns the recordings on which every setting within the budgets loses a voice; none if no setting
  /// is within them.
  func unkept(_ times: [Int]) -> [String] {
    table.recordings.indices.filter { column in
      fitsAny && times[column] > 0 && !isKept[column]
        && table.presence.contains { if case .lost = $0[column] { true } else { false } }
    }.map { table.recordings[$0] }
  }
}

/// A voice that one setting loses and another keeps.
public struct Loss: Encodable, Equatable, Sendable {
  public var register: String
  public var recording: String
  public var voice: String?
  /// Share of the frames in which it is missing or on a wrong note; `nil` if it was not measured.
  public var percent: Double?
  /// Decibels by which it is softer than with another setting, if that is what loses it.
  public var softerDb: Double?
  /// Reason why it was not measured.
  public var reason: String?

  /// The order of losses: a failure is the worst, a gap of the measurement the slightest.
  fileprivate var size: Double {
    softerDb != nil ? 100 : percent ?? (reason == "it failed" ? .infinity : 0)
  }

  /// The loss in words: `voice -5 in 15 % of synth-vowels-bass`.
  public var words: String {
    if let softerDb {
      let name = voice.map(Score.words(forVoice:)) ?? "the sound"
      let size = Int(softerDb.rounded())
      return "\(name), \(size) dB softer than with another setting on \(recording)"
    }
    guard let percent else {
      return "\(register) voices: on \(recording) \(reason ?? "it was not measured")"
    }
    let share = percent < 10 ? "\((10 * percent).rounded() / 10)" : "\(Int(percent.rounded()))"
    return "\(voice.map(Score.words(forVoice:)) ?? "the sound") in \(share) % of \(recording)"
  }
}

extension Loss {
  /// Returns `nil` if no voice is lost.
  init?(_ presence: TuneCells.Presence, register: String?, recording: String) {
    (self.register, self.recording) = (register ?? "unknown", recording)
    switch presence {
    case .kept: return nil
    case .lost(let percent, let voice): (self.percent, self.voice) = (percent, voice)
    case .softer(let db, let voice): (softerDb, self.voice) = (db, voice)
    case .notMeasured: reason = "it was not measured"
    case .failed: reason = "it failed"
    }
  }
}
