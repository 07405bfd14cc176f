import DSP
import Foundation
import Music

/// An instrument made of one sample: keys transpose it by reading it faster or slower.
///
/// Notes are shared out as a choir's are, by `VoiceAllocator`. A note that was released rings on
/// until its envelope ends, beside those that are held; a note that gives way to another fades
/// within 3 ms. Formants move with the pitch: for a voice that keeps its own, play the sample at its
/// root through a `Harmonizer` or an `AutoTuner`.
///
/// - Allocates: in `init` only.
/// - Output: mono samples or stereo, nominally ±1 a note.
/// - Cost: of each note that sounds, two filters of `SincBank` a sample.
public struct SamplePlayer: KeyReceiver, ~Copyable, @unchecked Sendable {
  public let settings: Settings

  private let memory: SampleMemory
  private let tuning: TuningTable
  private var allocator: VoiceAllocator
  private let envelope: Envelope
  private var notes: RealtimeArray<SampleNote>
  /// Voice that holds each note, or `rings` or `isFree`.
  private var holders: RealtimeArray<Int>
  /// Number of notes that each voice had begun at the last look.
  private var onsets: RealtimeArray<Int>
  private let baseRatio: Double  // of the root, at speed 1
  private let rootHz: Double
  private let gain: Float
  private let playsToEnd: Bool
  private let velocityShare: Double
  private let pan: Double
  private let spread: Double
  private let cutSamples: Int
  private var speed = 1.0
  private var bends = RealtimeArray<Float>(count: 128)  // by key, semitones
  private var now = 0

  private static var isFree: Int { @_noLocks get { -1 } }
  private static var rings: Int { @_noLocks get { -2 } }
  private static let cutMs = 3.0

  public init(
    _ sample: Sample, _ settings: Settings = Settings(), sampleRateHz: Double
  ) throws(SettingsError) {
    try settings.validate()
    let tuning = try TuningTable(settings.tuning)
    let allocator = try VoiceAllocator(settings.voices, sampleRateHz: sampleRateHz)
    let envelope = try Envelope(settings.envelope, sampleRateHz: sampleRateHz)
    // The same number of samples ring on, and the same number fade.
    let room = 3 * settings.voices.voiceCount
    notes = RealtimeArray(
      repeating: SampleNote(
        key: 0, ratio: 1, speed: 1, envelope: envelope, gain: 0, place: Panorama(0)),
      count: room)
    holders = RealtimeArray<Int>(repeating: Self.isFree, count: room)
    onsets = RealtimeArray<Int>(repeating: 0, count: settings.voices.voiceCount)
    baseRatio = sample.settings.speed * sample.sampleRateHz / sampleRateHz
    rootHz = tuning.hz(ofNote: settings.rootNote.semitones) ?? settings.rootNote.hz
    gain = Float(pow(10, settings.gainDb / 20))
    cutSamples = max(1, Int((Self.cutMs / 1000 * sampleRateHz).rounded()))
    (playsToEnd, velocityShare) = (settings.playsToEnd, settings.velocityShare)
    (pan, spread) = (settings.pan, settings.spread)
    memory = SampleMemory(sample, isLooped: !settings.playsToEnd)
    (self.envelope, self.settings) = (envelope, settings)
    self.tuning = tuning
    self.allocator = allocator
  }

  /// Number of notes that sound: held, ringing on, or fading.
  public var soundingCount: Int {
    @_noLocks get {
      var count = 0
      for note in 0..<notes.count where holders[note] != Self.isFree { count += 1 }
      return count
    }
  }

  @_noLocks public mutating func reset() {
    allocator.reset()
    for note in 0..<notes.count { holders[note] = Self.isFree }
    for voice in 0..<onsets.count { onsets[voice] = 0 }
    bends.clear()
    (speed, now) = (1, 0)
  }

  // MARK: Events

  @_noLocks public mutating func press(_ key: Int, velocity: Int = 127) {
    allocator.press(key, atSample: now)
    follow(velocity: velocity)
  }

  @_noLocks public mutating func release(_ key: Int) {
    allocator.release(key)
    follow(velocity: 127)
  }

  @_noLocks public mutating func setPedal(isDown: Bool) {
    allocator.setPedal(isDown: isDown)
    follow(velocity: 127)
  }

  /// Plays everything faster or slower from the next sample on, beside the sample's own speed.
  ///
  /// - Parameter ratio: 1/16 to 16, cut to that range.
  @_noLocks public mutating func setSpeed(_ ratio: Double) {
    guard ratio == ratio else { return }
    speed = min(max(ratio, 1.0 / 16), 16)
    for note in 0..<notes.count where holders[note] != Self.isFree {
      setRatio(ofNote: note)
    }
  }

  /// Bends a key, and what rings on of it. See `KeyReceiver`.
  @_noLocks public mutating func setBend(semitones: Double, ofKey key: Int) {
    guard key >= 0, key <= 127, semitones == semitones else { return }
    bends[key] = Float(min(max(semitones, -127), 127))
    for note in 0..<notes.count where holders[note] != Self.isFree {
      if notes[note].key == key { setRatio(ofNote: note) }
    }
  }

  @_noLocks private mutating func setRatio(ofNote note: Int) {
    let ratio = notes[note].ratio * speed * bend(ofKey: notes[note].key)
    notes[note].reader.setRatio(ratio)
  }

  @_noLocks private func bend(ofKey key: Int) -> Double {
    bends[key] == 0 ? 1 : frequencyRatio(ofSemitones: Double(bends[key]))
  }

  // MARK: Block by block

  @_noLocks public mutating func process(into output: inout MutableSpan<Float>) {
    let count = output.count
    for i in 0..<count { output[i] = 0 }
    for index in 0..<notes.count where holders[index] != Self.isFree {
      var note = notes[index]
      for i in 0..<count { output[i] += note.next(memory) }
      keep(note, index)
    }
    now += count
  }

  /// Renders a block in stereo, with every note in its place by constant power.
  @_noLocks public mutating func process(
    intoLeft left: inout MutableSpan<Float>, right: inout MutableSpan<Float>
  ) {
    let (count, room) = (left.count, right.count)
    precondition(count == room, "counts differ")
    for i in 0..<count { (left[i], right[i]) = (0, 0) }
    for index in 0..<notes.count where holders[index] != Self.isFree {
      var note = notes[index]
      for i in 0..<count {
        let sample = note.next(memory)
        left[i] += note.left * sample
        right[i] += note.right * sample
      }
      keep(note, index)
    }
    now += count
  }

  @_noLocks private mutating func keep(_ note: SampleNote, _ index: Int) {
    notes[index] = note
    if note.isOver(memory) { holders[index] = Self.isFree }
  }

  // MARK: Notes

  /// Brings the notes to what the allocator has decided.
  @_noLocks private mutating func follow(velocity: Int) {
    for voice in 0..<allocator.voiceCount {
      guard let assignment = allocator.assignment(ofVoice: voice) else {
        end(voice, isRobbed: false)
        continue
      }
      guard assignment.onsets != onsets[voice] else { continue }
      onsets[voice] = assignment.onsets
      end(voice, isRobbed: true)
      begin(assignment.key, voice, velocity: velocity)
    }
  }

  @_noLocks private mutating func end(_ voice: Int, isRobbed: Bool) {
    for note in 0..<notes.count where holders[note] == voice {
      holders[note] = Self.rings
      if isRobbed {
        notes[note].cutShort(overSamples: cutSamples)
      } else if !playsToEnd {
        notes[note].envelope.letGo()
      }
    }
  }

  @_noLocks private mutating func begin(_ key: Int, _ voice: Int, velocity: Int) {
    guard let hz = tuning.hz(ofKey: key) else { return }
    let strength = Double(min(max(velocity, 1), 127)) / 127
    let level = gain * Float(1 - velocityShare * (1 - strength))
    let side = spread / 2 * semitones(ofFrequencyRatio: hz / rootHz) / 24
    let place = min(max(pan + side, -1), 1)
    let note = room()
    notes[note] = SampleNote(
      key: key, ratio: baseRatio * hz / rootHz, speed: speed * bend(ofKey: key), envelope: envelope,
      gain: level,
      place: Panorama(place))
    holders[note] = voice
  }

  /// A note that is free. Where few are left, the one that rings at the lowest level fades.
  @_noLocks private mutating func room() -> Int {
    var (free, freeCount, quietest, any) = (-1, 0, -1, -1)
    for note in 0..<notes.count {
      if holders[note] == Self.isFree {
        (free, freeCount) = (free < 0 ? note : free, freeCount + 1)
      } else if holders[note] == Self.rings {
        if isQuieter(note, than: any) { any = note }
        if !notes[note].isCut, isQuieter(note, than: quietest) { quietest = note }
      }
    }
    if freeCount <= allocator.voiceCount, quietest >= 0 {
      notes[quietest].cutShort(overSamples: cutSamples)
    }
    return free >= 0 ? free : max(any, 0)
  }

  /// - Parameter other: below 0 is none.
  @_noLocks private func isQuieter(_ note: Int, than other: Int) -> Bool {
    if other < 0 { return true }
    return notes[note].envelope.level < notes[other].envelope.level
  }
}
