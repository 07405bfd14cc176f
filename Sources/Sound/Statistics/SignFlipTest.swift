import DSP

/// A test that paired differences lie to one side of zero by more than chance: without an effect,
/// each difference could have had the other sign.
///
/// It assumes that the differences are independent (one for each recording or singer) and, without
/// an effect, symmetric around zero. It assumes nothing about their shape.
///
/// - Cost: 2 to the power of their number up to 16 differences, else `draws`.
/// - Source: Fisher, "The Design of Experiments", 1935, section 21; the count of drawn signs as
///   Phipson and Smyth, "Permutation p-values should never be zero", 2010.
public struct SignFlipTest: Codable, Equatable, Sendable {
  public enum Alternative: String, Codable, Sendable { case greater, less, twoSided }

  /// Probability of a mean at least this extreme without an effect.
  public var pValue: Double
  /// True if all signs were tried.
  public var isExact: Bool
  public var meanDifference: Double
  public var count: Int

  /// Maximum number of differences for which all signs are tried: 65 536 of them.
  static let maxForExact = 16

  /// - Returns: `nil` if there are no differences, or if one is not finite.
  public init?(
    _ differences: [Double], _ alternative: Alternative = .twoSided, draws: Int = 9999,
    seed: UInt64 = 1
  ) {
    guard !differences.isEmpty, differences.allSatisfy(\.isFinite) else { return nil }
    precondition(draws > 0, "signs must be drawn at least once")
    count = differences.count
    isExact = count <= Self.maxForExact
    let sum = differences.reduce(0, +)
    meanDifference = sum / Double(count)

    // The order of a sum affects its last bits; the slack makes equal sums count as equal.
    let slack = 1e-12 * differences.reduce(0) { $0 + abs($1) }
    func isAsFarOut(_ other: Double) -> Bool {
      switch alternative {
      case .greater: other >= sum - slack
      case .less: other <= sum + slack
      case .twoSided: abs(other) >= abs(sum) - slack
      }
    }
    let turned = TurnedSums(differences)
    if isExact {
      let all = 1 << count
      let hits = (0..<all).count { isAsFarOut(sum - 2 * turned.sum(UInt64($0), word: 0)) }
      pValue = Double(hits) / Double(all)
    } else {
      var random = SeededGenerator(seed: seed)
      let words = (count + 63) / 64
      var hits = 0
      for _ in 0..<draws {
        var below = 0.0
        for word in 0..<words { below += turned.sum(random.next(), word: word) }
        if isAsFarOut(sum - 2 * below) { hits += 1 }
      }
      pValue = Double(hits + 1) / Double(draws + 1)
    }
  }

  /// Sums of the differences whose bit is set, from tables of the 256 sums of each eight.
  private struct TurnedSums {
    private var sums: [Double] = []
    private let bytes: Int

    init(_ differences: [Double]) {
      bytes = (differences.count + 7) / 8
      sums.reserveCapacity(256 * bytes)
      for byte in 0..<bytes {
        let eight = differences.dropFirst(8 * byte).prefix(8)
        sums.append(0)
        // Each difference doubles the table with sums that include it; missing ones count as 0.
        for bit in 0..<8 {
          let own = bit < eight.count ? eight[eight.startIndex + bit] : 0
          for place in 0..<1 << bit { sums.append(sums[256 * byte + place] + own) }
        }
      }
    }

    /// - Parameter word: index of the 64 differences that `signs` selects from.
    func sum(_ signs: UInt64, word: Int) -> Double {
      var (sum, rest) = (0.0, signs)
      for byte in 8 * word..<min(8 * word + 8, bytes) {
        sum += sums[256 * byte + Int(truncatingIfNeeded: rest & 255)]
        rest >>= 8
      }
      return sum
    }
  }
}
