import Foundation
import Synchronization
import Testing

@testable import choir_eval

/// Signals of this very process, one test after the other.
@Suite(.serialized) struct InterruptionTests {
  /// Sends a signal to this process and waits until it is noticed.
  private func interrupt(_ interruption: Interruption) async throws {
    kill(getpid(), SIGINT)
    for _ in 0..<1000 where !interruption.stop.isRaised {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test func theHandlerIsTheOldOneAfterwards() async {
    let interruption = Interruption()
    let before = signal(SIGTERM) { _ in }
    defer { signal(SIGTERM, before) }
    for _ in 0..<3 { await interruption.watching {} }
    let after = signal(SIGTERM, SIG_DFL)
    #expect(after != nil)
    #expect(!interruption.stop.isRaised && interruption.exitCode == nil)
  }

  @Test func oneSignalStopsEverythingAndIsAnnouncedOnce() async throws {
    let interruption = Interruption()
    let (first, later) = (Counter(), Counter())
    // Earlier work, which is over, hears nothing.
    await interruption.watching(then: { later.add() }, {})
    try await interruption.watching(then: { first.add() }, { try await interrupt(interruption) })
    #expect(interruption.stop.isRaised && interruption.exitCode == 130)
    await interruption.watching(then: { later.add() }, {})
    #expect(first.count == 1 && later.count == 0)
    Interruption.firstSignal.store(0, ordering: .relaxed)
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    var count: Int { lock.withLock { number } }
    func add() { lock.withLock { number += 1 } }
  }
}
