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
    if isExact {
      let all = 1 << count
      let hits = (0..<all).count { isAsFarOut(Self.sum(differences, signs: [UInt64($0)])) }
      pValue = Double(hits) / Double(all)
    } else {
      var random = SeededGenerator(seed: seed)
      var signs = [UInt64](repeating: 0, count: (count + 63) / 64)
      var hits = 0
      for _ in 0..<draws {
        for word in signs.indices { signs[word] = random.next() }
        if isAsFarOut(Self.sum(differences, signs: signs)) { hits += 1 }
      }
      pValue = Double(hits + 1) / Double(draws + 1)
    }
  }

  /// The sum with those differences turned round whose bit is set.
  private static func sum(_ differences: [Double], signs: [UInt64]) -> Double {
    var sum = 0.0
    for (index, difference) in differences.enumerated() {
      let turned = signs[index / 64] >> UInt64(index % 64) & 1 == 1
      sum += turned ? -difference : difference
    }
    return sum
  }
}
