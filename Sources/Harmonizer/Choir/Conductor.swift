import DSP
import Music

/// Determines what each voice of the choir sings: from the lead's pitch, the key, the chord and the
/// keys held down to a frequency for every voice.
///
/// A voice that goes by the lead is silent without it. One that goes by chord or keys has its
/// target whatever the lead does. In barbershop tuning, where a chord is known and both the lead's
/// note and the voice's are of it, the voice stands in the chord's whole-number ratio to the lead.
///
/// The lead's note is judged in equal temperament at `a4Hz`, so the roles that go by the lead make
/// sense in tunings of twelve tones; held keys and pedals do in any.
///
/// - Allocates: in `init` only.
/// - Cost: some 35 ns a voice and block; where the chord changes, that of `VoiceLeading`.
public struct Conductor: KeyReceiver, ~Copyable, @unchecked Sendable {
  /// Target of a voice.
  public struct Target: Equatable, Sendable, BitwiseCopyable {
    /// `nil` in silence.
    public var hz: Double?
    /// The key that it is, but for tuning and the lead's deviation; `nil` in silence.
    public var key: Int?
    /// Distance from that key by the pitch wheel; `hz` includes it.
    public var bendSemitones = 0.0
    /// Number of notes that the voice has begun: it changes when one is struck, or sounds after
    /// silence.
    public var onsets: Int

    @_noLocks init(hz: Double?, key: Int?, onsets: Int) {
      (self.hz, self.key, self.onsets) = (hz, key, onsets)
    }
  }

  public let voiceCount: Int
  private let outOfKey: OutOfKeyPolicy
  private let a4Hz: Double
  private let isBarbershop: Bool
  /// True if any voice sings the chord's tones.
  private let hasChordVoices: Bool
  private let table: TuningTable
  private let parts: RealtimeArray<Part>
  private var targets: RealtimeArray<Target>
  /// Explicit note of each voice, for voices of that role; `nil` is silence.
  private var explicitNotes: RealtimeArray<Double?>
  private var keyBends = RealtimeArray<Float>(count: 128)  // semitones
  private var explicitBends: RealtimeArray<Float>  // by voice
  /// Twelve entries for each map; `silence` where there is none.
  private let maps: RealtimeArray<Int>
  private let initialKey: ToneSet
  private let initialTonic: Int
  private var keyTones: ToneSet
  private var tonic: Int
  private var chord: ChordTones?
  private var chordHasChanged = false
  private var timeline: ChordTimeline
  private var leading: VoiceLeading
  private var allocator: VoiceAllocator
  private var lead: LeadNote  // any of the twelve
  private var leadInKey: LeadNote
  private var now = 0  // samples

  /// A part as the audio thread knows it; indices count the voices of the same role.
  struct Part: BitwiseCopyable {
    enum Role: BitwiseCopyable {
      case interval(Double)
      case degree(Int)
      case map(start: Int)
      case chord(index: Int)
      case held(index: Int)
      case pedal(Int)
      case explicit
      case descant
    }

    var role: Role
    var leadShare: Double
    var followsLead: Bool
  }

  private static var silence: Int { @_noLocks get { Int.min } }

  /// - Parameter voiceParts: one for each of 1 to 16 voices.
  public init(
    _ voiceParts: [VoicePart], _ settings: Settings, sampleRateHz: Double
  ) throws(SettingsError) {
    try settings.validate(for: voiceParts)
    let table = try TuningTable(settings.tuning)
    let timeline = try ChordTimeline(settings.chordTrack, sampleRateHz: sampleRateHz)
    let registers = settings.registers(of: voiceParts)
    let leading = try VoiceLeading(registers.isEmpty ? VoiceLeading.choir : registers, settings)
    // Where no voice goes by keys the allocator serves none, and one costs nothing.
    let allocator = VoiceAllocator(
      voiceCount: max(1, voiceParts.count { $0.role == .held }), settings,
      sampleRateHz: sampleRateHz)
    self.table = table
    self.timeline = timeline
    self.leading = leading
    self.allocator = allocator
    voiceCount = voiceParts.count
    outOfKey = settings.outOfKey
    a4Hz = settings.tuning.a4Hz
    isBarbershop = settings.tuning.temperament == .barbershop
    hasChordVoices = !registers.isEmpty
    (keyTones, tonic) = (settings.key.tones, settings.key.tonic.semitones)
    (initialKey, initialTonic) = (keyTones, tonic)
    lead = LeadNote(hysteresisCents: settings.hysteresisCents, msPerStep: 1000 / sampleRateHz)
    leadInKey = lead
    let (parts, maps) = Self.parts(voiceParts, isBarbershop: isBarbershop)
    self.maps = RealtimeArray<Int>(maps)
    self.parts = RealtimeArray(parts)
    targets = RealtimeArray(repeating: Target(hz: nil, key: nil, onsets: 0), count: voiceCount)
    explicitBends = RealtimeArray(count: voiceCount)
    explicitNotes = RealtimeArray(repeating: nil, count: voiceCount)
  }

  private static func parts(
    _ parts: [VoicePart], isBarbershop: Bool
  ) -> (parts: [Part], maps: [Int]) {
    var (chords, keys, maps): (Int, Int, [Int]) = (0, 0, [])
    let known = parts.map { part in
      let role: Part.Role
      switch part.role {
      case .interval(let semitones): role = .interval(semitones)
      case .degree(let degree): role = .degree(degree)
      case .map(let semitones):
        role = .map(start: maps.count)
        maps += semitones.map { $0 ?? silence }
      case .chord:
        role = .chord(index: chords)
        chords += 1
      case .held:
        role = .held(index: keys)
        keys += 1
      case .pedal(let key): role = .pedal(key)
      case .explicit: role = .explicit
      case .descant: role = .descant
      }
      let share = part.leadShare ?? (part.followsLead || isBarbershop ? 1 : 0)
      return Part(role: role, leadShare: share, followsLead: part.followsLead)
    }
    return (known, maps)
  }

  // MARK: What changes while it runs

  /// The chord from now on; `nil` is silence for those who sing it.
  @_noLocks public mutating func setChord(_ chord: ChordTones?) {
    (self.chord, chordHasChanged) = (chord, true)
  }

  /// The key from now on.
  ///
  /// - Parameters:
  ///   - tones: its pitch classes, as `Key.tones` has them.
  ///   - tonic: pitch class from which maps count.
  @_noLocks public mutating func setKey(_ tones: ToneSet, tonic: Int) {
    (keyTones, self.tonic) = (tones, ToneSet.pitchClass(tonic))
  }

  /// Performs a player's action on the held keys and their bends.
  @_noLocks public mutating func perform(_ action: KeyAction) {
    guard case .bend(let key, let semitones) = action else {
      allocator.perform(action, atSample: now)
      return
    }
    guard key >= 0, key <= 127, semitones == semitones else { return }
    keyBends[key] = Float(min(max(semitones, -127), 127))
  }

  /// Sets the note of a voice with an explicit part from now on.
  ///
  /// - Parameter note: as a fractional key number; `nil`, or what lies outside 0 to 127, is silence.
  @_noLocks public mutating func setNote(_ note: Double?, ofVoice voice: Int) {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    var known: Double?
    if let note, note >= 0, note <= 127 { known = note }
    explicitNotes[voice] = known
  }

  /// Bends a voice with an explicit part from its note, until the next bend.
  @_noLocks public mutating func setBend(semitones: Double, ofVoice voice: Int) {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    if semitones == semitones { explicitBends[voice] = Float(min(max(semitones, -127), 127)) }
  }

  /// True if a voice has an explicit part, set by `setNote`.
  @_noLocks func isExplicit(voice: Int) -> Bool {
    if case .explicit = parts[voice].role { true } else { false }
  }

  /// True if a voice sings a key that is held.
  @_noLocks func isHeld(voice: Int) -> Bool {
    if case .held = parts[voice].role { true } else { false }
  }

  /// Returns the share of the lead's deviation from its note that a voice follows.
  @_noLocks func leadShare(ofVoice voice: Int) -> Double { parts[voice].leadShare }

  /// True if a voice depends on the lead.
  @_noLocks func followsLead(ofVoice voice: Int) -> Bool {
    parts[voice].followsLead
  }

  /// Forgets the past, as if just created.
  @_noLocks public mutating func reset() {
    (keyTones, tonic, chord, chordHasChanged) = (initialKey, initialTonic, nil, false)
    timeline.reset()
    leading.reset()
    allocator.reset()
    lead.reset()
    leadInKey.reset()
    keyBends.clear()
    explicitBends.clear()
    now = 0
    for voice in 0..<voiceCount {
      targets[voice] = Target(hz: nil, key: nil, onsets: 0)
      explicitNotes[voice] = nil
    }
  }

  // MARK: Block by block

  /// Returns the target of a voice in the block that `next` last began.
  @_noLocks public func target(ofVoice voice: Int) -> Target {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    return targets[voice]
  }

  /// Works out the targets of a block.
  ///
  /// - Parameters:
  ///   - leadHz: what the lead sings; `nil`, or what is not a positive number, where it has no
  ///     pitch.
  ///   - samples: how long the block is.
  @_noLocks public mutating func next(leadHz: Double?, samples: Int) {
    var pitch: Double?
    if let hz = leadHz, hz > 1, hz < 100_000 { pitch = 69 + semitones(ofFrequencyRatio: hz / a4Hz) }
    lead.next(pitch, in: .chromatic, steps: samples)
    leadInKey.next(pitch, in: keyTones, steps: samples)
    if timeline.pass(to: now, &chord) { chordHasChanged = true }
    if chordHasChanged, hasChordVoices, let chord { leading.lead(to: chord) }
    chordHasChanged = false
    for voice in 0..<voiceCount {
      let part = parts[voice]
      let last = targets[voice]
      var target = target(of: part, voice, last, pitch == nil ? nil : leadHz)
      if target.hz == nil { target.key = nil }
      if last.hz == nil, target.hz != nil, target.onsets == last.onsets { target.onsets += 1 }
      targets[voice] = target
    }
    now += samples
  }

  @_noLocks private func target(
    of part: Part, _ voice: Int, _ last: Target, _ leadHz: Double?
  ) -> Target {
    var (target, fraction) = (Target(hz: nil, key: nil, onsets: last.onsets), 0.0)
    // A choir that leaves the key with the lead takes its note in the key; any other takes every note.
    var from = lead.key
    switch part.role {
    case .interval(let semitones):
      guard leadHz != nil, let note = from else { return target }
      let whole = floorOf(semitones)
      (target.key, fraction) = (note + whole, semitones - Double(whole))
    case .degree(let degree):
      if case .parallel = outOfKey { from = leadInKey.key }
      guard leadHz != nil, let note = from else { return target }
      let interval = keyTones.intervalSemitones(ofDegree: degree, above: note, outOfKey: outOfKey)
      target.key = interval.map { note + $0 }
    case .map(let start):
      guard leadHz != nil, let note = from else { return target }
      let distance = maps[start + ToneSet.pitchClass(note - tonic)]
      target.key = distance == Self.silence ? nil : note + distance
    case .chord(let index):
      if case .some = chord { target.key = leading.note(ofVoice: index) }
    case .held(let index):
      guard let assignment = allocator.assignment(ofVoice: index) else { return target }
      (target.key, target.onsets) = (assignment.key, assignment.onsets)
      target.bendSemitones = Double(keyBends[assignment.key])
    case .pedal(let key): target.key = key
    case .explicit:
      guard let note = explicitNotes[voice] else { return target }
      let key = nearestOf(note)
      (target.key, fraction) = (key, note - Double(key))
      target.bendSemitones = Double(explicitBends[voice])
      if let before = last.key, before != key { target.onsets += 1 }
    case .descant: target.key = descant(above: from, last.key)
    }
    guard let key = target.key else { return target }
    target.hz = hz(of: key, fraction, part.leadShare, from, leadHz)
    if target.bendSemitones != 0, let hz = target.hz {
      target.hz = hz * frequencyRatio(ofSemitones: target.bendSemitones)
    }
    return target
  }

  /// The frequency of a key that the tuning, the chord and the lead's deviation give it.
  @_noLocks private func hz(
    of key: Int, _ fraction: Double, _ share: Double, _ leadKey: Int?, _ leadHz: Double?
  ) -> Double? {
    let tuned = table.hz(ofNote: Double(key) + fraction)
    guard let leadKey, let reference = table.hz(ofKey: leadKey) else { return tuned }
    let pure = isBarbershop ? chord?.tuning.ratio(ofKey: key, toKey: leadKey) : nil
    guard
      let still = pure.map({ reference * $0 * frequencyRatio(ofSemitones: fraction) }) ?? tuned
    else { return nil }
    guard let leadHz, share > 0 else { return still }
    let deviation = leadHz / reference
    if share == 1 { return still * deviation }
    return still * frequencyRatio(ofSemitones: share * semitones(ofFrequencyRatio: deviation))
  }

  /// The tone of the chord to sing above the lead's note: the one that was, while it is of the
  /// chord and above the lead by two semitones at least and an octave at most; else the lowest
  /// that is a third or more above.
  @_noLocks private func descant(above leadKey: Int?, _ last: Int?) -> Int? {
    guard let chord, let leadKey else { return nil }
    if let last, chord.tones.contains(last), last >= leadKey + 2, last <= leadKey + 12 {
      return last
    }
    return chord.tones.tone(atOrAbove: leadKey + 3)
  }
}
