import Cost
import Foundation

/// What became of the cost of one setting.
public struct CostFinding: Codable, Equatable, Sendable {
  public var measure: GateCost.Measure
  /// The settings, in their one spelling; empty for the subject as it is.
  public var configuration: String
  /// What it was held against, for a sentence.
  public var against: String
  /// `nil` where it could not be compared.
  public var comparison: CostComparison?
  /// Why it could not, with the way out.
  public var problem: String?
  /// Whether the baseline is of another kind of machine or build, and the comparison that much wider.
  public var isForeign: Bool
  /// The command that does the same again.
  public var command: String
  /// The line of the baseline; `nil` where another program or subject was at hand.
  public var key: Baseline.Key?

  /// `cost · engine=psola`.
  public var subject: String {
    (["cost"] + (configuration.isEmpty ? [] : [configuration])).joined(separator: " · ")
  }

  /// For whoever shows a gate's findings; `nil` within noise.
  public var finding: GateFinding? {
    guard let comparison else {
      return GateFinding(
        .notComparable, subject, "\(problem ?? "was not measured"), against \(against)",
        metric: Self.metric, command: command, key: key)
    }
    let kind: GateFinding.Kind
    switch comparison.verdict {
    case .regression: kind = .regression
    case .improvement: kind = .improvement
    case .inconclusive: kind = .inconclusive
    case .withinNoise: return nil
    }
    return GateFinding(
      kind, subject, message(comparison), metric: Self.metric, command: command, key: key)
  }

  /// What it is a ratio of.
  static let metric = "cpu.realtime_factor"

  private func message(_ found: CostComparison) -> String {
    let interval = found.interval
    let source =
      found.method == .instructions
      ? "by instructions counted"
      : "\(interval.lowerBound.three) to \(interval.upperBound.three) with "
        + "\((100 * found.confidence).short) % confidence, \(found.rounds) rounds, "
        + found.method.rawValue + (found.confirmed ? ", confirmed by a second trial" : "")
    return "costs \(found.ratio.three) times what it did (\(source)), against \(against); "
      + "\((100 * found.minimumEffect).short) % matter, +\(found.findablePercent) % would be found"
      + (isForeign ? "; a baseline of another machine or build tells no more" : "")
  }
}

extension CostComparison {
  /// A rise of so many percent is found with a chance of 95 %.
  public var findablePercent: String {
    String(format: "%.1f", 100 * (minimumDetectableRatio - 1))
  }
}

extension Double {
  /// A ratio near 1.
  fileprivate var three: String { String(format: "%.3f", self) }
}
