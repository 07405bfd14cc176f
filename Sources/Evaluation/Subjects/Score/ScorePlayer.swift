import Harmonizer
import Music

/// Plays a score to a choir: notes for each voice, or keys for all.
///
/// With notes, `VoiceAllocation` has assigned them to voices before, and the harmonizer only tracks the
/// lead. With keys, pedals and bends, the harmonizer assigns notes to voices; all channels of a MIDI
/// file are one keyboard. Voices that follow the lead or chords need neither; their settings contain
/// their parts.
struct ScorePlayer: Sendable {
  private enum Change {
    case note(Double, velocity: Int, voice: Int)
    case silence(voice: Int)
    case bend(semitones: Double, voice: Int)
    case key(NoteEvent.Action)
    case latch(isOn: Bool)
  }

  /// Changes in order of time.
  private let changes: [(sample: Int, change: Change)]
  private var place = 0

  init(_ score: ResolvedScore, playing: LivePlaying = LivePlaying(), sampleRateHz: Double) {
    func sample(_ seconds: Double) -> Int { Int((seconds * sampleRateHz).rounded(.up)) }
    switch playing.allocation {
    case .score:
      let changes = Self.notes(of: score).map { (sample: sample($0.seconds), change: $0.change) }
      // The sort is stable.
      self.changes = changes.sorted { $0.sample < $1.sample }
    case .keys:
      changes =
        [(0, .latch(isOn: playing.latches))]
        + NoteEvent.onOneKeyboard(score.score.events).map {
          (sample($0.atSeconds), .key($0.action))
        }
    case .led: changes = []
    }
  }

  /// Returns the notes of each voice; none for a score that follows the lead.
  private static func notes(of score: ResolvedScore) -> [(seconds: Double, change: Change)] {
    guard !score.followsLead else { return [] }
    var changes: [(seconds: Double, change: Change)] = []
    for (voice, segments) in score.voices.enumerated() {
      for (index, segment) in segments.enumerated() {
        guard case .note(let note) = segment.target else { continue }
        let start = segment.startSeconds
        let first = segment.bends.semitones(atSeconds: start)
        changes.append((start, .bend(semitones: first, voice: voice)))
        changes.append((start, .note(note.semitones, velocity: segment.velocity, voice: voice)))
        for bend in segment.bends where bend.atSeconds > start {
          changes.append((bend.atSeconds, .bend(semitones: bend.semitones, voice: voice)))
        }
        let goesOn =
          index + 1 < segments.count && segments[index + 1].startSeconds <= segment.endSeconds
        guard !goesOn, segment.endSeconds.isFinite else { continue }
        changes.append((segment.endSeconds, .silence(voice: voice)))
      }
    }
    return changes
  }

  /// Applies the changes up to the block that begins at `startSample`. Blocks come in order.
  mutating func play(on harmonizer: inout Harmonizer, startSample: Int) {
    while place < changes.count, changes[place].sample <= startSample {
      switch changes[place].change {
      case .note(let note, let velocity, let voice):
        harmonizer.setNote(note, velocity: velocity, ofVoice: voice)
      case .silence(let voice): harmonizer.setNote(nil, ofVoice: voice)
      case .bend(let semitones, let voice):
        harmonizer.setBend(semitones: semitones, ofVoice: voice)
      case .key(let action): harmonizer.perform(action)
      case .latch(let isOn): harmonizer.setLatch(isOn: isOn)
      }
      place += 1
    }
  }

  mutating func rewind() { place = 0 }
}

extension NoteEvent {
  /// Returns the events of a score as those of one keyboard: all channels together, with a channel's
  /// bend on each key that it pressed last. Fractional keys are rounded.
  static func onOneKeyboard(_ events: [ScoreEvent]) -> [NoteEvent] {
    /// Bends by channel, in semitones.
    var bends: [Int: Double] = [:]
    /// The channel that last pressed each key.
    var channels: [Int: Int] = [:]
    /// The channels whose pedals are down.
    var pedals: Set<Int> = []
    let isBent = events.contains { if case .bend = $0.action { true } else { false } }
    func key(of note: NoteNumber) -> Int { Int(note.semitones.rounded()) }
    return events.flatMap { event -> [NoteEvent] in
      func now(_ action: Action) -> NoteEvent { NoteEvent(atSeconds: event.atSeconds, action) }
      switch event.action {
      case .press(let note, let velocity):
        let key = key(of: note)
        channels[key] = event.channel
        let bend = isBent ? [now(.bend(key: key, semitones: bends[event.channel] ?? 0))] : []
        return bend + [now(.press(key: key, velocity: velocity ?? 127))]
      case .release(let note): return [now(.release(key: key(of: note)))]
      case .pedal(let isDown):
        if isDown { pedals.insert(event.channel) } else { pedals.remove(event.channel) }
        return [now(.pedal(isDown: !pedals.isEmpty))]
      case .bend(let semitones):
        bends[event.channel] = semitones
        return channels.filter { $0.value == event.channel }.keys.sorted().map {
          now(.bend(key: $0, semitones: semitones))
        }
      }
    }
  }
}
