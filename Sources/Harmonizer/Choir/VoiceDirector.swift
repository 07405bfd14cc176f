import Analyzer
import DSP
import Music

/// Tracks the lead and decides, a tick at a time, how far each voice is to be shifted.
///
/// The lead's pitch is asked for at the instant whose sound is leaving the engine, so that where
/// the engine is later than the tracker looks ahead, a voice on a note cancels the lead's vibrato
/// exactly; where it is not, the newest estimate stands in. A target is split into a part that follows
/// the lead and a part that does not: with the share s of the lead's deviation that passes, the
/// target T and the lead L that it was computed from, only `T - s L` glides and sways, and the shift
/// is that less `(1 - s)` times the lead of the instant.
///
/// - Allocates: in `init` only.
/// - Cost: some 0.25 µs a voice and tick, and the tracker.
struct VoiceDirector: ~Copyable, @unchecked Sendable {
  /// Decision for one voice.
  struct Decision: BitwiseCopyable {
    var shiftSemitones: Double
    /// The pitch as a fractional key number, for a voice that holds a note of its own; `nil` where it
    /// moves with the lead.
    var heldPitch: Double?
    /// True if its part has it sing; consonants are another matter.
    var sounds: Bool
    /// Changes where a note begins.
    var onsets = 0
    /// Level of the note, by the velocity of its press.
    var level: Float = 1
    /// Target; `nil` in silence, and where its lead has no pitch.
    var targetHz: Double?
    /// Octaves from the note of its part to the one that it sings, which the engine reaches.
    var octaves = 0.0
  }

  /// Samples between decisions.
  let tickSamples: Int
  /// The longest from a pitch that is sung until the voices go by it, beside the engine's delay.
  let controlLatencySamples: Int
  /// True if the lead has a voice in the sound that leaves the engine, as far as is known.
  private(set) var leadIsVoiced = false
  /// The same by the newest sound too, which the tracker is still to judge, where a voice is gated.
  private(set) var leadRepeats = false
  /// Estimated pitch of the lead there; `nil` where it has none.
  private(set) var leadHz: Double?

  var conductor: Conductor
  private var tracker: StreamingPitchTracker
  private var memory: LeadPitchHistory
  /// True if the memory holds the whole lead from the start, so that no tracker runs.
  private let knowsLead: Bool
  private var expressions: RealtimeArray<VoiceExpression>
  private var decisions: RealtimeArray<Decision>
  private let firstShifts: RealtimeArray<Double>
  private var velocities = RealtimeArray<Int>(repeating: 127, count: 128)
  /// Velocities of the voices with explicit notes.
  private var explicitVelocities: RealtimeArray<Int>
  private let velocityShare: Double
  private let engineDelay: Double  // samples
  private let sampleRateHz: Double
  private let hasGates: Bool
  private let gapSamples: Int
  private var sinceVoice: Int  // samples
  private var now = 0  // samples

  /// Notes go on through pauses of the lead's voice shorter than this; after longer ones they begin.
  private static let gapMs = 50.0
  private static let tickMs = 1.0
  /// Longer than any engine holds sound back.
  private static let memorySeconds = 2.0

  /// - Parameter lead: `nil` where it is to be tracked.
  init(
    _ settings: Harmonizer.Settings, engineDelaySamples: Int, sampleRateHz: Double,
    lead: KnownLead? = nil
  ) throws(SettingsError) {
    let voices = settings.voices
    let conductor = try Conductor(voices.map(\.part), settings.music, sampleRateHz: sampleRateHz)
    let tracker = try StreamingPitchTracker(settings.tracking, sampleRateHz: sampleRateHz)
    let expressions = RealtimeArray(count: voices.count) { index in
      var seeds = SeededGenerator(seed: settings.seed &+ UInt64(index))
      return VoiceExpression(
        voices[index].expression, seed: seeds.next(), sampleRateHz: sampleRateHz)
    }
    tickSamples = Self.tickSamples(sampleRateHz: sampleRateHz)
    controlLatencySamples =
      lead == nil ? tracker.lookAheadSamples + tracker.hopSamples + tickSamples : 0
    knowsLead = lead != nil
    gapSamples = Int(Self.gapMs / 1000 * sampleRateHz)
    sinceVoice = gapSamples
    engineDelay = Double(engineDelaySamples)
    self.sampleRateHz = sampleRateHz
    hasGates = voices.contains { $0.consonants != .kept }
    velocityShare = settings.velocityShare
    if let lead {
      memory = LeadPitchHistory(of: lead, sampleRateHz: sampleRateHz)
    } else {
      memory = LeadPitchHistory(
        hopSamples: tracker.hopSamples, seconds: Self.memorySeconds, sampleRateHz: sampleRateHz)
    }
    explicitVelocities = RealtimeArray<Int>(repeating: 127, count: voices.count)
    self.conductor = conductor
    self.tracker = tracker
    self.expressions = expressions
    firstShifts = RealtimeArray(voices.map { $0.firstShiftSemitones - $0.detuneCents / 100 })
    decisions = RealtimeArray(
      repeating: Decision(shiftSemitones: 0, sounds: false), count: voices.count)
    for voice in 0..<voices.count { decisions[voice] = firstDecision(ofVoice: voice) }
  }

  /// Samples between decisions.
  static func tickSamples(sampleRateHz: Double) -> Int {
    max(1, Int((tickMs / 1000 * sampleRateHz).rounded()))
  }

  /// First decision: voices that depend on the lead sound, because its first sound may be a consonant.
  @_noLocks private func firstDecision(ofVoice voice: Int) -> Decision {
    Decision(shiftSemitones: firstShifts[voice], sounds: conductor.followsLead(ofVoice: voice))
  }

  /// Forgets the past, as if just created.
  @_noLocks mutating func reset() {
    conductor.reset()
    tracker.reset()
    if !knowsLead { memory.reset() }
    for voice in 0..<decisions.count {
      expressions[voice].reset()
      decisions[voice] = firstDecision(ofVoice: voice)
    }
    for key in 0...127 { velocities[key] = 127 }
    for voice in 0..<explicitVelocities.count { explicitVelocities[voice] = 127 }
    (leadIsVoiced, leadRepeats, leadHz, sinceVoice, now) = (false, false, nil, gapSamples, 0)
  }

  @_noLocks mutating func perform(_ action: KeyAction) {
    if case .press(let key, let velocity) = action, key >= 0, key <= 127 {
      velocities[key] = min(max(velocity, 1), 127)
    }
    conductor.perform(action)
  }

  @_noLocks mutating func setNote(_ note: Double?, velocity: Int, ofVoice voice: Int) {
    conductor.setNote(note, ofVoice: voice)
    if note != nil { explicitVelocities[voice] = min(max(velocity, 1), 127) }
  }

  /// Returns the decision for a voice in the tick that `decide` last began.
  @_noLocks func decision(ofVoice voice: Int) -> Decision { decisions[voice] }

  /// Analyzes the sound of the lead; cutting a span is no lock, but the compiler can't tell.
  @_semantics("no_performance_analysis")
  mutating func analyze(_ input: Span<Float>, _ range: Range<Int>) {
    guard !knowsLead else { return }
    tracker.process(input.extracting(range))
    while let estimate = tracker.next() { memory.add(estimate) }
  }

  /// Decides for the tick that begins.
  @_noLocks mutating func decide(_ transposer: borrowing EngineBank) {
    let middle = Double(now) + 0.5 * Double(tickSamples)
    let leaving = middle - engineDelay
    leadIsVoiced = memory.isVoiced(atSample: leaving)
    let lead = memory.pitch(atSample: leaving)
    leadHz = leadIsVoiced ? lead.map { NoteNumber($0).hz } : nil
    leadRepeats = leadIsVoiced && (!hasGates || repeats(atSample: leaving))
    sinceVoice = leadIsVoiced ? 0 : min(sinceVoice + tickSamples, gapSamples)
    let sung = sinceVoice < gapSamples ? lead : nil
    conductor.next(leadHz: sung.map { NoteNumber($0).hz }, samples: tickSamples)
    for voice in 0..<decisions.count {
      let delay = transposer.state(ofVoice: voice).steeredDelaySamples
      decide(voice, lead: lead, sung: sung, leadThen: memory.pitch(atSample: middle - delay))
    }
    now += tickSamples
  }

  /// - Parameters:
  ///   - lead: its last known pitch.
  ///   - sung: the same while it sings.
  ///   - leadThen: its pitch in the sound that a shift moves now.
  @_noLocks private mutating func decide(
    _ voice: Int, lead: Double?, sung: Double?, leadThen: Double?
  ) {
    let follows = conductor.followsLead(ofVoice: voice)
    var (target, decision) = (conductor.target(ofVoice: voice), decisions[voice])
    decision.targetHz = nil
    let share = conductor.leadShare(ofVoice: voice)
    let pitch = target.hz.map { NoteNumber(hz: $0).semitones }
    let pressedKey = conductor.isHeld(voice: voice) ? target.key : nil
    if let pitch, let key = target.key {
      let own = pitch - share * ((lead ?? Self.middle) - Self.middle)
      target.hz = NoteNumber(own).hz
      // Half-way between two keys, as with half of the share on every other note, rounding must not decide.
      target.key = share == 0 ? key : nearestOf(own - target.bendSemitones - 1e-6)
    }
    let swayed = expressions[voice].next(target, samples: tickSamples)
    if follows, sung == nil {
      // Keep the previous decision while the lead is silent.
    } else if let swayed {
      if conductor.isExplicit(voice: voice) {
        decision.level = level(ofVelocity: explicitVelocities[voice])
      } else if !decision.sounds || decision.onsets != target.onsets {
        decision.level = 1
        if let pressedKey { decision.level = level(ofVelocity: velocities[pressedKey]) }
      }
      (decision.sounds, decision.onsets) = (true, target.onsets)
      let base = leadThen ?? lead
      if let pitch, let lead {
        decision.octaves = Engine.octaves(toReach: pitch - lead, now: decision.octaves)
      }
      let wanted =
        NoteNumber(hz: swayed).semitones + share * ((base ?? Self.middle) - Self.middle)
        + 12 * decision.octaves
      if let base {
        decision.shiftSemitones = Engine.cut(wanted - base)
        // The smaller share depends on the tracker, which is late.
        decision.heldPitch = share < 0.5 ? base + decision.shiftSemitones : nil
      }
      if !follows || leadIsVoiced { decision.targetHz = NoteNumber(wanted).hz }
    } else {
      decision.sounds = false
    }
    decisions[voice] = decision
  }

  /// True if the sound at an instant repeats at the lead's period, to either side.
  @_noLocks private func repeats(atSample time: Double) -> Bool {
    guard !knowsLead, let leadHz else { return true }
    return tracker.repetition(of: sampleRateHz / leadHz, atSample: time) > Self.minRepetition
  }

  /// Correlation that hiss hardly reaches: three standard deviations of that of 5 ms of it below 3.5 kHz,
  /// `1 / (2 * 3500 * 0.005).squareRoot()` each.
  private static var minRepetition: Double { @_noLocks get { 0.5 } }

  /// Reference pitch of the lead's part; any would do.
  private static var middle: Double { @_noLocks get { 60 } }

  @_noLocks private func level(ofVelocity velocity: Int) -> Float {
    velocityShare > 0
      ? Harmonizer.Settings.level(ofVelocity: velocity, share: velocityShare) : 1
  }
}
