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
    #expect(allocation_probe_stop() == 2)
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
