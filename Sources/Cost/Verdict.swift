/// What a comparison says of a figure.
public enum Verdict: String, Codable, Sendable, CaseIterable {
  /// Worse by more than matters, and more than chance explains.
  case regression
  /// Better by more than matters, and more than chance explains.
  case improvement
  /// No change that matters.
  case withinNoise = "within noise"
  /// Perhaps a change that matters: the recordings at hand can't tell.
  case inconclusive

  /// The most worrying of several; `withinNoise` of none.
  public static func worst(of verdicts: some Sequence<Verdict>) -> Verdict {
    verdicts.max { $0.concern < $1.concern } ?? .withinNoise
  }

  /// The order in which people want to read them.
  public var concern: Int {
    switch self {
    case .regression: 3
    case .inconclusive: 2
    case .improvement: 1
    case .withinNoise: 0
    }
  }
}
