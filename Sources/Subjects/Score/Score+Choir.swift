import AudioFile
import Harmonizer
import Music

extension Score {
  /// The choir that sings this score: a voice for each that it takes, each on its part.
  ///
  /// Where the lead's pitch is given, voices are moved from outside (see `VoiceCues`); where it is
  /// live they go by degrees of the key or by the notes that they are told (see `ScoreNotes`).
  public func choir(leadPitch: LeadPitch = .live) -> Harmonizer.Settings {
    var choir = Harmonizer.Settings(voices: voices(leadPitch))
    // A score's degrees are as far from the lead as from the tone of the key that it is nearest to.
    choir.music.outOfKey = .parallel
    switch form {
    case .degrees(_, let key), .tuned(let key): choir.music.key = key
    case .chords(let changes, _):
      choir.music.chordTrack = ChordTrack(
        changes.map { .init(atSeconds: $0.atSeconds, $0.chord) })
    case .pads(let pads, let pedal, _):
      choir.music.chordTrack = ChordTrack(Self.chords(of: pads, pedal))
    // Velocities are MIDI's; other forms have none.
    case .midi: choir.velocityShare = 1
    case .intervals, .map, .notes: break
    }
    return choir
  }

  /// The chord of each pad until it is let go, or the pedal that holds it.
  private static func chords(of pads: [PadPress], _ pedal: [PedalPress]) -> [ChordTrack.Entry] {
    let rising = pads.sorted { $0.atSeconds < $1.atSeconds }
    var entries: [ChordTrack.Entry] = []
    var end = 0.0
    for (index, pad) in rising.enumerated() {
      let release = pad.atSeconds + pad.forSeconds
      let holding = pedal.first { $0.fromSeconds <= release && release < $0.toSeconds }
      end = max(end, holding?.toSeconds ?? release)
      entries.append(.init(atSeconds: pad.atSeconds, pad.chord))
      let next = index + 1 < rising.count ? rising[index + 1].atSeconds : .infinity
      if end < next { entries.append(.init(atSeconds: end, nil)) }
    }
    return entries
  }

  private func voices(_ leadPitch: LeadPitch) -> [Harmonizer.Voice] {
    switch (form, leadPitch) {
    case (.intervals(let intervals), _): intervals.map { .init(intervalSemitones: $0) }
    case (.degrees(let degrees, _), .live): degrees.map { .init(.degree($0)) }
    case (.degrees(let degrees, _), .given): degrees.map { _ in .init(intervalSemitones: 0) }
    case (.map(let map), .live): map.voices.map { .init(.map(semitones: $0)) }
    case (.map(let map), .given): map.voices.map { _ in .init(intervalSemitones: 0) }
    case (.tuned, .live): [.init(.degree(1), leadShare: 0)]
    case (_, .live): (0..<voiceCount).map { _ in .init(.explicit) }
    case (_, .given): (0..<voiceCount).map { _ in .init(intervalSemitones: 0, gain: 0) }
    }
  }

  /// A score that a MIDI file plays.
  public init(playing path: String) throws {
    let file = try MIDIFile(reading: path)
    self.init(id: "midi", .midi(file: path, events: ScoreEvent.events(of: file)))
    notSung = file.played().unsung.map(\.description)
  }

  /// Throws the first thing in it that can't be sung.
  public func check() throws(ScoreError) {
    do { try validate() } catch { throw ScoreError(problem: error.problem) }
  }
}
