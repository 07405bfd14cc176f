import Foundation

/// The result of a gate.
public struct GateResult: Codable, Sendable {
  public var schema = "choir-eval.gate/1"
  /// Path of the gate's file; `baselineFile` is that of its baseline.
  public var gate: String
  public var baselineFile: String
  /// Name of the run.
  public var plan: String
  public var subjects: [String]
  public var machine: String
  /// Provenance of the baseline.
  public var baseline: Baseline.Provenance
  public var measuredCells: Int
  public var expectedCells: Int
  /// Comparison of every figure; `nil` if no figure could be compared.
  public var comparison: RunComparison?
  public var budgets: [BudgetFinding]
  /// One finding for each setting whose cost was compared.
  public var costs: [CostFinding] = []
  /// Findings, the most serious first.
  public var findings: [GateFinding]

  public enum Verdict: String, Codable, Sendable {
    case pass, regression
    case notMeasured = "could not measure"
    case inconclusive
  }

  public func verdict(strict: Bool = false) -> Verdict {
    switch exitCode(strict: strict) {
    case 0: .pass
    case 1: .regression
    case 3: .inconclusive
    default: .notMeasured
    }
  }

  /// Exit code: 0 pass; 1 regression or broken budget; 2 could not measure; 3 inconclusive and
  /// `strict`.
  public func exitCode(strict: Bool) -> Int32 {
    let codes = Set(findings.compactMap { $0.kind.exitCode(strict: strict) })
    // A proven regression (1) takes precedence over missing data (2).
    return [1, 2, 3].first(where: codes.contains) ?? 0
  }

  public func count(_ kind: GateFinding.Kind) -> Int { findings.count { $0.kind == kind } }
}
