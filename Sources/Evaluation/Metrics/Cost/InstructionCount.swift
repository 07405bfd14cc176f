/// The instructions of a program for a second of sound, counted by callgrind. A count resolves changes
/// that disappear in the noise of a clock.
///
/// The program runs on two lengths of sound; the difference cancels the cost of creation. Only
/// `ProbeBench.run(seconds:)` is counted, so the same command gives the same count, to the last
/// instruction. Longer arguments move memory and change some copying, by about 0.002 %.
///
/// - Cost: two runs under callgrind, about 50 times slower than without.
public struct InstructionCount: Codable, Equatable, Sendable {
  public var perSecond: Double

  /// A pattern of the function's mangled name.
  static let counted = "*10ProbeBenchV3run7seconds*"

  /// Counts under valgrind.
  ///
  /// - Parameters:
  ///   - program: a `choir-eval`; `nil` for this one.
  ///   - arguments: arguments that make it process sound; the number of seconds is appended.
  public init(
    of program: String? = nil, running arguments: [String]
  ) throws(CountedCost.Failure) {
    let counter = try ValgrindCounter(of: program ?? SelfProcess.path)
    func count(_ seconds: String) throws(CountedCost.Failure) -> Double {
      try counter.number(
        after: "Collected : ",
        tool: [
          "--tool=callgrind", "--callgrind-out-file=/dev/null",
          "--toggle-collect=\(Self.counted)",
        ], arguments + [seconds])
    }
    perSecond = try count("1.5") - count("0.5")
    guard perSecond > 0 else {
      throw .failed(
        "'\(program ?? SelfProcess.path)' ran no counted work; use a choir-eval of this version")
    }
  }

  package init(perSecond: Double) { self.perSecond = perSecond }

  /// Compares counts, which are exact: every change of at least the minimum effect is confirmed.
  public func comparison(
    to baseline: InstructionCount, minimumEffect: Double = CostTrial.Settings().minimumEffect
  ) throws(CostTrialError) -> CostComparison {
    guard baseline.perSecond > 0, perSecond > 0 else { throw .noTime }
    let ratio = perSecond / baseline.perSecond
    var comparison = CostComparison(
      ratio: ratio, interval: ratio...ratio, confidence: 0.999, rounds: 1,
      minimumEffect: minimumEffect, method: .instructions)
    comparison.confirmed = comparison.verdict != .withinNoise
    return comparison
  }
}
