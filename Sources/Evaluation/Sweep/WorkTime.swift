import Subjects
import Synchronization

/// Processor time of the subject and of the judges, that is, the analysis.
final class WorkTime: Sendable {
  enum Worker: Sendable { case subject, judges }

  private let seconds = Mutex<(subject: Double, judges: Double)>((0, 0))

  /// Runs `work` and adds the processor time of this thread.
  func note<Value>(_ worker: Worker, _ work: () throws -> Value) rethrows -> Value {
    let before = ThreadClock.seconds
    defer { add(ThreadClock.seconds - before, to: worker) }
    return try work()
  }

  func add(_ spent: Double, to worker: Worker) {
    seconds.withLock { seconds in
      switch worker {
      case .subject: seconds.subject += spent
      case .judges: seconds.judges += spent
      }
    }
  }

  var spent: (subject: Double, judges: Double) { seconds.withLock { $0 } }
}
