import Foundation

/// The search that hears little of what is poor: all settings on a few recordings, the better half
/// on more, the better half of those on more again.
///
/// Every round may cost about as many cells; whatever was heard of a setting before counts on.
///
/// - Source: Jamieson and Talwalkar, "Non-stochastic best arm identification and hyperparameter
///   optimization", 2016.
public struct SuccessiveHalving: Codable, Equatable, Sendable {
  /// Of one round.
  public struct Round: Codable, Equatable, Sendable {
    /// How many settings are heard.
    public var settings: Int
    /// How many slices (recordings through one condition) of the list, from its start.
    public var slices: Int
    /// Cells that are new in this round.
    public var newCells: Int
  }

  public let rounds: [Round]
  public let cells: Int
  /// Of the full grid.
  public let gridCells: Int

  /// - Parameters:
  ///   - cellsPerSlice: cells that one setting takes on one slice: the scores.
  ///   - share: of the full grid's cells, to be spent at the most; the first round is heard even if
  ///     it alone takes more.
  public init(settings: Int, slices: Int, cellsPerSlice: Int = 1, share: Double) {
    precondition(settings > 0 && slices > 0 && cellsPerSlice > 0)
    gridCells = settings * slices * cellsPerSlice
    let budget = Int(share * Double(gridCells))
    let count = max(1, Int(log2(Double(settings)).rounded(.up)))
    var rounds: [Round] = []
    var (left, heard, spent) = (settings, 0, 0)
    for round in 0..<count {
      let cost = left * cellsPerSlice
      // What earlier rounds left over is for the later ones.
      let allowed = (budget - spent) / (count - round)
      let more = min(slices - heard, max(round == 0 ? 1 : 0, allowed / cost))
      heard += more
      spent += more * cost
      rounds.append(Round(settings: left, slices: heard, newCells: more * cost))
      left = (left + 1) / 2
    }
    (self.rounds, cells) = (rounds, spent)
  }

  /// Goes through the rounds.
  ///
  /// - Parameter hear: gives settings, best first, after hearing them on the first slices.
  /// - Returns: those of the last round, best first, and for each that was dropped after which round.
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
