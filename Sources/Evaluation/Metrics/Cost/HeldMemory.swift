import AllocationProbe

/// The heap memory of a piece of work, on its own thread.
struct HeldMemory: Equatable, Sendable {
  /// Peak memory above that at the start.
  var peakBytes: Int
  /// Memory above that at the start that is still held at the end.
  var heldBytes: Int

  /// Measures a piece of work.
  ///
  /// - Returns: `nil` under sanitizers, whose allocators can't be counted.
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
