/// Samples that a plugin reads or writes, between guards that tell if it wrote beside them.
final class GuardedBuffer {
  let symbol: String
  let samples: UnsafeMutableBufferPointer<Float>
  private let all: UnsafeMutableBufferPointer<Float>

  private static let guardCount = 64
  /// A quiet NaN that no computation makes.
  private static let pattern: UInt32 = 0x7fc0_5afe

  init(_ symbol: String, count: Int) {
    self.symbol = symbol
    all = .allocate(capacity: count + 2 * Self.guardCount)
    all.initialize(repeating: Float(bitPattern: Self.pattern))
    samples = .init(rebasing: all[Self.guardCount..<Self.guardCount + count])
    samples.update(repeating: 0)
  }

  deinit { all.deallocate() }

  /// The first sample beside the buffer that changed, counted from the buffer's start.
  var firstOverrun: Int? {
    let places =
      Array(-Self.guardCount..<0) + Array(samples.count..<samples.count + Self.guardCount)
    return places.first { all[$0 + Self.guardCount].bitPattern != Self.pattern }
  }

  /// True if no guard changed; costs less than finding where.
  var isIntact: Bool {
    (0..<Self.guardCount).allSatisfy {
      all[$0].bitPattern == Self.pattern && all[all.count - 1 - $0].bitPattern == Self.pattern
    }
  }
}
