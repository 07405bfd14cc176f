import DSP

/// Creates the engine that the settings of `Engine` choose, or the offline one, and runs it.
///
/// Calls go through the engine's table of methods, which the compiler cannot look into; they neither
/// allocate nor lock.
///
/// - Allocates: in `init` only.
struct Transposer: PitchShifter, ~Copyable {
  let voiceCount: Int
  private var engine: any PitchShifter

  /// Takes the offline engine.
  init(_ take: consuming OfflineTake) {
    voiceCount = take.voiceCount
    engine = Box(take)
  }

  init(
    shiftsSemitones: [Double], _ engine: Engine, sampleRateHz: Double
  ) throws(SettingsError) {
    try require("sampleRateHz", sampleRateHz, in: Engine.ratesHz)
    for shift in shiftsSemitones {
      try require("intervalSemitones", shift, in: Engine.shiftRange)
    }
    self.engine = try Self.running(engine, shiftsSemitones, sampleRateHz: sampleRateHz)
    voiceCount = shiftsSemitones.count
  }

  private static func running(
    _ engine: Engine, _ shifts: [Double], sampleRateHz: Double
  ) throws(SettingsError) -> any PitchShifter {
    switch engine {
    case .delayLine(let settings):
      Box(try DelayLineBank(shiftsSemitones: shifts, settings, sampleRateHz: sampleRateHz))
    case .psola(let settings):
      Box(try PSOLABank(shiftsSemitones: shifts, settings, sampleRateHz: sampleRateHz))
    case .vocoder(let settings):
      Box(try Vocoder(shiftsSemitones: shifts, settings, sampleRateHz: sampleRateHz))
    }
  }

  var latencySamples: Int {
    @_semantics("no_performance_analysis") get { engine.latencySamples }
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

  @_semantics("no_performance_analysis") func shiftSemitones(ofVoice voice: Int) -> Double {
    engine.shiftSemitones(ofVoice: voice)
  }

  var movesFormants: Bool {
    @_semantics("no_performance_analysis") get { engine.movesFormants }
  }

  @_semantics("no_performance_analysis")
  mutating func setFormantShift(semitones: Double, ofVoice voice: Int) {
    engine.setFormantShift(semitones: semitones, ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  func formantShiftSemitones(ofVoice voice: Int) -> Double {
    engine.formantShiftSemitones(ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  func soundingDelaySamples(ofVoice voice: Int) -> Double {
    engine.soundingDelaySamples(ofVoice: voice)
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
  public var voiceCount: Int {
    @_semantics("no_performance_analysis") get { value.voiceCount }
  }

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
  public func shiftSemitones(ofVoice voice: Int) -> Double { value.shiftSemitones(ofVoice: voice) }

  public var movesFormants: Bool {
    @_semantics("no_performance_analysis") get { value.movesFormants }
  }

  @_semantics("no_performance_analysis")
  public func setFormantShift(semitones: Double, ofVoice voice: Int) {
    value.setFormantShift(semitones: semitones, ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  public func formantShiftSemitones(ofVoice voice: Int) -> Double {
    value.formantShiftSemitones(ofVoice: voice)
  }

  @_semantics("no_performance_analysis")
  public func soundingDelaySamples(ofVoice voice: Int) -> Double {
    value.soundingDelaySamples(ofVoice: voice)
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
