import ArgumentParser
import CommandSupport
import Dispatch
import Foundation
import Sweep

/// Handler of Ctrl-C and SIGTERM: the first signal asks the work to stop, the next ends the program.
final class Interruption: @unchecked Sendable {
  let stop = StopSignal()
  private var sources: [any DispatchSourceSignal] = []
  private var caught: Int32?  // written on one queue, read after the sweep has ended
  private let queue = DispatchQueue(label: "interruption")

  /// - Parameters:
  ///   - finishing: what the command still does after the first signal.
  ///   - act: what else the first signal does.
  init(
    _ finishing: String = "finishing the cells in flight",
    then act: @escaping @Sendable () -> Void = {}
  ) {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [self] in
        caught = number
        stop.raise()
        act()
        signal(number, SIG_DFL)
        Terminal.write("\n\(finishing); press Ctrl-C again to stop immediately\n")
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Exit code by the convention of shells: 128 plus the number of the signal.
  var exitCode: Int32? { queue.sync { caught.map { 128 + $0 } } }

  /// Runs a measurement with a progress bar; an interruption ends the command with its exit code.
  static func measuring<Outcome: Sendable>(
    _ work: (StopSignal, @escaping @Sendable (Sweep.Event) -> Void) async throws -> Outcome
  ) async throws -> Outcome {
    let (interruption, progress) = (Interruption(), SweepProgress())
    defer { progress.end() }
    do { return try await work(interruption.stop) { progress.show($0) } } catch {
      if let code = interruption.exitCode { throw ExitCode(code) }
      throw error
    }
  }
}
