import DSP
import Music

/// The notes that may be sung now, as the tuning has them, and which of them a pitch is on.
///
/// Pitches are in semitones: fractional key numbers at A4 = 440 Hz, whatever the tuning.
///
/// - Allocates: in `init` only.
struct TargetNotes: ~Copyable, @unchecked Sendable {
  private let pitches: RealtimeArray<Double>  // of 128 keys; infinite: no sound
  /// 1 where a key is a target.
  private var allowed = RealtimeArray<Int>(repeating: 0, count: 128)
  private let target: TuningTarget
  private var heldKeys = HeldKeys()
  private var bends = RealtimeArray<Float>(count: 128)  // semitones, of the keys as played
  /// The same, of every key that is a target.
  private var bendsMeant = RealtimeArray<Float>(count: 128)

  init(_ target: TuningTarget, _ tuning: Tuning) throws(SettingsError) {
    try tuning.validate()
    pitches = RealtimeArray(
      tuning.frequenciesHz.map { $0.map { NoteNumber(hz: $0).semitones } ?? .infinity })
    self.target = target
    initialTones = target.tones
    followsKeys = if case .heldKeys = target { true } else { false }
    anyOctave = target == .heldKeys(.any)
    allow(initialTones)
  }

  private let initialTones: ToneSet
  private let followsKeys: Bool
  private let anyOctave: Bool

  /// The pitch of a key, 0 to 127, with its bend.
  @_noLocks func pitch(ofKey key: Int) -> Double {
    precondition(key >= 0 && key <= 127, "no such key")
    return pitches[key] + Double(bendsMeant[key])
  }

  /// The target nearest to a pitch; `nil` where there is none.
  @_noLocks func nearestKey(to pitch: Double) -> Int? {
    var (nearest, least): (Int?, Double) = (nil, .infinity)
    for key in 0...127 where allowed[key] == 1 {
      let distance = abs(pitch - self.pitch(ofKey: key))
      if distance < least { (nearest, least) = (key, distance) }
    }
    return nearest
  }

  /// The key that a pitch is on: the nearest, unless it is still on the one it is held to.
  ///
  /// - Parameters:
  ///   - hold: where it was, and for how long.
  ///   - hysteresis: in semitones, how far beyond the middle between two notes it must go.
  /// - Returns: `nil` where there is no target.
  @_noLocks func key(of pitch: Double, _ hold: NoteHold, hysteresis: Double) -> Int? {
    let nearest = nearestKey(to: pitch)
    guard let now = hold.key, allowed[now] == 1, let nearest else { return nearest }
    let gained = abs(pitch - self.pitch(ofKey: now)) - abs(pitch - self.pitch(ofKey: nearest))
    return hold.leaves(for: nearest, gained: gained, hysteresis: hysteresis) ? nearest : now
  }

  @_noLocks mutating func perform(_ action: KeyAction) {
    heldKeys.perform(action)
    if case .bend(let key, let semitones) = action {
      guard key >= 0, key <= 127, semitones == semitones else { return }
      bends[key] = Float(min(max(semitones, -127), 127))
    }
    guard followsKeys else { return }
    for key in 0...127 {
      let held = heldKey(meaning: key)
      allowed[key] = held == nil ? 0 : 1
      bendsMeant[key] = 0
      if let held { bendsMeant[key] = bends[held] }
    }
  }

  @_noLocks mutating func reset() {
    heldKeys.reset()
    bends.clear()
    bendsMeant.clear()
    allow(initialTones)
  }

  @_noLocks private mutating func allow(_ tones: ToneSet) {
    for key in 0...127 { allowed[key] = tones.contains(key) ? 1 : 0 }
  }

  /// The key that is held and makes `key` a target: itself, or where octaves don't count the nearest
  /// octave of it.
  @_noLocks private func heldKey(meaning key: Int) -> Int? {
    if heldKeys.isSounding(key) { return key }
    guard anyOctave else { return nil }
    for octaves in 1...10 {
      if heldKeys.isSounding(key - 12 * octaves) { return key - 12 * octaves }
      if heldKeys.isSounding(key + 12 * octaves) { return key + 12 * octaves }
    }
    return nil
  }
}
