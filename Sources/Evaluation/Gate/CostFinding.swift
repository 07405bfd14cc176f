import Foundation
import Metrics
import Platform

/// The result of comparing the cost of one setting.
public struct CostFinding: Codable, Equatable, Sendable {
  /// The settings in canonical form; empty for the subject's defaults.
  public var configuration: String
  /// Description of the baseline, for a sentence.
  public var against: String
  /// `nil` if it could not be compared.
  public var comparison: CostComparison?
  /// Reason why it could not be compared, with a remedy.
  public var problem: String?
  /// Command that repeats the comparison.
  public var command: String

  /// Text such as `cost · engine=psola`.
  public var subject: String {
    (["cost"] + (configuration.isEmpty ? [] : [configuration])).joined(separator: " · ")
  }

  /// The gate's finding; `nil` within noise.
  public var finding: GateFinding? {
    guard let comparison else {
      return GateFinding(
        .notComparable, subject, "\(problem ?? "not measured"), against \(against)",
        metric: Self.metric, command: command)
    }
    return GateFinding.Kind(comparison.verdict).map {
      GateFinding($0, subject, message(comparison), metric: Self.metric, command: command)
    }
  }

  /// The metric of which the comparison gives a ratio.
  static let metric = "cpu.realtime_factor"

  private func message(_ found: CostComparison) -> String {
    let interval = found.interval
    let source =
      "\(interval.lowerBound.three) to \(interval.upperBound.three) with "
      + "\((100 * found.confidence).short) % confidence, \(found.rounds) rounds"
      + (found.confirmed ? ", confirmed by a second trial" : "")
    return "costs \(found.ratio.three) times the baseline (\(source)), against \(against); minimum "
      + "effect \((100 * found.minimumEffect).short) %, detectable +\(found.detectablePercent) %"
  }
}

extension Double {
  /// Text with three decimals, for a ratio near 1.
  fileprivate var three: String { String(format: "%.3f", self) }
}
