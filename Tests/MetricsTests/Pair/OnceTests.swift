import Dispatch
import Synchronization
import Testing

@testable import Metrics

@Suite struct OnceTests {
  /// Eight threads that ask at the same time get the value of one computation.
  @Test func threadsShareOneComputation() {
    let once = Once<Int>()
    let computed = Atomic(0)
    let found = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let value = once { computed.add(1, ordering: .relaxed).newValue }
      found.withLock { $0.append(value) }
    }
    #expect(computed.load(ordering: .relaxed) == 1)
    #expect(found.withLock { $0 } == Array(repeating: 1, count: 8))
  }

  @Test func eachKeyIsComputedOnce() {
    let once = OnceByKey<Int, Int>()
    let computed = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 40) { index in
      let key = index % 5
      let value = once(key) {
        computed.add(1, ordering: .relaxed)
        return key * key
      }
      #expect(value == key * key)
    }
    #expect(computed.load(ordering: .relaxed) == 5)
  }

  /// A computation may ask for the value of another key: no lock is held over all of them.
  @Test(.timeLimit(.minutes(1))) func aComputationMayUseAnotherKey() {
    let once = OnceByKey<String, Int>()
    #expect(once("outer") { once("inner") { 20 } + 1 } == 21)
    #expect(once("inner") { 0 } == 20)
  }
}
