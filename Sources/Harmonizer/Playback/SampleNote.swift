import DSP

/// One note of a sample player, from its press to its last sound.
struct SampleNote: BitwiseCopyable {
  var reader: SampleReader
  var envelope: Envelope
  /// Samples of the recording for one of output, at the player's speed 1.
  let ratio: Double
  let key: Int
  let gain: Float
  let left: Float
  let right: Float
  /// 0 cuts it short, over a few milliseconds.
  private var cut = Ramp(1)
  private(set) var isCut = false

  @_noLocks init(
    key: Int, ratio: Double, speed: Double, envelope: Envelope, gain: Float, place: Panorama
  ) {
    self.key = key
    reader = SampleReader(ratio: ratio * speed)
    (self.envelope, self.ratio, self.gain) = (envelope, ratio, gain)
    (left, right) = (place.left, place.right)
    self.envelope.press()
  }

  @_noLocks func isOver(_ memory: borrowing SampleMemory) -> Bool {
    envelope.isSilent || reader.isOver(memory) || isCut && cut.value == 0
  }

  @_noLocks mutating func cutShort(overSamples count: Int) {
    guard !isCut else { return }
    isCut = true
    cut.aim(at: 0, overSamples: count)
  }

  @inline(__always) @_noLocks mutating func next(_ memory: borrowing SampleMemory) -> Float {
    gain * cut.next() * Float(envelope.next()) * reader.next(memory)
  }
}
