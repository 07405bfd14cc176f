import Foundation
import Platform

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
  private var running: SupervisedConnection?

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
    let program = try talk {
      try SupervisedConnection(
        arguments[0], Array(arguments.dropFirst()), ChildEnvironment.ofThisProcess,
        folder: SelfProcess.folder, memoryMB: 0, timeoutSeconds: Double(timeoutSeconds))
    }
    let line = try talk { try program.line() }
    guard line == Self.greeting else {
      throw Refusal(
        "'\(arguments[0])' wrote '\(line)', expected '\(Self.greeting)'; use a program with this "
          + "version of the protocol")
    }
    running = program
  }

  public func seconds(times: Int) throws -> Double {
    if running == nil { try renew() }
    let line = try talk {
      try Array("\(times)\n".utf8).withUnsafeBytes { try running!.write($0) }
      return try running!.line()
    }
    guard let seconds = Double(line), seconds.isFinite, seconds >= 0 else {
      throw Refusal("'\(arguments[0])' wrote '\(line)', expected a number of seconds")
    }
    return seconds
  }

  /// Talks to the program, whose failures get its name.
  private func talk<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let failure as ChildProcess.Failure {
      throw Refusal("'\(arguments[0])' did not answer: \(failure)")
    }
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
        throw Refusal("standard input has '\(line)', expected a whole number above 0")
      }
      write("\(try work.seconds(times: times))")
    }
  }
}
