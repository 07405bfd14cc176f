/// The verdict of a comparison on a figure.
public enum ComparisonVerdict: String, Codable, Sendable, CaseIterable {
  /// Worse by at least the minimum effect, and significantly so.
  case regression
  /// Better by at least the minimum effect, and significantly so.
  case improvement
  /// No change of the minimum effect or more.
  case withinNoise = "within noise"
  /// A change of the minimum effect is neither shown nor excluded.
  case inconclusive

  /// Returns the verdict with the highest `concern`; `withinNoise` for none.
  public static func worst(of verdicts: some Sequence<ComparisonVerdict>) -> ComparisonVerdict {
    verdicts.max { $0.concern < $1.concern } ?? .withinNoise
  }

  /// The order of importance; a regression is highest.
  public var concern: Int {
    switch self {
    case .regression: 3
    case .inconclusive: 2
    case .improvement: 1
    case .withinNoise: 0
    }
  }
}
