import DSP
import Synchronization

/// A sound computed on demand, so that a long one needs no memory. It records the longest range
/// that was read.
public final class StretchedSound: SoundSource {
  public let sampleRateHz = 8_000.0
  public let count: Int
  private let sample: @Sendable (Int) -> Float
  private let most = Mutex(0)

  public init(seconds: Double, _ sample: @escaping @Sendable (_ index: Int) -> Float) {
    count = Int(seconds * 8_000)
    self.sample = sample
  }

  /// Length of the longest range that was read.
  public var longestRead: Int { most.withLock { $0 } }

  public func samples(_ range: Range<Int>) -> [Float] {
    most.withLock { $0 = max($0, range.count) }
    return range.map(sample)
  }
}
