/// What a subject costs by count, not by clock: instructions, and allocations, for a second of sound.
///
/// The command runs itself under valgrind on half a second of sound and on one and a half; the
/// difference is one second, without the making of anything. Counts hardly differ from run to run or
/// from one load of the machine to the next.
///
/// - Cost: four runs of a few seconds.
/// - Source: valgrind's tools callgrind (instructions) and memcheck (allocations).
public struct CountedCost: Encodable, Sendable {
  public var instructionsPerSecond: Double
  /// Of all threads, while sound runs; 0 is what an audio thread wants.
  public var allocationsPerSecond: Double

  public enum Failure: Error, CustomStringConvertible {
    case noValgrind
    case failed(String)

    public var description: String {
      switch self {
      case .noValgrind:
        "counting needs valgrind and strip; one of them is not here; on Debian: "
          + "apt-get install valgrind binutils"
      case .failed(let problem): "counting failed: \(problem)"
      }
    }
  }

  /// - Parameter arguments: of this program, which make it process so many seconds of sound; the
  ///   number of seconds comes last.
  public init(running arguments: [String]) throws(Failure) {
    instructionsPerSecond = try InstructionCount(running: arguments).perSecond
    let counter = try ValgrindCounter(of: SelfProcess.path)
    func allocations(_ seconds: String) throws(Failure) -> Double {
      try counter.number(
        after: "total heap usage: ", tool: ["--tool=memcheck", "--undef-value-errors=no"],
        arguments + [seconds])
    }
    allocationsPerSecond = try allocations("1.5") - allocations("0.5")
  }
}
