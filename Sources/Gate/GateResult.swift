import Foundation

/// What a gate says of a run.
public struct GateResult: Codable, Sendable {
  public var schema = "choir-eval.gate/1"
  /// Path of the gate's file, and of its baseline.
  public var gate: String
  public var baselineFile: String
  /// The run's name.
  public var plan: String
  public var subjects: [String]
  public var machine: String
  /// Of the baseline.
  public var baseline: Baseline.Provenance
  public var measuredCells: Int
  public var expectedCells: Int
  /// With every figure; `nil` where no figure could be compared.
  public var comparison: RunComparison?
  public var budgets: [BudgetFinding]
  /// One for each setting whose cost was compared.
  public var costs: [CostFinding] = []
  /// The gravest first.
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

  /// 0 pass; 1 regression or budget broken; 2 could not measure; 3 inconclusive, where `strict`.
  public func exitCode(strict: Bool) -> Int32 {
    let codes = Set(findings.compactMap { $0.kind.exitCode(strict: strict) })
    // What is surely worse comes before what nobody knows.
    return [1, 2, 3].first(where: codes.contains) ?? 0
  }

  public func count(_ kind: GateFinding.Kind) -> Int { findings.count { $0.kind == kind } }
}
