import Music
import Platform

extension Score {
  /// An error at one place of a score.
  struct Fault: Error {
    /// Keys and indices from the score down.
    var path: [Place]
    var problem: String

    /// The problem behind its place.
    var located: YAMLProblem {
      let steps = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
      return YAMLProblem(text: "\(YAMLProblem.written(steps)): \(problem)", place: path)
    }
  }

  /// Throws the first error of a score.
  public func check() throws(ScoreError) {
    do { try validate() } catch { throw ScoreError(problem: error.problem) }
  }

  /// Throws the first fault: a value out of range, times out of order, too many notes.
  func validate() throws(Fault) {
    guard !id.isEmpty, id.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) else {
      throw fault(
        [.id], "the id '\(id)' must be letters, digits, '-', '_' and '.'; rename the score")
    }
    switch form {
    case .intervals(let intervals):
      try count(intervals, .intervalsSemitones)
      for (index, interval) in intervals.enumerated() {
        try check(interval, in: -48...48, [.intervalsSemitones, .index(index)])
      }
    case .degrees(let degrees, _):
      try count(degrees, .degrees)
      for (index, degree) in degrees.enumerated()
      where degree == 0 || !Key.degrees.contains(degree) {
        throw fault([.degrees, .index(index)], MusicError.degree(degree).description)
      }
    case .map(let map): try count(map.voices, .map)
    case .tuned: break
    case .chords(let chords, let lowest):
      try validate(lowest)
      try ordered(chords.map(\.atSeconds), .chords)
      try validateNotes(.chords)
    case .progression(let timed, let lowest):
      try validate(lowest)
      try check(timed.endSeconds, in: Self.times, [.progression])
      try validateNotes(.progression)
    case .pads(let pads, let pedal, let lowest):
      try validate(lowest)
      try validate(pads)
      try validate(pedal)
      try validateNotes(.pads)
    case .notes(let actions):
      try validate(actions)
      try validateNotes(.notes)
    case .midi(let file, let events):
      guard !events.isEmpty else {
        throw fault(
          [.midi],
          "\(file) plays no note that a voice can sing"
            + (notSung.isEmpty ? "" : " (not sung: \(notSung.joined(separator: "; ")))")
            + "; choose a file with notes")
      }
      try validateNotes(.midi)
    }
  }

  private func validate(_ lowest: NoteNumber) throws(Fault) {
    let semitones = lowest.semitones
    guard semitones == semitones.rounded() else {
      throw fault([.lowestNote], "\(semitones) is between two keys; choose a key, such as C3")
    }
    try check(semitones, in: 12...96, [.lowestNote])
  }

  private func validate(_ pads: [PadPress]) throws(Fault) {
    for (index, pad) in pads.enumerated() {
      func place(_ name: String) -> [Place] { [.pads, .index(index), .name(name)] }
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

  private func validate(_ pedal: [PedalPress]) throws(Fault) {
    for (index, press) in pedal.enumerated() {
      func place(_ name: String) -> [Place] { [.pedal, .index(index), .name(name)] }
      try check(press.fromSeconds, in: Self.times, place("fromSeconds"))
      try check(press.toSeconds, in: Self.times, place("toSeconds"))
      guard press.fromSeconds < press.toSeconds else {
        throw fault(
          place("toSeconds"), "is not after fromSeconds; write when the pedal goes up")
      }
    }
    let starts = pedal.map(\.fromSeconds)
    for (index, before) in pedal.dropLast().enumerated() where before.toSeconds > starts[index + 1]
    {
      throw fault(
        [.pedal, .index(index + 1)],
        "starts at \(starts[index + 1]) s, before the pedal goes up; let the presses not overlap")
    }
  }

  private func validate(_ actions: [NoteAction]) throws(Fault) {
    for (index, action) in actions.enumerated() {
      let place: [Place] = [.notes, .index(index)]
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
  private func validateNotes(_ key: Place) throws(Fault) {
    let notes = HeldNote.held(by: events)
    guard !notes.isEmpty else { throw fault([key], "plays no note; add one") }
    if let wrong = notes.first(where: { !NoteNumber.range.contains($0.note.semitones) }) {
      throw fault([key], "the note \(wrong.note) is outside 0 to 127; choose a lower lowestNote")
    }
    do { _ = try VoiceAllocation(of: notes) } catch { throw fault([key], error.description) }
  }

  /// Ten hours, in seconds.
  private static let times = 0.0...36_000

  private func count(_ voices: [some Any], _ key: Place) throws(Fault) {
    guard (1...VoiceAllocation.voiceLimit).contains(voices.count) else {
      throw fault([key], "has \(voices.count) voices; write 1 to \(VoiceAllocation.voiceLimit)")
    }
  }

  private func ordered(_ times: [Double], _ key: Place) throws(Fault) {
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
  ) throws(Fault) {
    guard allowed.contains(value) else {
      throw fault(place, "is \(value); choose \(allowed.lowerBound) to \(allowed.upperBound)")
    }
  }

  private func fault(_ place: [Place], _ problem: String) -> Fault {
    Fault(path: place, problem: problem)
  }
}

extension Place {
  private static func key(_ key: Score.CodingKeys) -> Place { name(key.rawValue) }
  static let (id, intervalsSemitones, degrees) = (key(.id), key(.intervalsSemitones), key(.degrees))
  static let (chords, pads, pedal, notes) = (key(.chords), key(.pads), key(.pedal), key(.notes))
  static let (map, midi, lowestNote) = (key(.map), key(.midi), key(.lowestNote))
  static let progression = key(.progression)
}
