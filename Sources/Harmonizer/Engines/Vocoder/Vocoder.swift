import DSP

/// The phase-vocoder engine: transposes whatever comes in, one voice or a chord, far if need be, and
/// keeps the formants.
///
/// Each partial of a frame's spectrum is moved by itself, so nothing needs to know the pitch. The
/// delay is three quarters of a window and a hop; the work of a hop is spread over it, the analysis
/// first and then one voice after the other. Frames that are noise or a click are passed as they
/// are. A voice that changes nothing is a delay to the bit.
///
/// - Allocates: in `init` only.
/// - Source: Laroche and Dolson, WASPAA 1999; Röbel and Rodet, DAFx 2005.
public struct Vocoder: PitchShifter, ~Copyable {
  public let voiceCount: Int
  public let latencySamples: Int
  private let shape: VocoderShape
  private var analysis: VocoderAnalysis
  private var voices: RealtimeArray<VocoderVoice>
  private var past: HistoryBuffer
  private var phase = 0  // of them since the last frame
  private var jobsDone = 0  // of this hop: the analysis, then each voice

  /// - Parameter shiftsSemitones: one for each voice; positive is up.
  public init(
    shiftsSemitones: [Double], _ settings: Settings, sampleRateHz: Double
  ) throws(SettingsError) {
    try settings.validate()
    try require("sampleRateHz", sampleRateHz, in: Engine.ratesHz)
    for shift in shiftsSemitones {
      try require("shiftSemitones", shift, in: Engine.shiftRange)
    }
    voiceCount = shiftsSemitones.count
    shape = VocoderShape(settings, sampleRateHz: sampleRateHz)
    latencySamples = shape.latency
    let analysis = VocoderAnalysis(settings, shape, sampleRateHz: sampleRateHz)
    let shape = shape
    voices = RealtimeArray(count: voiceCount) { voice in
      VocoderVoice(
        shiftSemitones: shiftsSemitones[voice], settings, shape, window: analysis.window)
    }
    self.analysis = analysis
    past = HistoryBuffer(longest: shape.window + 2 * shape.hop)
  }

  @_noLocks public mutating func reset() { forget() }

  @_semantics("no_performance_analysis")
  private mutating func forget() {
    for voice in 0..<voiceCount { voices[voice].reset() }
    analysis.reset()
    past.reset()
    (phase, jobsDone) = (0, 0)
  }

  @_noLocks public mutating func setShift(semitones: Double, ofVoice voice: Int) {
    aim(voice, at: semitones)
  }

  @_semantics("no_performance_analysis")
  private mutating func aim(_ voice: Int, at semitones: Double) {
    voices[voice].setShift(semitones: semitones)
  }

  @_noLocks public func shiftSemitones(ofVoice voice: Int) -> Double {
    shift(of: voice)
  }

  @_semantics("no_performance_analysis")
  private func shift(of voice: Int) -> Double { voices[voice].shiftSemitones }

  public var movesFormants: Bool { @_noLocks get { true } }

  @_noLocks public mutating func setFormantShift(semitones: Double, ofVoice voice: Int) {
    aimFormants(voice, at: semitones)
  }

  @_semantics("no_performance_analysis")
  private mutating func aimFormants(_ voice: Int, at semitones: Double) {
    voices[voice].setFormantShift(semitones: semitones)
  }

  @_noLocks public func formantShiftSemitones(ofVoice voice: Int) -> Double {
    formantShift(of: voice)
  }

  @_semantics("no_performance_analysis")
  private func formantShift(of voice: Int) -> Double {
    voices[voice].formantShiftSemitones
  }

  @_noLocks public func soundingDelaySamples(ofVoice voice: Int) -> Double {
    Double(latencySamples)
  }

  @_noLocks public mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into output: inout MutableSpan<Float>
  ) {
    let (count, room) = (range.count, output.count)
    precondition(room == voiceCount * count, "no room for every voice")
    transpose(input, range, into: &output)
  }

  @_semantics("no_performance_analysis")
  private mutating func transpose(
    _ input: Span<Float>, _ range: Range<Int>, into output: inout MutableSpan<Float>
  ) {
    let count = range.count
    var done = 0
    while done < count {
      work()
      let due = jobsDone <= voiceCount ? dueTime(ofJob: jobsDone) : shape.hop
      let stretch = min(count - done, due - phase)
      for i in 0..<stretch {
        past.push(input[range.lowerBound + done + i].soundOrZero)
      }
      for voice in 0..<voiceCount {
        give(stretch, ofVoice: voice, into: &output, at: voice * count + done)
      }
      phase += stretch
      done += stretch
      if phase == shape.hop { (phase, jobsDone) = (0, 0) }
    }
  }

  /// Returns the time of a job in a hop; the analysis is 0, a voice comes one after its index.
  @_semantics("no_performance_analysis")
  private func dueTime(ofJob job: Int) -> Int { job * shape.hop / (voiceCount + 1) }

  /// Does the jobs that are due.
  @_semantics("no_performance_analysis")
  private mutating func work() {
    while jobsDone <= voiceCount, dueTime(ofJob: jobsDone) <= phase {
      if jobsDone == 0 {
        for voice in 0..<voiceCount { voices[voice].beginHop() }
        analysis.update(past)
      } else {
        let frame = past.count - phase
        voices[jobsDone - 1].addFrame(
          analysis, past: past, middle: frame - shape.window / 2,
          at: frame + shape.hop)
      }
      jobsDone += 1
    }
  }

  /// Writes a stretch of a voice to `output` from `place` on.
  @_semantics("no_performance_analysis")
  private mutating func give(
    _ stretch: Int, ofVoice voice: Int, into output: inout MutableSpan<Float>, at place: Int
  ) {
    let isPlain = voices[voice].isPlain
    let first = past.count - stretch
    for i in 0..<stretch {
      let sum = voices[voice].take(first + i)
      output[place + i] = isPlain ? past[first &+ i &- shape.latency] : sum
    }
  }
}
