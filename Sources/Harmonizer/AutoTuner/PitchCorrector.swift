import DSP
import Foundation
import Music

/// Decides from one pitch estimate after another how far to move the voice.
///
/// With `p` the pitch sung, `m` its middle, `n` the note, all in semitones, and `d` the dead band,
/// the voice is moved by `amount · (s + v)`. The slow part `s` goes to `soft(n - m, d)` as
/// `s ← s + (1 - e^(-hop/τ)) (soft(n - m, d) - s)`, a first-order lag of time constant τ, where
/// `soft` shortens by `d` and `m` is `p` itself where vibrato is left to the lag. The fast part `v`
/// is `m - p` where vibrato is taken out, plus the rebuilt one. A note after silence begins at
/// `s = 0`; one that follows another goes on from where that was.
///
/// - Allocates: in `init` only.
struct PitchCorrector: ~Copyable, @unchecked Sendable {
  /// Gaps shorter than this don't end a note: a breath in the voice, a doubt of the tracker's.
  private static var gapMs: Double { @_noLocks get { 30 } }
  /// Distance beyond the middle at which a note is left that is only passed, or that the voice goes
  /// away from as no vibrato would, in semitones. At the middle itself the beginning of a vibrato would
  /// carry the voice to the next note and back.
  private static var leavingHysteresis: Double { @_noLocks get { 0.1 } }

  private let correction: PitchCorrection
  private var decayPerHop = 0.0  // of the deviation, at the ordinary speed
  private var heldDecayPerHop = 0.0  // in held notes
  private var middle: NoteMiddle
  private var swing: NoteSwing
  private var vibrato: Vibrato
  private let hopSamples: Int
  private let hopMs: Double

  private var note: NoteHold
  private var gapMs = 0.0  // since there was a pitch
  private var slow = 0.0  // semitones
  private var octaves = 0.0  // from the chosen note to the one that is sung
  private var target = 0.0  // pitch of the one that is sung
  private var shift = 0.0  // semitones, before the amount
  private var lastMiddle = 0.0

  init(
    _ correction: PitchCorrection, vibrato: Vibrato.Settings, hopSamples: Int, sampleRateHz: Double
  ) {
    self.vibrato = Vibrato(vibrato, sampleRateHz: sampleRateHz)
    self.correction = correction
    self.hopSamples = hopSamples
    hopMs = Double(hopSamples) / sampleRateHz * 1000
    note = NoteHold(msPerStep: hopMs, passingHysteresis: Self.leavingHysteresis)
    middle = NoteMiddle(hopMs: hopMs)
    swing = NoteSwing(msPerStep: hopMs)
    decayPerHop = decay(correction.retuneMs)
    heldDecayPerHop = decay(max(correction.heldRetuneMs, correction.retuneMs))
  }

  @_noLocks mutating func reset() {
    endNote()
    vibrato.reset()
    gapMs = 0
  }

  /// Goes on by one hop.
  ///
  /// - Parameters:
  ///   - f0Hz: 0 where there is no voice.
  ///   - voicing: how periodic the sound is, 0 to 1.
  @_noLocks mutating func next(
    f0Hz: Double, voicing: Double, _ notes: borrowing TargetNotes
  ) -> Decision {
    guard f0Hz > 0, voicing >= correction.strictness else { return pause() }
    gapMs = 0
    let pitch = NoteNumber(hz: f0Hz).semitones
    var hysteresis = correction.hysteresisCents / 100
    if swing.next(pitch - lastMiddle, heldMs: note.heldMs) {
      hysteresis = min(hysteresis, Self.leavingHysteresis)
    }
    let key = notes.key(of: pitch, note, hysteresis: hysteresis)
    guard let key else {
      endNote()
      return decision(joins: false)
    }
    let isFirst = note.key == nil
    if key != note.key {
      begin(key, pitch: pitch)
    } else {
      note.stay(steps: 1, nearest: notes.nearestKey(to: pitch) ?? key)
    }
    let chosen = notes.pitch(ofKey: key)
    octaves = Engine.octaves(toReach: chosen - pitch, now: octaves)
    target = chosen + 12 * octaves
    follow(pitch, to: target, isFirst: isFirst)
    return decision(joins: !isFirst)
  }

  /// One of these for each estimate.
  struct Decision {
    /// The note that is sung: the one that was chosen, or its octave that the engine reaches.
    var key: Int?
    /// Its pitch.
    var target: Double?
    var shiftSemitones: Double
    /// True if the way here from the decision before is a straight line, not a leap.
    var joins: Bool
  }

  @_noLocks private func decision(joins: Bool) -> Decision {
    var (key, pitch): (Int?, Double?)
    if let chosen = note.key { (key, pitch) = (chosen + 12 * Int(octaves), target) }
    return Decision(
      key: key, target: pitch,
      shiftSemitones: Engine.cut(shift * correction.amountPercent / 100), joins: joins)
  }

  @_noLocks private mutating func follow(_ pitch: Double, to target: Double, isFirst: Bool) {
    let policy = correction.vibrato
    lastMiddle = middle.next(pitch)
    let held = policy.leavesVibratoToLag ? pitch : lastMiddle
    let wanted = soft(target - held, correction.deadBandCents / 100)
    let isHeld = note.heldMs >= correction.heldAfterMs
    let kept = isHeld ? heldDecayPerHop : decayPerHop
    // A lag sets out from where the voice came in.
    if !isFirst || kept == 0 { slow = wanted + kept * (slow - wanted) }
    let own = vibrato.next(samples: isFirst ? 0 : hopSamples) / 100
    switch policy {
    case .natural, .keep: shift = slow
    case .remove: shift = slow + held - pitch
    case .rebuild: shift = slow + held - pitch + own
    }
  }

  @_noLocks private mutating func begin(_ key: Int, pitch: Double) {
    // The middle starts anew at the pitch; what the voice is moved by goes on.
    if note.key != nil, correction.vibrato.takesVibratoOut { slow += lastMiddle - pitch }
    note.change(to: key)
    middle.reset()
    swing.reset()
    vibrato.begin()
  }

  /// Keeps the correction for a while after the voice has ended, then drops it.
  @_noLocks private mutating func pause() -> Decision {
    gapMs += hopMs
    let ends = note.key != nil && gapMs > Self.gapMs
    if ends { endNote() }
    return decision(joins: !ends)
  }

  @_noLocks private mutating func endNote() {
    note.reset()
    (slow, shift, lastMiddle, octaves) = (0, 0, 0, 0)
    middle.reset()
    swing.reset()
  }

  /// Returns the share of a deviation that a hop leaves.
  @_semantics("no_performance_analysis")
  private func decay(_ timeConstantMs: Double) -> Double {
    timeConstantMs > 0 ? exp(-hopMs / timeConstantMs) : 0
  }
}

/// Nearer to 0 by `band`, but not beyond.
@_noLocks private func soft(_ value: Double, _ band: Double) -> Double {
  value > band ? value - band : value < -band ? value + band : 0
}

extension PitchCorrection.VibratoPolicy {
  fileprivate var leavesVibratoToLag: Bool {
    @_noLocks get { if case .natural = self { true } else { false } }
  }

  fileprivate var takesVibratoOut: Bool {
    @_noLocks get {
      switch self {
      case .natural, .keep: false
      case .remove, .rebuild: true
      }
    }
  }
}
