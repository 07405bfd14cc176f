import DSP
import Effects

/// An effect without dry sound over two channels, in blocks as on an audio thread.
struct StereoRun {
  let link: EffectLink
  let sampleRateHz: Double

  init(_ settings: some EffectSettings, sampleRateHz: Double = 48_000) throws {
    link = try EffectLink(settings, mix: 1, sampleRateHz: sampleRateHz)
    self.sampleRateHz = sampleRateHz
  }

  /// - Parameter before: called with the link and the first sample of each block before it runs.
  func render(
    _ left: [Float], _ right: [Float], blockSize: Int = 128,
    before: (EffectLink, Int) -> Void = { _, _ in }
  ) -> (left: [Float], right: [Float]) {
    var (left, right) = (left, right)
    var wholeLeft = left.mutableSpan
    var wholeRight = right.mutableSpan
    for start in stride(from: 0, to: wholeLeft.count, by: blockSize) {
      before(link, start)
      let block = start..<min(start + blockSize, wholeLeft.count)
      var partLeft = wholeLeft._mutatingExtracting(block)
      var partRight = wholeRight._mutatingExtracting(block)
      link.process(&partLeft, &partRight)
    }
    return (left, right)
  }

  /// Renders the same sound in both channels and returns the left output.
  func render(
    _ sound: [Float], before: (EffectLink, Int) -> Void = { _, _ in }
  ) -> [Float] {
    render(sound, sound, before: before).left
  }
}

/// A sine.
func tone(
  _ frequencyHz: Double, seconds: Double, amplitude: Double = 1, sampleRateHz: Double = 48_000
) -> [Float] {
  (0..<Int(seconds * sampleRateHz)).map {
    Float(amplitude * RealtimeMath.sine(2 * .pi * frequencyHz * Double($0) / sampleRateHz))
  }
}

/// White noise, uniform within ±1.
func noise(seconds: Double, seed: UInt64 = 1, sampleRateHz: Double = 48_000) -> [Float] {
  var generator = SeededGenerator(seed: seed)
  return (0..<Int(seconds * sampleRateHz)).map { _ in Float(2 * generator.uniform() - 1) }
}
