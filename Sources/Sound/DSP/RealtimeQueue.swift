/// A queue of plain values for the audio thread; when it is full, a push drops the oldest value.
///
/// - Allocates: in `init` only.
public struct RealtimeQueue<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  @usableFromInline var ring: RealtimeArray<Element>
  @usableFromInline var pushed = 0
  @usableFromInline var popped = 0

  /// - Parameters:
  ///   - room: the number of values that can wait, a power of two.
  ///   - value: any value; it fills the memory and is never returned.
  @inlinable public init(room: Int, filling value: Element) {
    precondition(room > 0 && room & (room - 1) == 0, "the room is a power of two")
    ring = RealtimeArray(repeating: value, count: room)
  }

  /// The number of waiting values.
  public var count: Int { @_transparent get { pushed &- popped } }

  /// The oldest waiting value; there must be one.
  public var first: Element {
    @_transparent get {
      precondition(popped < pushed, "an empty queue has no first value")
      return ring[popped & (ring.count &- 1)]
    }
  }

  @_transparent public mutating func push(_ value: Element) {
    ring[pushed & (ring.count &- 1)] = value
    pushed &+= 1
    if pushed &- popped > ring.count { popped = pushed &- ring.count }
  }

  /// Removes and returns the oldest value; `nil` if there is none.
  @_transparent public mutating func pop() -> Element? {
    guard popped < pushed else { return nil }
    popped &+= 1
    return ring[(popped &- 1) & (ring.count &- 1)]
  }

  /// Removes all values.
  @_transparent public mutating func removeAll() { (pushed, popped) = (0, 0) }
}
