import Instrument
import Testing

@Suite struct LockFreeRingTests {
  @Test func valuesComeInOrderAndAFullRingDrops() {
    let ring = LockFreeRing<Int>(room: 4)
    for value in 1...3 { ring.push(value) }
    #expect(ring.popAll() == [1, 2, 3])
    for value in 4...8 { ring.push(value) }
    #expect(ring.popAll() == [4, 5, 6, 7])
    #expect(ring.droppedCount == 1)
    #expect(ring.popAll() == [])
  }
}
