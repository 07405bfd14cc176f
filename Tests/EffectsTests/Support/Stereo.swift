import DSP
import Effects
import Testing

/// Two channels through an effect, all wet, as a rack would run it.
struct Stereo: Equatable {
  var left: [Float]
  var right: [Float]

  init(_ left: [Float], _ right: [Float]) { (self.left, self.right) = (left, right) }

  /// The same in both channels.
  init(_ middle: [Float]) { self.init(middle, middle) }

  /// What a new link gives for this.
  /// - Parameter changes: at which sample to go to which settings.
  func through(
    _ settings: some EffectSettings, sampleRateHz: Double = 48_000, blockSize: Int = 128,
    changes: [Int: any EffectSettings] = [:]
  ) throws -> Stereo {
    let link = try EffectLink(settings, mix: 1, sampleRateHz: sampleRateHz)
    return through(link, blockSize: blockSize, changes: changes)
  }

  /// What `link` gives for this; changes come at the starts of blocks.
  func through(
    _ link: EffectLink, blockSize: Int = 128, changes: [Int: any EffectSettings] = [:]
  ) -> Stereo {
    var (outLeft, outRight) = (left, right)
    var l = outLeft.mutableSpan
    var r = outRight.mutableSpan
    var start = 0
    while start < left.count {
      let block = start..<min(start + blockSize, left.count)
      for (_, settings) in changes.filter({ block.contains($0.key) }) { link.apply(settings) }
      var a = l._mutatingExtracting(block)
      var b = r._mutatingExtracting(block)
      link.process(&a, &b)
      start = block.upperBound
    }
    return Stereo(outLeft, outRight)
  }

  /// A sample of 1 in the left, in the right or in both, and silence after it.
  static func impulse(count: Int, left: Float = 1, right: Float = 1) -> Stereo {
    var impulse = Stereo([Float](repeating: 0, count: count))
    impulse.left[0] = left
    impulse.right[0] = right
    return impulse
  }

  /// Noise of the same strength at all frequencies, different in both channels.
  static func noise(count: Int, level: Float = 0.1, seed: UInt64 = 1) -> Stereo {
    var generator = SeededGenerator(seed: seed)
    func channel() -> [Float] {
      (0..<count).map { _ in level * Float(2 * generator.uniform() - 1) }
    }
    let left = channel()
    return Stereo(left, channel())
  }
}
