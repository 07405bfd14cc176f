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

  /// Two channels stay together while one thread writes and another reads, also when the ring is full.
  @Test func aFrameIsNeverCut() async {
    let ring = LockFreeRing<SIMD2<Float>>(room: 64)
    let count = 1_000_000
    async let writing: Void = Task.detached {
      for n in 1...count { ring.push(SIMD2(Float(n), -Float(n))) }
    }.value
    let reading = Task.detached {
      var (received, isWhole) = (0, true)
      while received + ring.droppedCount < count {
        let frames = ring.popAll()
        received += frames.count
        for frame in frames where frame.x != -frame.y || frame.x == 0 { isWhole = false }
      }
      return isWhole
    }
    #expect(await reading.value)
    await writing
  }
}
