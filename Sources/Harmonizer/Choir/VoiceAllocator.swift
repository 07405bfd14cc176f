import DSP
import Music

/// Decides, as keys are pressed, which voice sings which note.
///
/// A note goes to a voice that is free; where none is, a voice gives its note up by the policy. A
/// voice that began within the strum that a note belongs to keeps its own: so the notes of one
/// chord, arriving within 60 ms, never push each other about, and no voice glides twice. A note too
/// many in one strum has no voice.
///
/// - Allocates: in `init` only.
public struct VoiceAllocator: ~Copyable, Sendable {
  /// Choice of the voice that sings a note.
  public enum Policy: String, Codable, CaseIterable, Sendable {
    /// The first free voice; else the one whose note began first.
    case oldest
    /// The first free voice; else the one whose note began last.
    case newest
    /// The first free voice; else the one with the lowest note.
    case lowest
    /// The first free voice; else the one with the highest note.
    case highest
    /// The voice whose last note is nearest, of the free ones if there are any: the least motion.
    case nearest
    /// The voice after the one chosen last, of the free ones if there are any.
    case roundRobin
  }

  /// Settings.
  public struct Settings: Codable, Equatable, Sendable {
    public var voiceCount: Int
    public var policy = Policy.oldest
    /// Notes that begin that soon after a chord's first belong to it.
    public var strumMs = 60.0
    /// True if a key that sounds begins anew when it is pressed again.
    public var retriggers = true

    public init(voiceCount: Int) { self.voiceCount = voiceCount }

    public func validate() throws(SettingsError) {
      try require("voiceCount", Double(voiceCount), in: 1...16)
      try require("strumMs", strumMs, in: 0...1000)
    }
  }

  /// The note that a voice sings.
  public struct Assignment: Equatable, Sendable {
    public var key: Int
    public var startSample: Int
    /// Number of notes that the voice has begun, this one included: it changes when one is struck
    /// anew.
    public var onsets: Int
  }

  public let voiceCount: Int
  private let policy: Policy
  private let strumSamples: Int
  private let retriggers: Bool
  private var held = HeldKeys()
  private var strumStart = Int.min
  private var lastGiven: Int
  private var keys: RealtimeArray<Int>  // by voice: the note it sings or sang last; -1 for none
  private var starts: RealtimeArray<Int>
  private var onsets: RealtimeArray<Int>
  private var sings: RealtimeArray<Int>  // 1 while it does

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    voiceCount = settings.voiceCount
    policy = settings.policy
    strumSamples = Int((settings.strumMs / 1000 * sampleRateHz).rounded())
    retriggers = settings.retriggers
    lastGiven = voiceCount - 1
    keys = RealtimeArray<Int>(repeating: -1, count: voiceCount)
    starts = RealtimeArray<Int>(repeating: 0, count: voiceCount)
    onsets = RealtimeArray<Int>(repeating: 0, count: voiceCount)
    sings = RealtimeArray<Int>(repeating: 0, count: voiceCount)
  }

  /// Returns the note of a voice; `nil` while it is free.
  @_noLocks public func assignment(ofVoice voice: Int) -> Assignment? {
    guard sings[voice] == 1 else { return nil }
    return Assignment(key: keys[voice], startSample: starts[voice], onsets: onsets[voice])
  }

  /// Presses a key, 0 to 127; others change nothing.
  ///
  /// - Parameter sample: the time, which never falls.
  /// - Returns: the voice that sings it; `nil` where none may.
  @discardableResult
  @_noLocks public mutating func press(_ key: Int, atSample sample: Int) -> Int? {
    guard key >= 0, key <= 127 else { return nil }
    held.press(key)
    freeEnded()
    if strumStart == Int.min || sample - strumStart > strumSamples { strumStart = sample }
    for voice in 0..<voiceCount where sings[voice] == 1 && keys[voice] == key {
      if retriggers { begin(key, voice, sample) }
      return voice
    }
    guard let voice = choose(for: key, free: true) ?? choose(for: key, free: false) else {
      return nil
    }
    begin(key, voice, sample)
    lastGiven = voice
    return voice
  }

  @_noLocks public mutating func release(_ key: Int) {
    held.release(key)
    freeEnded()
  }

  /// Releases every key, however often it was pressed.
  @_noLocks public mutating func releaseAll() {
    held.releaseAll()
    freeEnded()
  }

  /// Moves the sustain pedal.
  @_noLocks public mutating func setPedal(isDown: Bool) {
    held.setPedal(isDown: isDown)
    freeEnded()
  }

  @_noLocks public mutating func setLatch(isOn: Bool) {
    held.setLatch(isOn: isOn)
    freeEnded()
  }

  @_noLocks public mutating func reset() {
    held.reset()
    for voice in 0..<voiceCount {
      (keys[voice], starts[voice], onsets[voice], sings[voice]) = (-1, 0, 0, 0)
    }
    (strumStart, lastGiven) = (Int.min, voiceCount - 1)
  }

  @_noLocks private mutating func begin(_ key: Int, _ voice: Int, _ sample: Int) {
    (keys[voice], starts[voice], sings[voice]) = (key, sample, 1)
    onsets[voice] += 1
  }

  @_noLocks private mutating func freeEnded() {
    for voice in 0..<voiceCount where sings[voice] == 1 && !held.isSounding(keys[voice]) {
      sings[voice] = 0
    }
  }

  /// The best voice of those that are free, or of those that may be robbed; of equals, the first.
  @_noLocks private func choose(for key: Int, free: Bool) -> Int? {
    var best: (voice: Int, rank: Int)?
    for voice in 0..<voiceCount {
      guard free ? sings[voice] == 0 : starts[voice] < strumStart else { continue }
      let rank = rank(voice, for: key, free: free)
      if let known = best, known.rank <= rank { continue }
      best = (voice, rank)
    }
    return best?.voice
  }

  /// Lower goes first.
  @_noLocks private func rank(_ voice: Int, for key: Int, free: Bool) -> Int {
    switch policy {
    case .nearest: return keys[voice] < 0 ? 128 : abs(keys[voice] - key)
    case .roundRobin: return (voice - lastGiven - 1 + 2 * voiceCount) % voiceCount
    case .oldest: return free ? 0 : starts[voice]
    case .newest: return free ? 0 : -starts[voice]
    case .lowest: return free ? 0 : keys[voice]
    case .highest: return free ? 0 : -keys[voice]
    }
  }
}
