import Harmonizer
import Music

/// The source of the lead's pitch for the harmonizer.
public enum LeadPitch: String, Codable, CaseIterable, Sendable {
  /// The harmonizer's own live tracker, as for a user.
  case live
  /// The evaluation's track, exact for synthetic singers: remaining errors are the engine's.
  case given
}

extension Score {
  /// Returns the choir for this score: one voice for each of the score's, each with its part.
  ///
  /// With a given lead pitch, the voices are set from outside (see `VoiceCues`). With a live one they
  /// follow degrees of the key or the score's notes (see `ScorePlayer`).
  public func choir(leadPitch: LeadPitch = .live) -> Harmonizer.Settings {
    var choir = Harmonizer.Settings(voices: voices(leadPitch))
    // A degree's interval is counted from the tone of the key nearest to the lead, and added to the
    // lead itself.
    choir.music.outOfKey = .parallel
    switch form {
    case .degrees(_, let key), .tuned(let key): choir.music.key = key
    case .chords(let changes, _): choir.music.chordTrack = ChordTrack(changes)
    case .progression(let timed, _): choir.music.chordTrack = ChordTrack(timed.changes)
    case .pads(let pads, let pedal, _):
      choir.music.chordTrack = ChordTrack(Self.chords(of: pads, pedal))
    case .sequence(let sequence):
      let whole = sequence.unrolled
      let pads = whole.pads.map { pad in
        let start = sequence.seconds(atBeats: pad.atBeats)
        return PadPress(
          atSeconds: start, chord: pad.chord,
          forSeconds: sequence.seconds(atBeats: pad.atBeats + pad.forBeats) - start)
      }
      let pedal = whole.pedal.map {
        PedalPress(
          fromSeconds: sequence.seconds(atBeats: $0.fromBeats),
          toSeconds: sequence.seconds(atBeats: $0.toBeats))
      }
      choir.music.chordTrack = ChordTrack(Self.chords(of: pads, pedal))
      choir.velocityShare = 1
    case .midi: choir.velocityShare = 1
    case .intervals, .map, .notes: break
    }
    return choir
  }

  /// Returns the chord of each pad until the release of the pad, or of the pedal that holds it.
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
}

extension ChordTrack {
  fileprivate init(_ changes: [ChordChange]) {
    self.init(changes.map { Entry(atSeconds: $0.atSeconds, $0.chord) })
  }
}
