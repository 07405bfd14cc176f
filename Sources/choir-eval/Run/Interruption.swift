import Dispatch
import Evaluation
import Foundation

/// Ctrl-C, and a scheduler's request to end: the first asks the sweep to stop, the next ends it.
final class Interruption: @unchecked Sendable {
  let stop = StopSignal()
  private var sources: [any DispatchSourceSignal] = []
  private var caught: Int32?  // written on one queue, read when the sweep has ended
  private let queue = DispatchQueue(label: "interruption")

  init() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [self] in
        caught = number
        stop.raise()
        signal(number, SIG_DFL)
        Terminal.write("\nfinishing the cells in flight; once more to end at once\n")
      }
      source.resume()
      sources.append(source)
    }
  }

  /// As shells have it: 128 and the number of the signal.
  var exitCode: Int32? { queue.sync { caught.map { 128 + $0 } } }
}
