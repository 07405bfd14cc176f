import DSP
import Testing

@Suite struct RealtimeQueueTests {
  @Test func valuesLeaveInTheirOrder() {
    var queue = RealtimeQueue(room: 4, filling: 0)
    #expect(queue.pop() == nil)
    for value in 1...3 { queue.push(value) }
    #expect(queue.count == 3)
    #expect(queue.first == 1)
    #expect(queue.pop() == 1)
    for value in 4...5 { queue.push(value) }
    #expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()] == [2, 3, 4, 5])
    #expect(queue.pop() == nil)
  }

  @Test func theOldestOfTooManyAreLost() {
    var queue = RealtimeQueue(room: 4, filling: 0)
    for value in 1...10 { queue.push(value) }
    #expect(queue.count == 4)
    #expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()] == [7, 8, 9, 10])
  }

  @Test func removeAllForgetsThem() {
    var queue = RealtimeQueue(room: 4, filling: 0)
    queue.push(1)
    queue.removeAll()
    #expect(queue.count == 0)
    #expect(queue.pop() == nil)
  }
}
