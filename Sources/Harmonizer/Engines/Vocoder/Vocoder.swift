import DSP

/// The phase-vocoder engine `vocoder`: transposes any sound, one voice or a chord, by any interval.
///
/// **The idea.** The spectrum of a frame of sound is a row of peaks, one for each partial. A partial is
/// transposed by moving its bins to another frequency and by turning their phase as far as the new
/// frequency advances more than the old one. So nothing needs to know the pitch, and a chord is no
/// special case. The price is delay: a window has to pass before its spectrum is known.
///
/// **The steps.** Every hop `VocoderAnalysis` does the first three once for all voices; a `VocoderVoice`
/// does the others:
///
/// 1. A Hann-tapered frame is transformed, padded to twice its length so that a spectrum may be read
///    between its bins. The frame's mean has no pitch; it is removed and added again.
/// 2. Peaks are the highest bins of their neighbourhood. Each owns the bins up to the lowest between it
///    and the next. A peak continues the one that owned its bin in the frame before; its phase
///    continues by the advance that its frequency predicts.
/// 3. `TrueEnvelope` joins the tops of the partials: the formants.
/// 4. The bins of each peak move by `ratio - 1` times its frequency, whole bins and parts of one; all of
///    them turn by the phase that the difference has gathered. For shifts down they are taken from the
///    partial nearest to where they go.
/// 5. They are brought to the level that the envelope has at their new place, so the formants stay.
/// 6. The middle half of the frame is tapered and added up.
///
/// **Why it is like that.** Moved bin by bin, a partial would lose its shape in time: the bins of one
/// partial have to turn together. A frame that is noise or a click has no partials to follow; it passes
/// unchanged (if `formantsKept` and `transientsKept`), so an s stays that s. Where sound begins in the
/// second half of a frame, phases start from those of the input. Only the middle half of a frame is used,
/// so that the delay is three quarters of a window and a hop. The work of a hop is spread over it, the
/// analysis first, then one voice after the other, so that no block costs more than its share. A voice
/// that changes nothing is a delay to the bit.
///
/// **The constants.** A window of 50 ms tells partials apart from 80 Hz on; an overlap of 6 is steady at
/// the least delay. A peak 12 dB below a neighbour nearer than 0.6 of a partial's spacing belongs to that
/// neighbour. A frame is noise if less than 0.35 of its power continues as predicted and nothing repeats by
/// 0.12; it stops being noise at 0.5 or 0.14, so that it doesn't flicker. The envelope raises a partial by at
/// most 81 dB, and sound between partials not at all: that is breath, which it would bring forward.
///
/// - Allocates: in `init` only.
/// - Source: Laroche and Dolson, "New phase-vocoder techniques for pitch-shifting, harmonizing and other
///   exotic effects", WASPAA 1999 (steps 2 and 4); Röbel and Rodet, "Efficient spectral envelope
///   estimation and its application to pitch shifting and envelope preservation", DAFx 2005 (step 3);
///   the constants by the measurements of docs/reference/engines.md.
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
      VocoderVoice(shiftSemitones: shiftsSemitones[voice], settings, shape, window: analysis.window)
    }
    self.analysis = analysis
    past = HistoryBuffer(longest: shape.window + 2 * shape.hop)
  }

  @_semantics("no_performance_analysis") public mutating func reset() {
    for voice in 0..<voiceCount { voices[voice].reset() }
    analysis.reset()
    past.reset()
    (phase, jobsDone) = (0, 0)
  }

  @_semantics("no_performance_analysis")
  public mutating func setShift(semitones: Double, ofVoice voice: Int) {
    voices[voice].setShift(semitones: semitones)
  }

  @_semantics("no_performance_analysis")
  public mutating func setFormantShift(semitones: Double, ofVoice voice: Int) {
    voices[voice].setFormantShift(semitones: semitones)
  }

  @_semantics("no_performance_analysis") public func state(ofVoice voice: Int) -> ShiftedVoice {
    ShiftedVoice(
      shiftSemitones: voices[voice].shiftSemitones,
      formantShiftSemitones: voices[voice].formantShiftSemitones,
      delaySamples: Double(latencySamples), steeredDelaySamples: steeredDelay(ofVoice: voice))
  }

  @_semantics("no_performance_analysis")
  public mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into output: inout MutableSpan<Float>
  ) {
    let room = output.count
    precondition(room == voiceCount * range.count, "no room for every voice")
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
        write(stretch, ofVoice: voice, to: &output, at: voice * count + done)
      }
      phase += stretch
      done += stretch
      if phase == shape.hop { (phase, jobsDone) = (0, 0) }
    }
  }

  /// A voice's frame turns its partials by what they advanced since the frame before: half a window and
  /// half a hop before the analysis.
  private func steeredDelay(ofVoice voice: Int) -> Double {
    Double(shape.window + shape.hop) / 2 + Double(dueTime(ofJob: voice + 1))
  }

  /// Returns the time of a job in a hop; the analysis is 0, a voice comes one after its index.
  private func dueTime(ofJob job: Int) -> Int { job * shape.hop / (voiceCount + 1) }

  /// Does the jobs that are due.
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
  private mutating func write(
    _ stretch: Int, ofVoice voice: Int, to output: inout MutableSpan<Float>, at place: Int
  ) {
    let isPlain = voices[voice].isPlain
    let first = past.count - stretch
    for i in 0..<stretch {
      let sum = voices[voice].next(first + i)
      output[place + i] = isPlain ? past[first &+ i &- shape.latency] : sum
    }
  }
}
