import Foundation

/// Work that another program does when it is asked to, such as a released `choir-eval`: two builds can
/// so be compared in one schedule.
///
/// The program says `greeting` in a line when it is ready. Then for each line with a number that it
/// reads it does its work so many times and answers with the seconds that this took on a core; it ends
/// where its input does. It is started anew in every round, so that its memory lies elsewhere.
public final class ProgramRounds: CostRounds {
  public static let greeting = "choir-eval.cost-rounds/1"

  private let arguments: [String]
  private let timeoutSeconds: Int
  private var running: LineProtocolProcess?

  /// - Parameters:
  ///   - arguments: the program's path, and what makes it do this.
  ///   - timeoutSeconds: for each of its answers.
  public init(running arguments: [String], timeoutSeconds: Int = 60) {
    (self.arguments, self.timeoutSeconds) = (arguments, timeoutSeconds)
  }

  public func renew() throws {
    running = nil
    let process = try LineProtocolProcess(arguments, timeoutSeconds: timeoutSeconds)
    let said = try process.line()
    guard said == Self.greeting else {
      throw LineProtocolProcess.Failure.said(
        arguments[0], said, wanted: "'\(Self.greeting)'; is it another version?")
    }
    running = process
  }

  public func seconds(times: Int) throws -> Double {
    if running == nil { try renew() }
    try running!.say("\(times)")
    let said = try running!.line()
    guard let seconds = Double(said), seconds.isFinite, seconds >= 0 else {
      throw LineProtocolProcess.Failure.said(arguments[0], said, wanted: "a number of seconds")
    }
    return seconds
  }

  /// The other side: answers until there is nothing more to read.
  public static func answer(by work: any CostRounds) throws {
    func say(_ text: String) {
      print(text)
      fflush(nil)
    }
    _ = try work.seconds(times: 1)
    say(greeting)
    while let line = readLine() {
      guard let times = Int(line), times > 0 else {
        throw LineProtocolProcess.Failure.said("whoever asked", line, wanted: "a number above 0")
      }
      say("\(try work.seconds(times: times))")
    }
  }
}
