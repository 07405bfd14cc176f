import Instrument
import Testing

@Suite struct LockFreeRingTests {
  @Test func valuesComeInOrderAndAFullRingDrops() {
    let ring = LockFreeRing<Int>(room: 4)
    for value in 1...3 { ring.push(value) }
    #expect(ring.pop() == 1)
    for value in 4...6 { ring.push(value) }
    #expect(ring.popAll() == [2, 3, 4, 5])
    #expect(ring.droppedCount == 1)
    #expect(ring.pop() == nil)
  }
}
