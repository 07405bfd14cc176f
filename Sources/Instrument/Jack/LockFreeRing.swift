import Synchronization

/// A queue of plain values from one thread to another; neither waits for the other. A queue within
/// one thread is `RealtimeQueue`.
///
/// When the queue is full, values are dropped and counted.
///
/// - Allocates: in `init` only; `popAll` allocates its result.
public final class LockFreeRing<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let start: UnsafeMutablePointer<Element>
  private let mask: Int
  private let written = Atomic<Int>(0)
  private let read = Atomic<Int>(0)
  private let lost = Atomic<Int>(0)

  /// - Parameter room: the number of values that can wait, a power of two.
  public init(room: Int) {
    precondition(room > 0 && room & (room - 1) == 0, "the room is a power of two")
    start = .allocate(capacity: room)
    mask = room - 1
  }

  deinit { start.deallocate() }

  /// Number of values that were dropped.
  public var droppedCount: Int { lost.load(ordering: .relaxed) }

  /// Appends a value; for the writing thread.
  public func push(_ value: Element) {
    let place = written.load(ordering: .relaxed)
    guard place - read.load(ordering: .acquiring) <= mask else {
      lost.add(1, ordering: .relaxed)
      return
    }
    start[place & mask] = value
    written.store(place + 1, ordering: .releasing)
  }

  /// Removes and returns all waiting values; for the reading thread.
  public func popAll() -> [Element] {
    let (from, to) = (read.load(ordering: .relaxed), written.load(ordering: .acquiring))
    let values = (from..<to).map { start[$0 & mask] }
    read.store(to, ordering: .releasing)
    return values
  }
}
