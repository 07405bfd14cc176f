import ArgumentParser
import CommandSupport
import Dispatch
import Foundation
import Sweep

/// Ctrl-C and SIGTERM during measurements: the first signal asks the work to stop, the next ends the
/// program. Outside of `watching` every signal ends the program.
///
/// The process has one, `shared`: after a signal no later measurement begins.
final class Interruption: @unchecked Sendable {
  static let shared = Interruption()

  let stop = StopSignal()
  private let lock = NSLock()
  private var caught: Int32?
  private var watcherCount = 0
  private var sources: [any DispatchSourceSignal] = []
  private var handlersBefore: [(number: Int32, handler: sighandler_t?)] = []

  /// Exit code by the convention of shells: 128 plus the number of the signal.
  var exitCode: Int32? { lock.withLock { caught.map { 128 + $0 } } }

  /// Does work that a signal stops.
  ///
  /// - Parameters:
  ///   - finishing: what the command still does after the first signal.
  ///   - act: what else the first signal does.
  func watching<Outcome>(
    _ finishing: String = "finishing the cells in flight",
    then act: @escaping @Sendable () -> Void = {}, _ work: () async throws -> Outcome
  ) async rethrows -> Outcome {
    begin(finishing, act)
    defer { end() }
    return try await work()
  }

  /// Runs a measurement with a progress bar; an interruption ends the command with its exit code.
  static func measuring<Outcome: Sendable>(
    _ work: (StopSignal, @escaping @Sendable (Sweep.Event) -> Void) async throws -> Outcome
  ) async throws -> Outcome {
    let progress = SweepProgress()
    defer { progress.end() }
    let result: Result<Outcome, any Error>
    do {
      result = .success(
        try await shared.watching { try await work(shared.stop) { progress.show($0) } })
    } catch { result = .failure(error) }
    if let code = shared.exitCode { throw ExitCode(code) }
    return try result.get()
  }

  private func begin(_ finishing: String, _ act: @escaping @Sendable () -> Void) {
    lock.withLock {
      watcherCount += 1
      guard watcherCount == 1, caught == nil else { return }
      for number in [SIGINT, SIGTERM] {
        handlersBefore.append((number, signal(number, SIG_IGN)))
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [weak self] in self?.note(number, finishing, act) }
        source.resume()
        sources.append(source)
      }
    }
  }

  private func note(_ number: Int32, _ finishing: String, _ act: () -> Void) {
    let isFirst = lock.withLock {
      defer { caught = caught ?? number }
      return caught == nil
    }
    guard isFirst else { return }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    stop.raise()
    act()
    Terminal.write("\n\(finishing); press Ctrl-C again to stop immediately\n")
  }

  private func end() {
    lock.withLock {
      watcherCount -= 1
      guard watcherCount == 0 else { return }
      for source in sources { source.cancel() }
      if caught == nil { for before in handlersBefore { signal(before.number, before.handler) } }
      (sources, handlersBefore) = ([], [])
    }
  }
}
