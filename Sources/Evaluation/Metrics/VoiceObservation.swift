import Analyzer
import DSP
import Foundation
import Statistics
import Subjects

/// One voice and its target.
public struct VoiceObservation: Sendable {
  /// The sound in which the voice is heard.
  enum Source: Sendable {
    case stem(AnalyzedSound)
    /// Beside the other voices, at its index.
    case mix(MixObservation, voice: Int)
  }

  let source: Source
  /// Target pitch on the frames of `heard`. It is 0 without a target, near a change of the note and
  /// outside of 60 to 1200 Hz, where trackers err.
  public let target: PitchTrack
  /// The target including frames near a change.
  let wanted: PitchTrack
  /// Target pitches outside of `rangeHz`, one for each frame.
  let outsideHz: [Double]
  /// Changes of the voice's note.
  let steps: [PitchStep]
  /// The subject's input, with the pitch that the voice follows.
  let lead: AnalyzedSound
  /// The voice as the singer of a synthetic recording would sing it; `nil` for any other recording.
  let ideal: AnalyzedSound?
  /// Delay of the voice alone by its loudness; `nil` inside a mix, or if there is no other voice.
  let ownDelay: Result<OnsetDelay, Undefined>?
  /// Delay of the voice, or of the whole, by loudness.
  let loudness: SoundDelay
  /// Delay by which the voice is aligned. Without one it has no target.
  package let delay: SoundDelay
  let analyses = VoiceAnalyses()

  /// Time after a change of the note in which the pitch metrics judge nothing.
  static let settledSeconds = 0.030
  /// The domain of the pitch metrics.
  static let rangeHz = 60.0...1200
  /// Pitch of any target.
  static let anyHz = 1.0...24_000
  /// Delays at which a target must be the same to be judged without one: those that are searched.
  private static let delaysSeconds = Array(stride(from: -0.5, through: 1, by: 0.01))
  /// Largest range of such a target: what the trackers' readings of a steady tone scatter by.
  private static let steadyCents = 1.0

  /// A voice that the subject gives as a stem.
  init(
    _ sound: AnalyzedSound, voice: Int, of score: ResolvedScore, beside lead: AnalyzedSound,
    ideal: AnalyzedSound? = nil, ownDelay: Result<OnsetDelay, Undefined>? = nil,
    delay: SoundDelay, loudness: SoundDelay? = nil
  ) {
    (self.lead, self.ideal, self.ownDelay, self.delay) = (lead, ideal, ownDelay, delay)
    self.loudness = loudness ?? delay
    source = .stem(sound)
    func track(settledSeconds: Double, within rangeHz: ClosedRange<Double>) -> PitchTrack {
      Self.target(
        ofVoice: voice, of: score, like: (sound.track.hopSeconds, sound.track.count),
        delay: delay, settledSeconds: settledSeconds, within: rangeHz)
    }
    target = track(settledSeconds: Self.settledSeconds, within: Self.rangeHz)
    wanted = track(settledSeconds: 0, within: Self.rangeHz)
    outsideHz = track(settledSeconds: 0, within: Self.anyHz).outside(Self.rangeHz)
    steps = score.steps(ofVoice: voice)
  }

  /// A voice inside a mix.
  init(
    voice: Int, inside mix: MixObservation, of score: ResolvedScore, beside lead: AnalyzedSound,
    ideal: AnalyzedSound?, delay: SoundDelay, loudness: SoundDelay
  ) {
    source = .mix(mix, voice: voice)
    (self.lead, self.ideal, ownDelay) = (lead, ideal, nil)
    (self.delay, self.loudness) = (delay, loudness)
    let known = mix.expected[voice]
    func track(settledSeconds: Double) -> PitchTrack {
      Self.target(
        ofVoice: voice, of: score, like: (known.hopSeconds, known.count), delay: delay,
        settledSeconds: settledSeconds, within: Self.rangeHz)
    }
    target = track(settledSeconds: Self.settledSeconds)
    wanted = track(settledSeconds: 0)
    outsideHz = mix.expected[voice].outside(Self.rangeHz)
    steps = score.steps(ofVoice: voice)
  }

  /// Returns the target of a voice, delayed like the output. If the delay is unknown, one that
  /// follows the lead has none, except for a steady tone.
  ///
  /// - Parameter settledSeconds: time after each change of the note in which there is none.
  static func target(
    ofVoice voice: Int, of score: ResolvedScore, like frames: (hopSeconds: Double, count: Int),
    delay: SoundDelay, settledSeconds: Double, within rangeHz: ClosedRange<Double>
  ) -> PitchTrack {
    func seconds(_ frame: Int) -> Double { Double(frame) * frames.hopSeconds }
    func targetHz(_ frame: Int, _ delaySeconds: Double) -> Double? {
      score.targetHz(
        ofVoice: voice, atSeconds: seconds(frame), delaySeconds: delaySeconds,
        settledSeconds: settledSeconds)
    }
    /// The target of a steady tone, which needs no delay.
    func steadyHz(_ frame: Int) -> Double? {
      var (lowest, highest) = (Double.infinity, 0.0)
      for delaySeconds in Self.delaysSeconds {
        guard let hz = targetHz(frame, delaySeconds) else { continue }
        (lowest, highest) = (min(lowest, hz), max(highest, hz))
        if 1200 * log2(highest / lowest) > Self.steadyCents { return nil }
      }
      return highest > 0 ? highest : nil
    }
    // Notes that don't follow the lead have their own time.
    let known = delay.trajectory ?? (score.followsLead ? nil : DelayTrajectory(ms: 0))
    let f0Hz = (0..<frames.count).map { frame -> Double in
      let hz =
        (known.map { targetHz(frame, $0.ms(atSeconds: seconds(frame)) / 1000) } ?? steadyHz(frame))
        ?? 0
      return rangeHz.contains(hz) ? hz : 0
    }
    return PitchTrack(hopSeconds: frames.hopSeconds, f0Hz: f0Hz)
  }

  /// The voice alone; `nil` inside a mix.
  public var stem: Signal? { sound?.signal }

  /// The voice alone with its analyses; `nil` inside a mix.
  var sound: AnalyzedSound? {
    switch source {
    case .stem(let sound): sound
    case .mix: nil
    }
  }

  /// Pitch of the voice, by the tracker or by the joint fit of a mix; 0 where it is not heard.
  public var heard: PitchTrack {
    switch source {
    case .stem(let sound): sound.track
    case .mix(let mix, let voice): mix.tracks[voice]
    }
  }

  /// Frames that have a target and tell the voice's pitch, or that it is missing. Inside a mix, partials of
  /// other voices may hide it.
  var judgedFrames: [Int] {
    let wanted = target.f0Hz.indices.filter { target.f0Hz[$0] > 0 }
    guard case .mix(let mix, let voice) = source else { return wanted }
    return wanted.filter { mix.voices.voices[voice][$0].canBeJudged }
  }

  /// The same frames, but for those in which a lower voice of the mix covers all harmonics of this one: they
  /// don't tell its octave, its level, or whether it is there.
  var apartFrames: [Int] {
    guard case .mix(let mix, let voice) = source else { return judgedFrames }
    return judgedFrames.filter { !mix.voices.voices[voice][$0].isCovered }
  }

  /// Pitch of a stem by the second tracker, on every fourth frame; `nil` inside a mix.
  public var secondTrack: PitchTrack? {
    stem.map { stem in
      analyses.secondTrack { HarmonicFit(of: stem).track(around: target, every: 4) }
    }
  }

  /// Returns the errors in cents of frames in which both the target and `track` have a pitch.
  func errorsCents(of track: PitchTrack) -> [Double] { Self.errorsCents(of: track, from: target) }

  /// The errors in cents of frames that tell the octave.
  var coarseErrorsCents: [Double] {
    apartFrames.compactMap { frame in
      guard heard.f0Hz.indices.contains(frame), heard.f0Hz[frame] > 0 else { return nil }
      return cents(heard.f0Hz[frame], over: target.f0Hz[frame])
    }
  }

  /// The reason why the delay is too uncertain for errors of the pitch. What the target moves by within the
  /// deviation of the delay adds to the error in squares.
  func uncertainty(ofErrors errors: [Double]) -> Undefined? {
    // With an unknown delay only a steady tone has a target, which needs none.
    guard delay.noTargets == nil, let error = Statistics.median(errors.map(abs)) else { return nil }
    let late = target.delayed(bySeconds: delay.deviationMs / 1000)
    let moved = Statistics.median(Self.errorsCents(of: late, from: target).map(abs)) ?? 0
    guard hypot(error, moved) - error > Self.maxMovedCents else { return nil }
    let (ms, by) = ((delay.deviationMs * 10).rounded() / 10, (moved * 10).rounded() / 10)
    return Undefined(
      .uncertain,
      "the delay is uncertain by \(ms) ms, in which the target moves by \(by) cents")
  }

  /// Distance in cents that an uncertain delay may move a median error: a tenth of what listeners just notice
  /// in a chord (`Audibility.pitch`).
  private static let maxMovedCents = 1.0

  /// Lag of the voice's pitch behind its target.
  var lag: Result<ContourLag, Unmeasurable> { likeliestLag.flatMap(\.certain) }

  private var likeliestLag: Result<ContourLag, Unmeasurable> {
    analyses.likeliestLag {
      Result { () throws(Unmeasurable) in try ContourLag(likeliestOf: heard, behind: target) }
    }
  }

  /// Largest deviation of a lag that the residual uses. It moves the residual by a few cents at the
  /// steepest of a vibrato; no lag at all moves it by ten and more.
  private static let widestLagDeviationMs = 3.0

  /// The likeliest lag, if it is known well enough for the residual.
  private var likeliestLagMs: Double? {
    guard let lag = try? likeliestLag.get(), lag.deviationMs <= Self.widestLagDeviationMs else {
      return nil
    }
    return lag.lagMs
  }

  /// Errors in cents after the likeliest lag; without a shift if it is unknown.
  var residualsCents: [Double] {
    guard let lagMs = likeliestLagMs else { return errorsCents(of: heard) }
    return Self.errorsCents(of: heard, from: target.delayed(bySeconds: lagMs / 1000))
  }

  private static func errorsCents(of track: PitchTrack, from target: PitchTrack) -> [Double] {
    zip(track.f0Hz, target.f0Hz).compactMap { heard, wanted in
      heard > 0 && wanted > 0 ? cents(heard, over: wanted) : nil
    }
  }
}

extension PitchTrack {
  /// Pitches outside of a range.
  fileprivate func outside(_ rangeHz: ClosedRange<Double>) -> [Double] {
    f0Hz.filter { $0 > 0 && !rangeHz.contains($0) }
  }
}

extension MixedVoices.Frame {
  /// True if the mix tells the voice's pitch, or that it is missing.
  var canBeJudged: Bool {
    switch self {
    case .measured, .missing: true
    case .silent, .undecided: false
    }
  }

  /// True if a lower voice covers all harmonics of a voice that is heard.
  var isCovered: Bool { if case .measured(let heard) = self { heard.isCovered } else { false } }
}
