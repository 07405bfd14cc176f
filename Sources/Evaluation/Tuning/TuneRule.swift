import Subjects

/// The rule by which `tune` compares settings (docs/reference/tuning.md#the-rule).
///
/// 1. A setting has one figure for each axis: `TuneFigures`.
/// 2. Faults count in steps of hearing, latency and cost in proportion. The total is their sum.
/// 3. A setting is eligible if it is within all budgets and loses no voice that another setting within
///    them keeps.
/// 4. The first of the plan is recommended whose total is less than a step behind the best eligible one.
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

  /// Smallest difference that counts in an order of settings, in steps.
  static let smallestStep = 0.1
  /// Smallest difference that a listener notices: a step, by its definition. docs/notes/gate.md#recommendations has
  /// what half of it and one and a half change.
  private static let noticeableStep = 1.0

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
        table.isMeasured(axis, row) ? figures.figure(axis, row, table.once)?.value : nil
      } == 0
    }
    self.fits = fits
    fitsAny = fits.contains(true)
    isKept = table.recordings.indices.map { column in
      rows.contains { fits[$0] && table.presence[$0][column] == .kept }
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
    /// Steps of all faults together, if any is weighed, then of latency and cost.
    var coordinates: [Double]
    /// True if every axis was measured, so that it can be recommended.
    var isWhole: Bool

    var total: Double { coordinates.reduce(0, +) }
    var isEligible: Bool { isWhole && excess == 0 && isServed }
    fileprivate var rank: (Double, Int, Double) { (excess, isServed ? 0 : 1, total) }

    /// True if it is preferred by more than nobody hears.
    func isBetter(than other: Self) -> Bool {
      (excess, isServed) == (other.excess, other.isServed)
        ? other.total - total >= TuneRule.smallestStep : self < other
    }

    /// True if it is preferred: by the excess over budgets, then the voices lost, then the total.
    static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
  }

  /// Returns the standing of each setting when each recording counts several times.
  func standings(_ times: [Int]) -> [Standing] {
    table.candidates.indices.map { row in
      func value(_ axis: TuneAxis) -> Double? { figures.figure(axis, row, times)?.value }
      var (faults, paid) = (0.0, [Double]())
      for axis in weighed {
        let steps = value(axis).map { goal.steps(axis, $0) } ?? .infinity
        if axis.isAudible { faults += steps } else { paid.append(steps) }
      }
      return Standing(
        excess: goal.excess(value),
        isServed: strata.allSatisfy { isServed($0.columns, row, times) },
        coordinates: (weighed.contains(where: \.isAudible) ? [faults] : []) + paid,
        isWhole: isWhole[row])
    }
  }

  /// Returns the setting with the lowest total of those that may be recommended, or else the one that
  /// comes nearest. The first of the plan stands for those that are as good.
  static func best(of all: [Standing]) -> Int? {
    let whole = all.indices.filter { all[$0].isWhole }
    guard let first = whole.min(by: { all[$0] < all[$1] }) else { return nil }
    return whole.first { !all[first].isBetter(than: all[$0]) }
  }

  /// Returns the eligible settings whose total is less than a step behind the best, in the order of the plan. The
  /// first is recommended: a default changes for what people notice.
  static func alike(to best: Int, _ all: [Standing]) -> [Int] {
    guard all[best].isEligible else { return [best] }
    return all.indices.filter {
      all[$0].isEligible && all[$0].total - all[best].total < noticeableStep
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
  /// Reason why it was not measured.
  public var reason: String?

  /// The order of losses: a failure is the worst, a gap of the measurement the slightest.
  fileprivate var size: Double { percent ?? (reason == "it failed" ? .infinity : 0) }

  /// The loss in words: `voice -5 in 15 % of synth-vowels-bass`.
  public var words: String {
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
    case .notMeasured: reason = "it was not measured"
    case .failed: reason = "it failed"
    }
  }
}
