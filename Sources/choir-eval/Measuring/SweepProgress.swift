import CommandSupport
import Foundation
import Sweep

/// A progress bar for a sweep, whose events come from several threads.
final class SweepProgress: @unchecked Sendable {
  private let lock = NSLock()
  private var bar: ProgressBar?

  func show(_ event: Sweep.Event) {
    lock.withLock {
      switch event {
      case .began(let total, let stored):
        if stored > 0 { Terminal.progress("\(stored) of \(total) cells were stored\n") }
        bar = ProgressBar(total: total - stored)
      case .started(let cell): bar?.begin(cell.label)
      case .finished(let cell, let failure):
        bar?.advance(to: failure == nil ? cell.label : "FAILED \(cell.label)")
      case .finishedElsewhere(let count):
        bar?.advance(to: "\(count) by other processes", count: count)
      case .costBegan(let total):
        Terminal.progress("timing one cell at a time, in \(Sweep.costRounds) rounds\n")
        bar = ProgressBar(total: total)
      case .costFinished(let cell): bar?.advance(to: cell.label)
      }
    }
  }

  func end() { lock.withLock { bar?.clear() } }
}
