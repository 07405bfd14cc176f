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
  private var lastAssigned: Int
  private var keys: RealtimeArray<Int>  // by voice: the note it sings or sang last; -1 for none
  private var starts: RealtimeArray<Int>
  private var onsets: RealtimeArray<Int>
  private var sings: RealtimeArray<Int>  // 1 while it does

  /// - Parameters:
  ///   - voiceCount: from 1 to 16.
  ///   - settings: valid ones.
  public init(voiceCount: Int, _ settings: Conductor.Settings, sampleRateHz: Double) {
    self.voiceCount = voiceCount
    policy = settings.policy
    strumSamples = Int((settings.strumMs / 1000 * sampleRateHz).rounded())
    retriggers = settings.retriggers
    lastAssigned = voiceCount - 1
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

  /// Performs a player's action.
  ///
  /// - Parameter sample: the time, which never falls.
  /// - Returns: the voice that sings a pressed key; `nil` where none may.
  @discardableResult
  @_noLocks public mutating func perform(_ action: KeyAction, atSample sample: Int) -> Int? {
    held.perform(action)
    freeEnded()
    guard case .press(let key, _) = action, key >= 0, key <= 127 else { return nil }
    if strumStart == Int.min || sample - strumStart > strumSamples { strumStart = sample }
    for voice in 0..<voiceCount where sings[voice] == 1 && keys[voice] == key {
      if retriggers { begin(key, voice, sample) }
      return voice
    }
    guard let voice = choose(for: key, free: true) ?? choose(for: key, free: false) else {
      return nil
    }
    begin(key, voice, sample)
    lastAssigned = voice
    return voice
  }

  @_noLocks public mutating func reset() {
    held.reset()
    for voice in 0..<voiceCount {
      (keys[voice], starts[voice], onsets[voice], sings[voice]) = (-1, 0, 0, 0)
    }
    (strumStart, lastAssigned) = (Int.min, voiceCount - 1)
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
    case .roundRobin: return (voice - lastAssigned - 1 + 2 * voiceCount) % voiceCount
    case .oldest: return free ? 0 : starts[voice]
    case .newest: return free ? 0 : -starts[voice]
    case .lowest: return free ? 0 : keys[voice]
    case .highest: return free ? 0 : -keys[voice]
    }
  }
}
