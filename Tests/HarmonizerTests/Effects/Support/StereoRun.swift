import DSP
import Effects

/// An effect without dry sound over two channels, in blocks as on an audio thread.
struct StereoRun {
  let link: EffectLink

  init(_ settings: some EffectSettings, sampleRateHz: Double = 48_000) throws {
    link = try EffectLink(settings, mix: 1, sampleRateHz: sampleRateHz)
  }

  /// - Parameter before: called with the link and the first sample of each block before it runs.
  func render(
    _ sound: Stereo, blockSize: Int = 128, before: (EffectLink, Int) -> Void = { _, _ in }
  ) -> Stereo {
    var (left, right) = (sound.left, sound.right)
    var wholeLeft = left.mutableSpan
    var wholeRight = right.mutableSpan
    for start in stride(from: 0, to: wholeLeft.count, by: blockSize) {
      before(link, start)
      let block = start..<min(start + blockSize, wholeLeft.count)
      var partLeft = wholeLeft._mutatingExtracting(block)
      var partRight = wholeRight._mutatingExtracting(block)
      link.process(&partLeft, &partRight)
    }
    return Stereo(left, right)
  }

  /// Renders the same sound in both channels and returns the left output.
  func render(
    _ sound: [Float], blockSize: Int = 128, before: (EffectLink, Int) -> Void = { _, _ in }
  ) -> [Float] {
    render(Stereo(sound), blockSize: blockSize, before: before).left
  }
}
