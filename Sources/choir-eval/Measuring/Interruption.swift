import ArgumentParser
import CommandSupport
import Foundation
import Sweep
import Synchronization

/// Ctrl-C and SIGTERM during measurements: the first signal asks the work to stop, the next ends the
/// program. Outside of `watching` every signal ends the program.
///
/// The process has one, `shared`: after a signal no later measurement begins.
final class Interruption: @unchecked Sendable {
  static let shared = Interruption()

  let stop = StopSignal()
  private let lock = NSLock()
  /// Numbers of the pieces of work that are watched now.
  private var watched: Set<Int> = []
  private var lastNumber = 0
  private var isAnnounced = false
  private var handlersBefore: [(number: Int32, handler: sighandler_t?)] = []

  /// The number of the first signal; 0 before. A handler of signals may do no more than store it.
  static let firstSignal = Atomic<Int32>(0)

  /// Exit code by the convention of shells: 128 plus the number of the signal.
  var exitCode: Int32? {
    let number = Self.firstSignal.load(ordering: .relaxed)
    return number == 0 ? nil : 128 + number
  }

  /// Does work that a signal stops.
  ///
  /// - Parameters:
  ///   - finishing: what the command still does after the first signal.
  ///   - act: what else the first signal does.
  func watching<Outcome>(
    _ finishing: String = "finishing the cells in flight",
    then act: @escaping @Sendable () -> Void = {}, _ work: () async throws -> Outcome
  ) async rethrows -> Outcome {
    let number = begin(finishing, act)
    defer { end(number) }
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

  private func begin(_ finishing: String, _ act: @escaping @Sendable () -> Void) -> Int {
    let own = lock.withLock {
      lastNumber += 1
      watched.insert(lastNumber)
      let own = lastNumber
      guard watched.count == 1, exitCode == nil else { return own }
      handlersBefore = [SIGINT, SIGTERM].map { number in
        let before = signal(number) { number in
          // The next one ends the program.
          signal(number, SIG_DFL)
          _ = Interruption.firstSignal.compareExchange(
            expected: 0, desired: number, ordering: .relaxed)
        }
        return (number, before)
      }
      return own
    }
    let watch = Thread { [self] in
      while lock.withLock({ watched.contains(own) && !isAnnounced }) {
        announce(finishing, act)
        usleep(20_000)
      }
    }
    watch.start()
    return own
  }

  /// Stops the work if there was a signal; does so once.
  private func announce(_ finishing: String, _ act: () -> Void) {
    let isFirst = lock.withLock {
      guard exitCode != nil, !isAnnounced else { return false }
      isAnnounced = true
      return true
    }
    guard isFirst else { return }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    stop.raise()
    act()
    Terminal.write("\n\(finishing); press Ctrl-C again to stop immediately\n")
  }

  private func end(_ number: Int) {
    lock.withLock {
      watched.remove(number)
      guard watched.isEmpty else { return }
      if exitCode == nil { for before in handlersBefore { signal(before.number, before.handler) } }
      handlersBefore = []
    }
  }
}
