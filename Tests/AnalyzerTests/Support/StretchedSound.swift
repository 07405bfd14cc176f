import DSP
import Synchronization

/// A sound that is made when it is read, so that a long one costs no memory, and remembers the most
/// that was asked for at once.
final class StretchedSound: SoundSource {
  let sampleRateHz = 8_000.0
  let count: Int
  private let sample: @Sendable (Int) -> Float
  private let most = Mutex(0)

  init(seconds: Double, _ sample: @escaping @Sendable (_ index: Int) -> Float) {
    count = Int(seconds * 8_000)
    self.sample = sample
  }

  /// The longest range that was read.
  var longestRead: Int { most.withLock { $0 } }

  func samples(_ range: Range<Int>) -> [Float] {
    most.withLock { $0 = max($0, range.count) }
    return range.map(sample)
  }
}
