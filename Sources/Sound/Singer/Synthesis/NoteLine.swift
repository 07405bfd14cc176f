import Foundation

/// The control values that the notes determine at one instant.
struct NoteState: Blendable, Equatable {
  var pitchSemitones: Double
  /// Deviation from the pitch: vibrato, bends and the manner of the onset.
  var expressionSemitones = 0.0
  var loudnessDb = 0.0
  /// Binary logarithm of the pulse shape.
  var logPulseShape: Double
  var aspirationDb: Double
  var jitterPercent: Double
  var shimmerPercent: Double
  var flutterCents: Double
  /// Share of the voice replaced by turbulence; 1 is a whisper.
  var whisper = 0.0

  func blended(with other: NoteState, share: Double) -> NoteState {
    NoteState(
      pitchSemitones: pitchSemitones + (other.pitchSemitones - pitchSemitones) * share,
      expressionSemitones: expressionSemitones
        + (other.expressionSemitones - expressionSemitones) * share,
      loudnessDb: loudnessDb + (other.loudnessDb - loudnessDb) * share,
      logPulseShape: logPulseShape + (other.logPulseShape - logPulseShape) * share,
      aspirationDb: aspirationDb + (other.aspirationDb - aspirationDb) * share,
      jitterPercent: jitterPercent + (other.jitterPercent - jitterPercent) * share,
      shimmerPercent: shimmerPercent + (other.shimmerPercent - shimmerPercent) * share,
      flutterCents: flutterCents + (other.flutterCents - flutterCents) * share,
      whisper: whisper + (other.whisper - whisper) * share)
  }
}

/// The notes joined into one continuous line.
struct NoteLine {
  private let notes: [Note]
  private let voice: Voice
  private var current = 0

  init(of notes: [Note], voice: Voice) {
    (self.notes, self.voice) = (notes, voice)
  }

  /// Returns the state at a time; call in ascending order.
  mutating func state(at seconds: Double) -> NoteState {
    guard !notes.isEmpty else { return rest }
    while current + 1 < notes.count {
      let change = transition(into: current + 1)
      guard seconds >= change.seconds - change.width / 2 else { break }
      current += 1
    }
    let here = state(of: notes[current], at: seconds)
    guard current > 0 else { return here }
    let change = transition(into: current)
    let share = ramp(seconds - change.seconds, over: change.width)
    guard share < 1 else { return here }
    return state(of: notes[current - 1], at: seconds).blended(with: here, share: share)
  }

  /// The time and width of the transition into a note. After a rest the transition is inaudible and
  /// a little early, so that voiced consonants before the note have its pitch.
  private func transition(into index: Int) -> (seconds: Double, width: Double) {
    let (before, note) = (notes[index - 1], notes[index])
    let gap = note.startSeconds - before.endSeconds
    if gap > 0.06 { return (note.startSeconds - min(gap / 2, 0.3), 0) }
    let width = min(note.glideMs / 1000, before.durationSeconds, note.durationSeconds)
    return (note.startSeconds, width)
  }

  private var rest: NoteState {
    NoteState(
      pitchSemitones: (voice.lowestSemitones + voice.highestSemitones) / 2,
      logPulseShape: log2(voice.phonation.pulseShape), aspirationDb: voice.phonation.aspirationDb,
      jitterPercent: 0, shimmerPercent: 0, flutterCents: 0)
  }

  private func state(of note: Note, at seconds: Double) -> NoteState {
    let phonation = note.phonation ?? voice.phonation
    let since = seconds - note.startSeconds
    let position = min(max(since / note.durationSeconds, 0), 1)
    let sway = vibratoSway(of: note, since: since)
    var state = NoteState(
      pitchSemitones: note.pitchSemitones,
      expressionSemitones: note.bend(at: position) + sway * note.vibrato.extentCents / 100,
      loudnessDb: note.dynamics.loudnessDb(at: position) + sway * note.vibrato.levelDb,
      logPulseShape: log2(phonation.pulseShape), aspirationDb: phonation.aspirationDb,
      jitterPercent: phonation.jitterPercent, shimmerPercent: phonation.shimmerPercent,
      flutterCents: phonation.flutterCents, whisper: phonation.isWhispered ? 1 : 0)
    state.begin(note.onset, share: 1 - ramp(since - note.onsetMs / 2000, over: note.onsetMs / 1000))
    // A louder voice closes its folds faster: its pulse shape is a third smaller for 10 dB.
    state.logPulseShape -= state.loudnessDb / 18
    return state
  }

  /// The vibrato's waveform, -1 to 1; 0 without vibrato.
  private func vibratoSway(of note: Note, since: Double) -> Double {
    let vibrato = note.vibrato
    guard vibrato.extentCents > 0 else { return 0 }
    let grow = vibrato.growMs / 1000
    let begun = ramp(since - vibrato.delayMs / 1000 - grow / 2, over: grow)
    let ended = ramp(since - note.durationSeconds + 0.05, over: 0.1)
    return begun * (1 - ended) * sin(2 * .pi * vibrato.rateHz * since)
  }
}

extension NoteState {
  /// Applies the manner of the onset, fully at a share of 1.
  fileprivate mutating func begin(_ onset: Onset, share: Double) {
    switch onset {
    case .plain: break
    case .breathy:
      loudnessDb -= 10 * share
      logPulseShape += 0.5 * share
      aspirationDb += min(18, -14 - aspirationDb) * share
    case .creaky:
      expressionSemitones -= 12 * share
      logPulseShape -= 0.7 * share
      loudnessDb -= 6 * share
      jitterPercent += 6 * share
      shimmerPercent += 15 * share
    case .hard:
      loudnessDb += 3 * share
      logPulseShape -= 0.4 * share
    }
  }
}

extension Note {
  fileprivate func bend(at position: Double) -> Double {
    guard let first = bend.first, let last = bend.last else { return 0 }
    if position <= first.position { return first.semitones }
    for (left, right) in zip(bend, bend.dropFirst()) where position <= right.position {
      let width = right.position - left.position
      let share = ramp((position - left.position) - width / 2, over: width)
      return left.semitones + (right.semitones - left.semitones) * share
    }
    return last.semitones
  }
}

extension Dynamics {
  fileprivate func loudnessDb(at position: Double) -> Double {
    position < peakPosition
      ? startDb + (peakDb - startDb) * ramp(position - peakPosition / 2, over: peakPosition)
      : peakDb + (endDb - peakDb)
        * ramp(position - (1 + peakPosition) / 2, over: 1 - peakPosition)
  }
}
