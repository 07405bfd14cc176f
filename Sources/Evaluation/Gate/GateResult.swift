import Foundation
import Platform
import Subjects

/// The result of a gate.
public struct GateResult: Codable, Sendable {
  public var schema = "choir-eval.gate/1"
  /// Path of the gate's file; `baselineFile` is that of its baseline.
  public var gate: String
  public var baselineFile: String
  /// Options that the gate was given besides, such as `--subject mine.yaml`; `nil` if unknown.
  public var options: [String]?
  /// Name of the run.
  public var plan: String
  public var subjects: [String]
  public var machine: String
  /// The commit that was judged, in words; `nil` if unknown.
  public var commit: String?
  /// Provenance of the baseline.
  public var baseline: Baseline.Provenance
  public var measuredCells: Int
  public var expectedCells: Int
  /// Number of takes behind each figure: 1, or more with inaudibly different inputs.
  public var takes = 1
  /// False if nobody measured how far inaudible changes move the figures.
  public var knowsNoise = true
  /// Comparison of every figure; `nil` if no figure could be compared.
  public var comparison: RunComparison?
  public var budgets: [BudgetFinding]
  /// One finding for each setting whose cost was compared.
  public var costs: [CostFinding] = []
  /// Groups of regressions that one change explains.
  public var causes: [CauseGroup] = []
  /// Findings, the most serious first; regressions by cause, each led by its most direct figure.
  public var findings: [GateFinding]
  /// Instants of rare events that became more, in the candidate's sounds.
  public var events: [EventInstants] = []
  /// The revision that was the baseline; `nil` if a file was.
  public var against: Against?

  /// A revision as the baseline.
  public struct Against: Codable, Sendable {
    /// The revision as the user named it.
    public var name: String
    public var commit: Commit
    /// True if its build was made earlier.
    public var wasBuilt: Bool
    /// True if all its cells were measured earlier.
    public var wasMeasured: Bool
    /// The instants at which the sounds of both sides differ most, with their files.
    public var sounds: [DifferingInstants]
  }

  public enum Outcome: String, Codable, Sendable {
    case pass
    /// A regression, or a broken budget.
    case regression
    case notMeasured = "could not measure"
    /// Only a strict gate has this outcome.
    case inconclusive

    public var exitCode: Int32 {
      switch self {
      case .pass: 0
      case .regression: 1
      case .notMeasured: 2
      case .inconclusive: 3
      }
    }
  }

  /// - Parameter strict: true if inconclusive findings fail the gate.
  public func outcome(strict: Bool = false) -> Outcome {
    let outcomes = Set(findings.compactMap { $0.kind.outcome(strict: strict) })
    // A proven regression takes precedence over missing data.
    return [.regression, .notMeasured, .inconclusive].first(where: outcomes.contains) ?? .pass
  }

  /// The figure of each budget nearest to its limit, or furthest beyond, and whether it breaks it; one that lost its
  /// value if no value breaks it.
  package var nearestBudgets: [(finding: BudgetFinding, isBroken: Bool)] {
    budgets.grouped(by: \.budget).map { same in
      let broken = same.filter { $0.isBroken && $0.value != nil }
      if broken.isEmpty, let lost = same.first(where: \.isBroken) { return (lost, true) }
      let isUpper = same[0].budget.max.map { max in broken.allSatisfy { $0.value! > max } } ?? false
      let nearest = (broken.isEmpty ? same.filter { $0.value != nil } : broken)
        .max { isUpper ? $0.value! < $1.value! : $0.value! > $1.value! }
      return (nearest ?? same[0], !broken.isEmpty)
    }
  }

  public func count(_ kind: GateFinding.Kind) -> Int { findings.count { $0.kind == kind } }

  /// The number of findings of each kind: `2 regressions of 1 cause, 61 inconclusive`; empty without any.
  package var countsInWords: String {
    GateFinding.Kind.allCases.filter { count($0) > 0 && $0 != .note }.map { kind in
      let number = count(kind)
      return switch kind {
      case .regression:
        counted(number, kind.rawValue)
          + (causes.isEmpty ? "" : " of \(counted(causes.count, "cause"))")
      case .improvement: counted(number, kind.rawValue)
      case .failedCell: counted(number, "cell") + " failed"
      case .missingCell: counted(number, "cell") + " missing"
      case .brokenBudget: counted(number, "budget") + " broken"
      case .notComparable, .inconclusive, .note: "\(number) \(kind.rawValue)"
      }
    }.joined(separator: ", ")
  }

  /// The gate's file and options in a shell, for commands that use the same.
  package var commandWords: String {
    ([gate] + (options ?? [])).map(\.forShell).joined(separator: " ")
  }

  /// A note if nobody measured how far inaudible changes move the figures.
  package var noiseNote: GateFinding? {
    guard !knowsNoise else { return nil }
    let words =
      "how far inaudible changes move the figures is not known"
      + (against == nil
        ? "; measure it: choir-eval accept \(commandWords) --reason \"…\""
        : ": the reference can't be measured under them")
    return GateFinding(.note, "noise", words)
  }
}
