import AllocationProbe
import DSP
import Foundation
import ProcessorConformance
import Synchronization
import Testing

/// Checks the checker: it must detect the flaw of each broken processor.
@Suite struct ProcessorConformanceTests {
  @Test func anHonestProcessorPasses() throws {
    let conformance = ProcessorConformance { Flawed(.none) }
    #expect(try conformance.findings() == [])
    #expect(try conformance.latencyFindings() == [])
  }

  @Test(arguments: [
    (Flaw.allocates, "allocations"), (.locks, "allocations, releases or locks"),
    (.dependsOnBlocks, "blocks of"), (.keepsStateOverReset, "after reset"),
    (.lettingNaNThrough, "an input of nan"),
  ])
  func aFlawIsFound(flaw: Flaw, words: String) throws {
    let findings = try ProcessorConformance { Flawed(flaw) }.findings()
    #expect(findings.contains { $0.contains(words) }, "\(findings)")
  }

  @Test func aMisstatedLatencyIsFound() throws {
    let findings = try ProcessorConformance { Flawed(.statesAnotherLatency) }.latencyFindings()
    #expect(findings == ["states a latency of 3.0 samples, measured 1.0"])
  }

  @Test func theProbeSeesThisProgram() {
    #expect(allocation_probe_is_live() == 1)
    allocation_probe_start()
    free(malloc(1))
    free(nil)
    #expect(allocation_probe_stop() == 2)
  }

  @Test func theProbeSeesEveryPthreadLock() {
    var (mutex, both, semaphore) = (pthread_mutex_t(), pthread_rwlock_t(), sem_t())
    pthread_mutex_init(&mutex, nil)
    pthread_rwlock_init(&both, nil)
    sem_init(&semaphore, 0, 1)
    func locks(_ work: () -> Void) -> Int {
      allocation_probe_start()
      work()
      _ = allocation_probe_stop()
      return allocation_probe_counts().locks
    }
    #expect(locks { pthread_mutex_lock(&mutex) } == 1)
    pthread_mutex_unlock(&mutex)
    #expect(locks { pthread_rwlock_rdlock(&both) } == 1)
    pthread_rwlock_unlock(&both)
    #expect(locks { pthread_rwlock_wrlock(&both) } == 1)
    pthread_rwlock_unlock(&both)
    #expect(locks { sem_wait(&semaphore) } == 1)
  }

  /// A Swift mutex is visible where a thread waits for it. The other thread lets go once it sees this
  /// one asleep.
  @Test func theProbeSeesAThreadThatWaitsForASwiftMutex() throws {
    final class Shared: Sendable {
      let mutex = Mutex(0)
      let isHeld = Atomic(false)
    }
    let shared = Shared()
    let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    Thread.detachNewThread {
      shared.mutex.withLock { _ in
        shared.isHeld.store(true, ordering: .releasing)
        for _ in 0..<10_000 {
          let stat = try? String(contentsOfFile: "/proc/\(here)/stat", encoding: .utf8)
          if stat?.contains(") S ") == true { return }
          usleep(1000)
        }
      }
    }
    while !shared.isHeld.load(ordering: .acquiring) {}
    allocation_probe_start()
    shared.mutex.withLock { $0 += 1 }
    _ = allocation_probe_stop()
    #expect(allocation_probe_counts().locks >= 1)
  }
}

enum Flaw: Sendable {
  case none, allocates, locks, dependsOnBlocks, keepsStateOverReset, lettingNaNThrough
  case statesAnotherLatency
}

/// A delay of one sample with one flaw.
private struct Flawed: BlockProcessor, ~Copyable {
  let flaw: Flaw
  var last: Float = 0
  let mutex = Lock()

  init(_ flaw: Flaw) { self.flaw = flaw }

  var latencySamples: Int { flaw == .statesAnotherLatency ? 3 : 1 }

  mutating func reset() { if flaw != .keepsStateOverReset { last = 0 } }

  mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    misbehave()
    for i in 0..<input.count {
      output[i] = last
      last = input[i].isFinite || flaw == .lettingNaNThrough ? input[i] : 0
    }
    if flaw == .dependsOnBlocks { last = 0 }
  }

  /// Commits the flaw, hidden from the compiler, which would reject it on the audio thread.
  @_semantics("no_performance_analysis") private func misbehave() {
    if flaw == .allocates { free(malloc(16)) }
    if flaw == .locks { mutex.take() }
  }
}

/// A pthread mutex.
private final class Lock {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func take() {
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
  }
}
