import CommandSupport
import Foundation
import Platform
import Sweep
import Synchronization

/// A progress bar for a sweep, whose events come from several threads, and what is known so far.
final class SweepProgress: @unchecked Sendable {
  private let lock = NSLock()
  private var bar: ProgressBar?
  private let preliminary: () -> String?
  /// Subjects whose standard error was shown, in any sweep of this process: a gate makes one for each take.
  private static let shown = Mutex<Set<String>>([])
  private let started = Date()
  /// Time after which the next preliminary result is shown. It doubles, so that a long run does not
  /// fill the log.
  private var nextSeconds: Double

  /// - Parameters:
  ///   - firstSeconds: time until the first preliminary result.
  ///   - preliminary: returns what is known so far; `nil` if that is nothing.
  init(firstSeconds: Double = 15, preliminary: @escaping () -> String? = { nil }) {
    (nextSeconds, self.preliminary) = (firstSeconds, preliminary)
  }

  func show(_ event: Sweep.Event) {
    lock.withLock {
      switch event {
      case .rebuilt(let programs): Terminal.progress(SweepText.rebuilt(programs) + "\n")
      case .began(let total, let stored):
        if stored > 0 {
          Terminal.progress("\(stored) of \(counted(total, "cell")) were already stored\n")
        }
        bar = ProgressBar(total: total - stored)
      case .started(let cell): bar?.begin(cell.label)
      case .finished(let cell, let failure):
        bar?.advance(to: failure == nil ? cell.label : "FAILED \(cell.label)")
        showPreliminary()
      case .wrote(let subject, let lines):
        guard Self.shown.withLock({ $0.insert(subject).inserted }) else { return }
        bar?.clear()
        Terminal.progress(
          "\(subject) wrote to standard error, which is shown once:\n"
            + lines.map { "  \($0.printable)\n" }.joined())
      case .costBegan(let total):
        Terminal.progress("timing one cell at a time, in \(Sweep.costRounds) rounds\n")
        bar = ProgressBar(total: total)
      case .costFinished(let cell): bar?.advance(to: cell.label)
      }
    }
  }

  private func showPreliminary() {
    let seconds = Date().timeIntervalSince(started)
    guard seconds >= nextSeconds, let text = preliminary() else { return }
    nextSeconds = 2 * seconds
    bar?.clear()
    Terminal.progress("\(text)\n")
  }

  func end() { lock.withLock { bar?.clear() } }
}
