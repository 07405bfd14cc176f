/// The registers that a setting serves: those in which it loses no voice that another setting keeps.
///
/// A recording counts if some setting within the budgets loses no voice there in more than the limit
/// of frames; on others, such as creaky speech, this rule can't tell settings apart. A setting
/// serves a register if it keeps to the limit on the share `TuneGoal.served` of the counted
/// recordings, and failed on none that another was measured on. A recording that it was not measured
/// on counts as lost.
struct Service: Sendable {
  private let table: TuneTable
  private let goal: TuneGoal
  /// True for each recording that some setting within the budgets keeps.
  private let counts: [Bool]
  private let hasFitting: Bool
  /// The registers of each setting.
  private let registers: [[Register]]

  /// The recordings of a register on which a setting is judged.
  private struct Register: Sendable {
    var name: String?
    /// Recordings that count.
    var counted: [Int]
    /// Those on which it loses a voice or was not measured.
    var lost: [Int]
    /// Recordings on which it failed and another was measured.
    var failed: [Int]
  }

  /// - Parameter fits: true for each setting within the budgets.
  init(_ table: TuneTable, goal: TuneGoal, fits: [Bool]) {
    (self.table, self.goal, hasFitting) = (table, goal, fits.contains(true))
    let counts = table.recordings.indices.map { column in
      table.keptByOthers.contains(table.recordings[column])
        || table.candidates.indices.contains { candidate in
          fits[candidate]
            && table.lost[candidate][column].map { $0.value <= goal.lostLimitPercent } ?? false
        }
    }
    registers = table.candidates.indices.map { candidate in
      table.strata.map { register, columns in
        let counted = columns.filter { counts[$0] }
        return Register(
          name: register, counted: counted,
          lost: counted.filter { column in
            table.lost[candidate][column].map { $0.value > goal.lostLimitPercent } ?? true
          }, failed: columns.filter { table.failed[candidate][$0] })
      }
    }
    self.counts = counts
  }

  /// Returns the worst loss in each register that a setting does not serve: a failure, else the
  /// largest measured one, else a recording on which it was not measured.
  func losses(of candidate: Int) -> [Loss] {
    registers[candidate].filter { !isServed($0) { _ in 1 } }.map { unserved in
      let register = unserved.name ?? "unknown"
      let measured = unserved.lost.filter { table.lost[candidate][$0] != nil }
      if unserved.failed.isEmpty,
        let worst = measured.max(by: {
          table.lost[candidate][$0]!.value < table.lost[candidate][$1]!.value
        })
      {
        let reading = table.lost[candidate][worst]!
        return Loss(
          register: register, recording: table.recordings[worst], voice: reading.voice,
          percent: reading.value)
      }
      let column = unserved.failed.first ?? unserved.lost[0]
      return Loss(
        register: register, recording: table.recordings[column],
        reason: unserved.failed.isEmpty ? "it was not measured" : "it failed")
    }
  }

  /// Returns true if a setting serves every register and each recording counts several times.
  func isServed(by candidate: Int, times: (_ column: Int) -> Int) -> Bool {
    registers[candidate].allSatisfy { isServed($0, times: times) }
  }

  private func isServed(_ register: Register, times: (_ column: Int) -> Int) -> Bool {
    if !register.failed.isEmpty { return false }
    if register.lost.isEmpty { return true }
    let total = register.counted.reduce(0) { $0 + times($1) }
    let lost = register.lost.reduce(0) { $0 + times($1) }
    return total == 0 || lost <= total - goal.rank(of: total)
  }

  /// Recordings on which some setting within the budgets loses no voice.
  var kept: Set<String> {
    Set(table.recordings.indices.filter { counts[$0] }.map { table.recordings[$0] })
  }

  /// Recordings on which every setting within the budgets loses a voice; none if no setting is within
  /// them.
  var unkept: [String] {
    guard hasFitting else { return [] }
    return table.recordings.indices.filter { column in
      !counts[column] && table.lost.contains { $0[column] != nil }
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

  /// The loss in words: `voice -5 in 15 % of synth-vowels-bass`.
  public var words: String {
    guard let percent else {
      return "\(register) voices: on \(recording) \(reason ?? "it was not measured")"
    }
    let share = percent < 10 ? "\((10 * percent).rounded() / 10)" : "\(Int(percent.rounded()))"
    return "\(voice.map { "voice \($0)" } ?? "the sound") in \(share) % of \(recording)"
  }
}
