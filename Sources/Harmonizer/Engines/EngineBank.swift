import DSP

/// The engine that the settings of `Engine` choose, or the offline one, of any type.
///
/// Calls go through the engine's table of methods, which the compiler cannot look into; they neither
/// allocate nor lock.
///
/// - Allocates: in `init` only.
struct EngineBank: ~Copyable {
  let voiceCount: Int
  let latencySamples: Int
  private var engine: any PitchShifter

  /// Makes the bank of the offline engine.
  init(_ take: consuming OfflineTake) {
    (voiceCount, latencySamples) = (take.voiceCount, take.latencySamples)
    engine = Box(take)
  }

  init(
    shiftsSemitones shifts: [Double], _ chosen: Engine, sampleRateHz: Double
  ) throws(SettingsError) {
    try require("sampleRateHz", sampleRateHz, in: Engine.ratesHz)
    for shift in shifts { try require("intervalSemitones", shift, in: Engine.shiftRange) }
    engine =
      switch chosen {
      case .delayLine(let settings):
        Box(try DelayLineBank(shiftsSemitones: shifts, settings, sampleRateHz: sampleRateHz))
      case .psola(let settings):
        Box(try PSOLABank(shiftsSemitones: shifts, settings, sampleRateHz: sampleRateHz))
      case .vocoder(let settings):
        Box(try Vocoder(shiftsSemitones: shifts, settings, sampleRateHz: sampleRateHz))
      }
    (voiceCount, latencySamples) = (shifts.count, engine.latencySamples)
  }

  @_semantics("no_performance_analysis") mutating func reset() { engine.reset() }

  @_semantics("no_performance_analysis")
  mutating func setShift(semitones: Double, ofVoice voice: Int) {
    engine.setShift(semitones: semitones, ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  mutating func setPitch(hz: Double?, ofVoice voice: Int) {
    engine.setPitch(hz: hz, ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  mutating func setFormantShift(semitones: Double, ofVoice voice: Int) {
    engine.setFormantShift(semitones: semitones, ofVoice: voice)
  }

  @_semantics("no_performance_analysis") func state(ofVoice voice: Int) -> ShiftedVoice {
    engine.state(ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into voices: inout MutableSpan<Float>
  ) {
    engine.process(input, range, into: &voices)
  }

  func rehearsedShifts(sampleRateHz: Double) -> [ShiftCurve] {
    engine.rehearsedShifts(sampleRateHz: sampleRateHz)
  }
}

extension Box: PitchShifter where Value: PitchShifter & ~Copyable {
  public var voiceCount: Int { @_semantics("no_performance_analysis") get { value.voiceCount } }

  public var latencySamples: Int {
    @_semantics("no_performance_analysis") get { value.latencySamples }
  }

  @_semantics("no_performance_analysis") public func reset() { value.reset() }

  @_semantics("no_performance_analysis")
  public func setShift(semitones: Double, ofVoice voice: Int) {
    value.setShift(semitones: semitones, ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  public func setPitch(hz: Double?, ofVoice voice: Int) {
    value.setPitch(hz: hz, ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  public func setFormantShift(semitones: Double, ofVoice voice: Int) {
    value.setFormantShift(semitones: semitones, ofVoice: voice)
  }

  @_semantics("no_performance_analysis") public func state(ofVoice voice: Int) -> ShiftedVoice {
    value.state(ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  public func process(
    _ input: Span<Float>, _ range: Range<Int>, into voices: inout MutableSpan<Float>
  ) {
    value.process(input, range, into: &voices)
  }

  public func rehearsedShifts(sampleRateHz: Double) -> [ShiftCurve] {
    value.rehearsedShifts(sampleRateHz: sampleRateHz)
  }
}
