/// Mono sound that is read in parts, so that a long one needn't fit in memory.
///
/// Reading is forwards: a source may have to restart for samples before the last range.
public protocol SoundSource<Failure> {
  associatedtype Failure: Error

  var sampleRateHz: Double { get }
  /// The number of samples.
  var count: Int { get }

  /// The samples of a range that lies within the sound.
  func samples(_ range: Range<Int>) throws(Failure) -> [Float]
}

extension Signal: SoundSource {
  public func samples(_ range: Range<Int>) -> [Float] {
    range == samples.indices ? samples : Array(samples[range])
  }
}

extension SoundSource {
  public var durationSeconds: Double { Double(count) / sampleRateHz }

  /// The samples of any range; those beyond either end are 0.
  public func paddedSamples(_ range: Range<Int>) throws(Failure) -> [Float] {
    let inside = range.clamped(to: 0..<count)
    guard !inside.isEmpty else { return [Float](repeating: 0, count: range.count) }
    let samples = try samples(inside)
    if inside == range { return samples }
    return [Float](repeating: 0, count: inside.lowerBound - range.lowerBound) + samples
      + [Float](repeating: 0, count: range.upperBound - inside.upperBound)
  }

  /// Calls `body` with all samples in order, a few seconds at a time.
  public func forEachBlock(_ body: ([Float]) -> Void) throws(Failure) {
    let length = 1 << 18
    for start in stride(from: 0, to: count, by: length) {
      body(try samples(start..<min(start + length, count)))
    }
  }
}
