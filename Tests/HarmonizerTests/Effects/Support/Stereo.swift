import DSP
import Effects
import Testing

/// Two channels through an effect without dry sound, run like a rack.
struct Stereo: Equatable {
  var left: [Float]
  var right: [Float]

  init(_ left: [Float], _ right: [Float]) { (self.left, self.right) = (left, right) }

  /// Makes a sound with equal channels.
  init(_ middle: [Float]) { self.init(middle, middle) }

  /// The output of a new link for this sound.
  /// - Parameter changes: settings to apply, by sample.
  func through(
    _ settings: some EffectSettings, sampleRateHz: Double = 48_000, blockSize: Int = 128,
    changes: [Int: any EffectSettings] = [:]
  ) throws -> Stereo {
    let link = try EffectLink(settings, mix: 1, sampleRateHz: sampleRateHz)
    return through(link, blockSize: blockSize, changes: changes)
  }

  /// The output of `link` for this sound; changes are applied at the starts of blocks.
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

  /// A sample of 1 in the left, the right or both channels, followed by silence.
  static func impulse(count: Int, left: Float = 1, right: Float = 1) -> Stereo {
    var impulse = Stereo([Float](repeating: 0, count: count))
    impulse.left[0] = left
    impulse.right[0] = right
    return impulse
  }

  /// White noise, different in both channels.
  static func noise(count: Int, level: Float = 0.1, seed: UInt64 = 1) -> Stereo {
    var generator = SeededGenerator(seed: seed)
    func channel() -> [Float] {
      (0..<count).map { _ in level * Float(2 * generator.uniform() - 1) }
    }
    let left = channel()
    return Stereo(left, channel())
  }
}
