import DSP
import Effects

/// The sound of two channels.
struct Stereo: Equatable {
  var left: [Float]
  var right: [Float]

  init(_ left: [Float], _ right: [Float]) { (self.left, self.right) = (left, right) }

  /// Makes a sound with equal channels.
  init(_ middle: [Float]) { self.init(middle, middle) }

  /// The output of a new effect for this sound.
  func through(_ settings: some EffectSettings, sampleRateHz: Double = 48_000) throws -> Stereo {
    try StereoRun(settings, sampleRateHz: sampleRateHz).render(self)
  }

  func followed(bySilence count: Int) -> Stereo {
    let silence = [Float](repeating: 0, count: count)
    return Stereo(left + silence, right + silence)
  }

  /// A sample of 1 in the left, the right or both channels, followed by silence.
  static func impulse(count: Int, left: Float = 1, right: Float = 1) -> Stereo {
    var impulse = Stereo([Float](repeating: 0, count: count))
    impulse.left[0] = left
    impulse.right[0] = right
    return impulse
  }

  /// White noise, different in both channels.
  static func noise(count: Int, level: Float = 0.1) -> Stereo {
    var generator = SeededGenerator(seed: 1)
    func channel() -> [Float] {
      (0..<count).map { _ in level * Float(2 * generator.uniform() - 1) }
    }
    let left = channel()
    return Stereo(left, channel())
  }
}
