/// Instructions that a program takes for a second of sound, by callgrind: what a clock can't tell from
/// noise, a count can.
///
/// The program is run on two lengths of sound, and the difference counts: what making takes cancels.
/// Only what happens within `ProbeBench.run(seconds:)` is collected. So the same command gives the same
/// count, to the last instruction; longer arguments move memory and with it some copying, by about
/// 0.002 %.
///
/// - Cost: two runs under callgrind, some fifty times slower than else.
public struct InstructionCount: Codable, Equatable, Sendable {
  public var perSecond: Double

  /// The name of the function as a linker has it.
  private static let counted = "*10ProbeBenchV3run7seconds*"

  /// - Parameters:
  ///   - program: of this kind; this one unless given.
  ///   - arguments: that make it process so many seconds of sound; the number comes last.
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
      throw .failed("'\(program ?? SelfProcess.path)' did nothing to count; is it another version?")
    }
  }

  package init(perSecond: Double) { self.perSecond = perSecond }

  /// What is counted is so; what is smaller than the minimum effect still does not matter.
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
