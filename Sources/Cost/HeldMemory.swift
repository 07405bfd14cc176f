import AllocationProbe

/// What a piece of work holds of the heap, on the thread that does it.
struct HeldMemory: Equatable, Sendable {
  /// The most held at once, beyond what was held before.
  var peakBytes: Int
  /// What is still held at the end.
  var heldBytes: Int

  /// - Returns: `nil` where it can't be seen: under sanitizers, which have allocators of
  ///   their own.
  static func during(_ work: () throws -> Void) rethrows -> HeldMemory? {
    allocation_probe_start()
    defer { _ = allocation_probe_stop() }
    try work()
    _ = allocation_probe_stop()
    guard allocation_probe_is_live() != 0 else { return nil }
    let counts = allocation_probe_counts()
    return HeldMemory(peakBytes: counts.peak_bytes, heldBytes: counts.held_bytes)
  }
}
