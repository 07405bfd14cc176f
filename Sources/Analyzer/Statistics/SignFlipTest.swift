import DSP

/// Whether paired differences lie to one side of zero by more than chance: were there no effect,
/// each difference could as well have had the other sign.
///
/// Assumes that the differences are independent (one for each recording or singer) and, without an
/// effect, symmetric around zero; nothing about their shape.
///
/// - Cost: 2 to the power of their number up to 16 differences, else `draws`.
/// - Source: Fisher, "The Design of Experiments", 1935, section 21; the count of drawn signs as
///   Phipson and Smyth, "Permutation p-values should never be zero", 2010.
public struct SignFlipTest: Codable, Equatable, Sendable {
  public enum Alternative: String, Codable, Sendable { case greater, less, twoSided }

  /// How often chance alone would give a mean this far out.
  public var pValue: Double
  /// Whether all signs were tried.
  public var isExact: Bool
  public var meanDifference: Double
  public var count: Int

  /// Up to this many differences, all signs are tried: 65 536 of them.
  static let mostForExact = 16

  /// `nil` without differences.
  public init?(
    _ differences: [Double], _ alternative: Alternative = .twoSided, draws: Int = 9999,
    seed: UInt64 = 1
  ) {
    guard !differences.isEmpty, differences.allSatisfy(\.isFinite) else { return nil }
    precondition(draws > 0, "signs must be drawn at least once")
    count = differences.count
    isExact = count <= Self.mostForExact
    let sum = differences.reduce(0, +)
    meanDifference = sum / Double(count)

    // Sums in another order differ in their last bits; what is equal must count as equal.
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

  /// Sums of those differences whose bit is set, eight at a time: 256 sums of each eight.
  private struct TurnedSums {
    private var sums: [Double] = []
    private let bytes: Int

    init(_ differences: [Double]) {
      bytes = (differences.count + 7) / 8
      sums.reserveCapacity(256 * bytes)
      for byte in 0..<bytes {
        let eight = differences.dropFirst(8 * byte).prefix(8)
        sums.append(0)
        // With each further one as many again, each larger by it; of those that are not there by 0.
        for bit in 0..<8 {
          let own = bit < eight.count ? eight[eight.startIndex + bit] : 0
          for place in 0..<1 << bit { sums.append(sums[256 * byte + place] + own) }
        }
      }
    }

    /// - Parameter word: which 64 of the differences.
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
