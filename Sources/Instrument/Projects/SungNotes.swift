import Analyzer
import AudioFile
import DSP
import Harmonizer
import Music

/// The notes that the voices of a choir sang, read from its truth log.
///
/// A note begins where a voice's target comes nearest to another key, or where the voice starts to
/// sound, and ends likewise. Vibrato and drift stay within a note; anything shorter than `minNoteMs`,
/// such as the keys that a glide passes, belongs to the note before. A voice at a fixed interval has no
/// target of its own, so its notes are the tracked pitch of the lead plus the interval.
public struct SungNotes {
  /// A note of one voice.
  struct Note: Equatable {
    var voice: Int
    var key: Int
    var fromSeconds: Double
    var toSeconds: Double
    /// That of the largest gain, of which 127 is 1.
    var velocity: Int
  }

  /// Notes in order of voice and time.
  let notes: [Note]
  let voiceCount: Int

  static let minNoteMs = 50.0
  /// Distance from a key at which the note changes; half a semitone would flicker between two keys.
  private static let hysteresisSemitones = 0.6
  /// Levels below -60 dB are silence.
  private static let silentGain = 0.001

  /// - Parameter lead: the sound that the choir followed.
  public init(of log: TruthLog, lead: Signal) {
    let rateHz = log.sampleRateHz ?? lead.sampleRateHz
    voiceCount = log.blocks.first?.voices.count ?? 0
    let needsLead = log.blocks.contains { block in
      block.voices.contains { $0.targetHz == nil && $0.leadIsVoiced == nil }
    }
    let track = needsLead ? PitchTracker.standard.track(lead) : nil
    let late = Double(log.latencySamples ?? 0) / rateHz
    var found: [Note] = []
    for voice in 0..<voiceCount {
      var runs: [Note] = []
      for block in log.blocks {
        let entry = block.voices[voice]
        let seconds = Double(block.startSample) / rateHz
        // Blocks are those of the output; the lead in them is older.
        let semitones = Self.semitones(of: entry, leadHz: track?.f0Hz(atSeconds: seconds - late))
        Self.extend(&runs, voice, semitones, entry.gain, at: seconds)
      }
      let end = late + Double(lead.count) / rateHz
      if let last = runs.indices.last, runs[last].toSeconds.isInfinite {
        runs[last].toSeconds = end
      }
      found += Self.joined(runs)
    }
    notes = found
  }

  /// The pitch of a voice as a fractional key; `nil` where it is silent or has none.
  private static func semitones(of entry: TruthLog.Entry, leadHz: Double?) -> Double? {
    guard entry.gain > silentGain else { return nil }
    if let hz = entry.targetHz { return NoteNumber(hz: hz).semitones }
    guard entry.leadIsVoiced == nil, let leadHz, leadHz > 0 else { return nil }
    return NoteNumber(hz: leadHz).semitones + entry.intervalSemitones
  }

  /// Continues the last run of one key, or ends it and begins another.
  private static func extend(
    _ runs: inout [Note], _ voice: Int, _ semitones: Double?, _ gain: Double, at seconds: Double
  ) {
    let open = runs.indices.last.flatMap { runs[$0].toSeconds.isInfinite ? $0 : nil }
    // An attack rises over several blocks.
    let velocity = min(127, max(1, Int((gain * 127).rounded())))
    if let open, let semitones, abs(semitones - Double(runs[open].key)) <= hysteresisSemitones {
      runs[open].velocity = max(runs[open].velocity, velocity)
      return
    }
    if let open { runs[open].toSeconds = seconds }
    guard let semitones else { return }
    let key = Int(semitones.rounded())
    guard (0...127).contains(key) else { return }
    runs.append(
      Note(voice: voice, key: key, fromSeconds: seconds, toSeconds: .infinity, velocity: velocity))
  }

  /// Gives runs that are too short to the note before, and joins neighbours of one key.
  private static func joined(_ runs: [Note]) -> [Note] {
    var notes: [Note] = []
    for run in runs {
      let touches = notes.last.map { run.fromSeconds - $0.toSeconds < minNoteMs / 1000 } ?? false
      let isShort = run.toSeconds - run.fromSeconds < minNoteMs / 1000
      if touches, isShort || notes[notes.count - 1].key == run.key {
        notes[notes.count - 1].toSeconds = run.toSeconds
      } else if !isShort {
        notes.append(run)
      }
    }
    return notes
  }

  /// The notes as a file of format 1: one track and one channel for each voice, at 120 beats a minute.
  /// Channel 10 is that of drums in General MIDI and stays free.
  public var midi: MIDIFile {
    let ticksPerSecond = 10_000.0
    func tick(_ seconds: Double) -> Int { Int((seconds * ticksPerSecond).rounded()) }
    let tracks = (0..<voiceCount).map { voice in
      var events = [
        MIDIFile.TimedEvent(0, .trackName("voice \(voice + 1)")),
        MIDIFile.TimedEvent(0, .tempo(microsecondsPerQuarter: 500_000)),
      ]
      for note in notes where note.voice == voice {
        let channel = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15][voice % 15]
        events.append(
          .init(
            tick(note.fromSeconds),
            .noteOn(channel: channel, key: note.key, velocity: note.velocity)))
        events.append(
          .init(tick(note.toSeconds), .noteOff(channel: channel, key: note.key, velocity: 64)))
      }
      return MIDIFile.Track(events)
    }
    return MIDIFile(division: .ticksPerQuarter(5000), tracks: tracks)
  }
}
