import Foundation

/// A search that spends little on poor settings: all settings on a few recordings, the better half
/// on more, the better half of those on still more.
///
/// Every round may cost about the same number of cells. Results of earlier rounds are kept.
///
/// - Source: Jamieson and Talwalkar, "Non-stochastic best arm identification and hyperparameter
///   optimization", 2016.
public struct SuccessiveHalving: Codable, Equatable, Sendable {
  /// One round of the search.
  public struct Round: Codable, Equatable, Sendable {
    /// Number of settings measured.
    public var settings: Int
    /// Number of slices (a recording under one condition), from the start of the list.
    public var slices: Int
    /// Cells that are measured first in this round.
    public var newCells: Int
  }

  public let rounds: [Round]
  public let cells: Int
  /// Cells of the full grid.
  public let gridCells: Int

  /// - Parameters:
  ///   - cellsPerSlice: cells of one setting on one slice, that is, the number of scores.
  ///   - share: largest share of the full grid's cells to measure. The first round runs even if it
  ///     takes more.
  public init(settings: Int, slices: Int, cellsPerSlice: Int = 1, share: Double) {
    precondition(settings > 0 && slices > 0 && cellsPerSlice > 0)
    gridCells = settings * slices * cellsPerSlice
    let budget = Int(share * Double(gridCells))
    let count = max(1, Int(log2(Double(settings)).rounded(.up)))
    var rounds: [Round] = []
    var (left, heard, spent) = (settings, 0, 0)
    for round in 0..<count {
      let cost = left * cellsPerSlice
      // Later rounds may spend what earlier ones left over.
      let allowed = (budget - spent) / (count - round)
      let more = min(slices - heard, max(round == 0 ? 1 : 0, allowed / cost))
      heard += more
      spent += more * cost
      rounds.append(Round(settings: left, slices: heard, newCells: more * cost))
      left = (left + 1) / 2
    }
    (self.rounds, cells) = (rounds, spent)
  }

  /// Runs all rounds.
  ///
  /// - Parameter hear: measures settings on the first slices and returns them, best first.
  /// - Returns: the settings of the last round, best first, and the round after which each of the
  ///   others was dropped.
  func search(
    _ hear: (_ alive: [Int], _ round: Round) async throws -> [Int]
  ) async rethrows -> (left: [Int], dropped: [Int: Int]) {
    var alive = Array(0..<rounds[0].settings)
    var dropped: [Int: Int] = [:]
    for (index, round) in rounds.enumerated() {
      alive = try await hear(alive, round)
      guard index + 1 < rounds.count else { break }
      for poor in alive[rounds[index + 1].settings...] { dropped[poor] = index }
      alive = Array(alive[..<rounds[index + 1].settings])
    }
    return (alive, dropped)
  }
}
