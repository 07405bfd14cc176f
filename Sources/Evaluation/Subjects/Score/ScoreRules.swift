import Music
import Platform

extension Score {
  /// Throws the first error of a score.
  public func check() throws(ScoreError) {
    do { try validate() } catch { throw ScoreError(problem: error.text) }
  }

  /// Throws the first fault: a value out of range, times out of order, too many notes.
  func validate() throws(YAMLProblem) {
    guard !id.isEmpty, id.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) else {
      throw fault(
        [.key(.id)],
        "the id '\(id)' must be letters, digits, '-', '_' and '.'; choose another, or rename the file of a score without an id"
      )
    }
    switch form {
    case .intervals(let intervals):
      try count(intervals, .key(.intervalsSemitones))
      for (index, interval) in intervals.enumerated() {
        try check(interval, in: -48...48, [.key(.intervalsSemitones), .index(index)])
      }
    case .degrees(let degrees, _):
      try count(degrees, .key(.degrees))
      for (index, degree) in degrees.enumerated()
      where degree == 0 || !Key.degrees.contains(degree) {
        throw fault([.key(.degrees), .index(index)], MusicError.degree(degree).description)
      }
    case .map(let map): try count(map.voices, .key(.map))
    case .tuned: break
    case .chords(let chords, let lowest):
      try validate(lowest)
      try ordered(chords.map(\.atSeconds), .key(.chords))
      try validateNotes(.key(.chords))
    case .progression(let timed, let lowest):
      try validate(lowest)
      try check(timed.endSeconds, in: Self.times, [.key(.progression)])
      try validateNotes(.key(.progression))
    case .pads(let pads, let pedal, let lowest):
      try validate(lowest)
      try validate(pads)
      try validate(pedal)
      try validateNotes(.key(.pads))
    case .notes(let actions):
      try validate(actions)
      try validateNotes(.key(.notes))
    case .sequence(let sequence):
      try check(sequence.durationSeconds, in: Self.times, [.key(.tempo)])
      try validateNotes(.key(sequence.pads.isEmpty ? .notes : .pads))
    case .midi(let file, let events):
      guard !events.isEmpty else {
        throw fault(
          [.key(.midi)],
          "\(file) plays no note that a voice can sing"
            + (notSung.isEmpty ? "" : " (not sung: \(notSung.joined(separator: "; ")))")
            + "; choose a file with notes")
      }
      try validateNotes(.key(.midi))
    }
  }

  private func validate(_ lowest: NoteNumber) throws(YAMLProblem) {
    let semitones = lowest.semitones
    guard semitones == semitones.rounded() else {
      throw fault([.key(.lowestNote)], "\(semitones) is between two keys; choose a key, such as C3")
    }
    try check(semitones, in: 12...96, [.key(.lowestNote)])
  }

  private func validate(_ pads: [PadPress]) throws(YAMLProblem) {
    for (index, pad) in pads.enumerated() {
      func place(_ name: String) -> [Place] { [.key(.pads), .index(index), .name(name)] }
      try check(pad.atSeconds, in: Self.times, place("atSeconds"))
      try check(pad.forSeconds, in: 0.001...Self.times.upperBound, place("forSeconds"))
      let strumMs = pad.strumMs ?? 0
      try check(strumMs, in: 0...VoiceAllocation.chordSeconds * 1000, place("strumMs"))
      guard strumMs / 1000 < pad.forSeconds else {
        throw fault(
          place("strumMs"),
          "is \(strumMs) ms, longer than the pad's \(pad.forSeconds) s; shorten the strum")
      }
    }
  }

  private func validate(_ pedal: [PedalPress]) throws(YAMLProblem) {
    for (index, press) in pedal.enumerated() {
      func place(_ name: String) -> [Place] { [.key(.pedal), .index(index), .name(name)] }
      try check(press.fromSeconds, in: Self.times, place("fromSeconds"))
      try check(press.toSeconds, in: Self.times, place("toSeconds"))
      guard press.fromSeconds < press.toSeconds else {
        throw fault(place("toSeconds"), "is not after fromSeconds; write when the pedal goes up")
      }
    }
    let starts = pedal.map(\.fromSeconds)
    for (index, before) in pedal.dropLast().enumerated() where before.toSeconds > starts[index + 1]
    {
      throw fault(
        [.key(.pedal), .index(index + 1)],
        "starts at \(starts[index + 1]) s, before the pedal goes up; let the presses not overlap")
    }
  }

  private func validate(_ actions: [NoteAction]) throws(YAMLProblem) {
    for (index, action) in actions.enumerated() {
      let place: [Place] = [.key(.notes), .index(index)]
      try check(action.atSeconds, in: Self.times, place + [.name("atSeconds")])
      if action.press == nil, action.release == nil, action.pedal == nil {
        throw fault(place, "has no action; write press, release or pedal")
      }
      if index > 0, action.atSeconds < actions[index - 1].atSeconds {
        throw fault(
          place, "\(action.atSeconds) s follows \(actions[index - 1].atSeconds) s; sort the times")
      }
    }
  }

  /// Checks the notes of all actions together.
  private func validateNotes(_ key: Place) throws(YAMLProblem) {
    let notes = HeldNote.held(by: events)
    guard !notes.isEmpty else { throw fault([key], "plays no note; add one") }
    if let wrong = notes.first(where: { !NoteNumber.range.contains($0.note.semitones) }) {
      throw fault([key], "the note \(wrong.note) is outside 0 to 127; choose a lower lowestNote")
    }
    do { _ = try VoiceAllocation(of: notes) } catch { throw fault([key], error.description) }
  }

  /// Ten hours, in seconds.
  private static let times = 0.0...36_000

  private func count(_ voices: [some Any], _ key: Place) throws(YAMLProblem) {
    guard (1...VoiceAllocation.voiceLimit).contains(voices.count) else {
      throw fault([key], "has \(voices.count) voices; write 1 to \(VoiceAllocation.voiceLimit)")
    }
  }

  private func ordered(_ times: [Double], _ key: Place) throws(YAMLProblem) {
    guard !times.isEmpty else { throw fault([key], "is empty; add an item") }
    for (index, time) in times.enumerated() {
      let place: [Place] = [key, .index(index), .name("atSeconds")]
      try check(time, in: Self.times, place)
      if index > 0, time <= times[index - 1] {
        throw fault(place, "\(time) is not after \(times[index - 1]); sort the times")
      }
    }
  }

  private func check(
    _ value: Double, in allowed: ClosedRange<Double>, _ place: [Place]
  ) throws(YAMLProblem) {
    guard allowed.contains(value) else {
      throw fault(place, "is \(value); choose \(allowed.lowerBound) to \(allowed.upperBound)")
    }
  }

  private func fault(_ place: [Place], _ problem: String) -> YAMLProblem {
    YAMLProblem(text: problem, place: place)
  }
}

extension Place {
  static func key(_ key: Score.CodingKeys) -> Place { name(key.rawValue) }
}
