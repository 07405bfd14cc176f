import DSP

/// The engine that settings chose, whichever it is.
///
/// - Allocates: in `init` only.
struct Transposer: PitchShifter, ~Copyable {
  let voiceCount: Int
  // The chosen one is there.
  private let delayLines: UnsafeMutablePointer<DelayLineBank>?
  private let grains: UnsafeMutablePointer<PSOLABank>?
  private let vocoder: UnsafeMutablePointer<Vocoder>?
  private let take: UnsafeMutablePointer<OfflineTake>?

  /// The offline engine in its place.
  init(_ take: consuming OfflineTake) {
    voiceCount = take.voiceCount
    (delayLines, grains, vocoder) = (nil, nil, nil)
    self.take = Self.placed(take)
  }

  init(
    shiftsSemitones: [Double], _ engine: Engine, sampleRateHz: Double
  ) throws(SettingsError) {
    for shift in shiftsSemitones {
      try require("intervalSemitones", shift, in: Engine.shiftRange)
    }
    var delayLines: UnsafeMutablePointer<DelayLineBank>?
    var grains: UnsafeMutablePointer<PSOLABank>?
    var vocoder: UnsafeMutablePointer<Vocoder>?
    switch engine {
    case .delayLine(let settings):
      delayLines = Self.placed(
        try DelayLineBank(
          shiftsSemitones: shiftsSemitones, settings, sampleRateHz: sampleRateHz))
    case .psola(let settings):
      grains = Self.placed(
        try PSOLABank(shiftsSemitones: shiftsSemitones, settings, sampleRateHz: sampleRateHz))
    case .vocoder(let settings):
      vocoder = Self.placed(
        try Vocoder(shiftsSemitones: shiftsSemitones, settings, sampleRateHz: sampleRateHz))
    }
    self.delayLines = delayLines
    self.grains = grains
    self.vocoder = vocoder
    take = nil
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
    grains?.deinitialize(count: 1)
    grains?.deallocate()
    vocoder?.deinitialize(count: 1)
    vocoder?.deallocate()
    take?.deinitialize(count: 1)
    take?.deallocate()
  }

  var latencySamples: Int {
    @_noLocks get {
      if let delayLines { return unsafe delayLines.pointee.latencySamples }
      if let grains { return unsafe grains.pointee.latencySamples }
      if let vocoder { return unsafe vocoder.pointee.latencySamples }
      return 0
    }
  }

  @_noLocks mutating func reset() {
    if let delayLines { unsafe delayLines.pointee.reset() }
    if let grains { unsafe grains.pointee.reset() }
    if let vocoder { unsafe vocoder.pointee.reset() }
    if let take { unsafe take.pointee.reset() }
  }

  @_noLocks mutating func setShift(semitones: Double, ofVoice voice: Int) {
    if let delayLines { unsafe delayLines.pointee.setShift(semitones: semitones, ofVoice: voice) }
    if let grains { unsafe grains.pointee.setShift(semitones: semitones, ofVoice: voice) }
    if let vocoder { unsafe vocoder.pointee.setShift(semitones: semitones, ofVoice: voice) }
    if let take { unsafe take.pointee.setShift(semitones: semitones, ofVoice: voice) }
  }

  /// Moves a copy to an interval that should make it `pitchHz`: engines that can be told the pitch
  /// itself are.
  @_noLocks mutating func setShift(semitones: Double, pitchHz: Double?, ofVoice voice: Int) {
    setShift(semitones: semitones, ofVoice: voice)
    if let grains { unsafe grains.pointee.setPitch(hz: pitchHz, ofVoice: voice) }
  }

  @_noLocks func shiftSemitones(ofVoice voice: Int) -> Double {
    if let delayLines { return unsafe delayLines.pointee.shiftSemitones(ofVoice: voice) }
    if let grains { return unsafe grains.pointee.shiftSemitones(ofVoice: voice) }
    if let vocoder { return unsafe vocoder.pointee.shiftSemitones(ofVoice: voice) }
    if let take { return unsafe take.pointee.shiftSemitones(ofVoice: voice) }
    return 0
  }

  var movesFormants: Bool {
    @_noLocks get {
      if let delayLines { return unsafe delayLines.pointee.movesFormants }
      if let grains { return unsafe grains.pointee.movesFormants }
      if let vocoder { return unsafe vocoder.pointee.movesFormants }
      return false
    }
  }

  @_noLocks mutating func setFormantShift(semitones: Double, ofVoice voice: Int) {
    if let delayLines {
      unsafe delayLines.pointee.setFormantShift(semitones: semitones, ofVoice: voice)
    }
    if let grains { unsafe grains.pointee.setFormantShift(semitones: semitones, ofVoice: voice) }
    if let vocoder { unsafe vocoder.pointee.setFormantShift(semitones: semitones, ofVoice: voice) }
  }

  @_noLocks func formantShiftSemitones(ofVoice voice: Int) -> Double {
    if let delayLines { return unsafe delayLines.pointee.formantShiftSemitones(ofVoice: voice) }
    if let grains { return unsafe grains.pointee.formantShiftSemitones(ofVoice: voice) }
    if let vocoder { return unsafe vocoder.pointee.formantShiftSemitones(ofVoice: voice) }
    return 0
  }

  @_noLocks func soundingDelaySamples(ofVoice voice: Int) -> Double {
    if let delayLines { return unsafe delayLines.pointee.soundingDelaySamples(ofVoice: voice) }
    if let grains { return unsafe grains.pointee.soundingDelaySamples(ofVoice: voice) }
    if let vocoder { return unsafe vocoder.pointee.soundingDelaySamples(ofVoice: voice) }
    return 0
  }

  @_noLocks mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into voices: inout MutableSpan<Float>
  ) {
    if let delayLines { unsafe delayLines.pointee.process(input, range, into: &voices) }
    if let grains { unsafe grains.pointee.process(input, range, into: &voices) }
    if let vocoder { unsafe vocoder.pointee.process(input, range, into: &voices) }
    if let take { unsafe take.pointee.process(input, range, into: &voices) }
  }

  /// Of the offline engine; none of any other.
  func rehearsedShifts(sampleRateHz: Double) -> [ShiftCurve] {
    take.map { unsafe $0.pointee.curves(sampleRateHz: sampleRateHz) } ?? []
  }
}
