import DSP

/// The engine that settings chose, whichever it is.
///
/// - Allocates: in `init` only.
struct Transposer: PitchShifter, ~Copyable {
  let voiceCount: Int
  // The chosen one is there.
  private let delayLines: UnsafeMutablePointer<DelayLineBank>?

  init(
    shiftsSemitones: [Double], _ engine: Engine, sampleRateHz: Double
  ) throws(SettingsError) {
    for shift in shiftsSemitones {
      try require("intervalSemitones", shift, in: Engine.shiftRange)
    }
    var delayLines: UnsafeMutablePointer<DelayLineBank>?
    switch engine {
    case .delayLine(let settings):
      delayLines = Self.placed(
        try DelayLineBank(
          shiftsSemitones: shiftsSemitones, settings, sampleRateHz: sampleRateHz))
    }
    self.delayLines = delayLines
    voiceCount = shiftsSemitones.count
  }

  private static func placed<Bank: ~Copyable>(
    _ bank: consuming Bank
  ) -> UnsafeMutablePointer<Bank> {
    let place = UnsafeMutablePointer<Bank>.allocate(capacity: 1)
    place.initialize(to: bank)
    return place
  }

  deinit {
    delayLines?.deinitialize(count: 1)
    delayLines?.deallocate()
  }

  var latencySamples: Int {
    @_noLocks get {
      if let delayLines { return unsafe delayLines.pointee.latencySamples }
      return 0
    }
  }

  @_noLocks mutating func reset() {
    if let delayLines { unsafe delayLines.pointee.reset() }
  }

  @_noLocks mutating func setShift(semitones: Double, ofVoice voice: Int) {
    if let delayLines { unsafe delayLines.pointee.setShift(semitones: semitones, ofVoice: voice) }
  }

  @_noLocks func shiftSemitones(ofVoice voice: Int) -> Double {
    if let delayLines { return unsafe delayLines.pointee.shiftSemitones(ofVoice: voice) }
    return 0
  }

  @_noLocks func soundingDelaySamples(ofVoice voice: Int) -> Double {
    if let delayLines { return unsafe delayLines.pointee.soundingDelaySamples(ofVoice: voice) }
    return 0
  }

  @_noLocks mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into voices: inout MutableSpan<Float>
  ) {
    if let delayLines { unsafe delayLines.pointee.process(input, range, into: &voices) }
  }
}
