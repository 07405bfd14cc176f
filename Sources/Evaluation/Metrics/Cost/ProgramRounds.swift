import Foundation

/// Rounds of another program, such as a released `choir-eval`, so that two builds can be compared in
/// one schedule.
///
/// The program writes the line `greeting` when it is ready. For each line with a number that it reads,
/// it repeats its work that many times and writes the processor time in seconds. It ends with its
/// input. It is restarted in every round, so that its memory has another layout.
public final class ProgramRounds: CostRounds {
  public static let greeting = "choir-eval.cost-rounds/1"

  private let arguments: [String]
  private let timeoutSeconds: Int
  private var running: LineProtocolProcess?

  /// Prepares a program.
  ///
  /// - Parameters:
  ///   - arguments: the program's path and the arguments for this protocol.
  ///   - timeoutSeconds: the time limit of each answer.
  public init(running arguments: [String], timeoutSeconds: Int = 60) {
    (self.arguments, self.timeoutSeconds) = (arguments, timeoutSeconds)
  }

  public func renew() throws {
    running = nil
    let process = try LineProtocolProcess(arguments, timeoutSeconds: timeoutSeconds)
    let line = try process.line()
    guard line == Self.greeting else {
      throw LineProtocolProcess.Failure.unexpected(
        arguments[0], line: line,
        wanted: "'\(Self.greeting)'; use a program with this version of the protocol")
    }
    running = process
  }

  public func seconds(times: Int) throws -> Double {
    if running == nil { try renew() }
    try running!.write("\(times)")
    let line = try running!.line()
    guard let seconds = Double(line), seconds.isFinite, seconds >= 0 else {
      throw LineProtocolProcess.Failure.unexpected(
        arguments[0], line: line, wanted: "a number of seconds")
    }
    return seconds
  }

  /// Runs the program's side of the protocol until the end of standard input.
  public static func answer(by work: any CostRounds) throws {
    func write(_ text: String) {
      print(text)
      fflush(nil)
    }
    _ = try work.seconds(times: 1)
    write(greeting)
    while let line = readLine() {
      guard let times = Int(line), times > 0 else {
        throw LineProtocolProcess.Failure.unexpected(
          "standard input", line: line, wanted: "a whole number above 0")
      }
      write("\(try work.seconds(times: times))")
    }
  }
}
