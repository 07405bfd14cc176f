import Corpus
import Foundation
import Music

/// The words in which a command is told a score.
///
/// A program knows a score if its places hold everything that the targets follow from: the key of a
/// tuner, key and degrees of a harmonizer, the notes of a chord. Otherwise the score is refused.
struct ScoreText {
  typealias Place = CommandTemplate.Place
  typealias Numbered = CommandTemplate.NumberedPlace

  let score: Score
  let template: CommandTemplate

  // MARK: What a program is told

  /// True if the program is called once for each voice, which gives stems.
  var areOfOneVoice: Bool {
    if template.has(.voice) { return true }
    return switch score.form {
    case .intervals: template.has(.semitones) || template.has(.ratio) || template.has(.cents)
    case .degrees: template.has(.degree)
    case .chords, .progression, .pads, .notes, .sequence, .midi:
      template.has(.note) && score.heldNotes != nil
    case .tuned, .map: false
    }
  }

  /// The part of the score that the program is not told, and the place to add; `nil` if there is none.
  var gap: String? {
    let name = "the score '\(score.id)'"
    switch score.form {
    case .intervals(let intervals):
      // An effect leaves the pitch as it is.
      if intervals == [0], !template.slots.contains(where: \.dependsOnScore) { return nil }
      if template.has(.semitones) || template.has(.ratio) || template.has(.cents) { return nil }
      return gap(
        "the intervals of \(name)", .intervals, .interval, intervals.count, besides: [.semitones])
    case .degrees(let degrees, let key):
      if let gap = keyGap(key, name) { return gap }
      if template.has(.degree) { return nil }
      return gap("the degrees of \(name)", .degrees, .degree, degrees.count, besides: [.degree])
    case .tuned(let key): return keyGap(key, name)
    case .map:
      return template.has(.map)
        ? nil : "has no place for the map of \(name); add {map} to its command"
    case .chords, .progression, .pads, .notes, .sequence, .midi: return noteGap(name)
    }
  }

  private func noteGap(_ name: String) -> String? {
    if template.has(.midi) {
      guard score.isBetweenKeys, !template.has(.notes), !template.has(.note) else { return nil }
      return "{midi} can't tell the notes between two keys of \(name); add {notes} to its command"
    }
    if let held = score.heldNotes {
      if template.has(.note) || template.has(.chord) && score.firstChord != nil { return nil }
      return gap("the notes of \(name)", .notes, .note, held.count, besides: [.midi])
    }
    return template.has(.notes) || template.has(.note) || template.count(of: .note) > 0
      ? "has no place for the changing notes of \(name); add {midi} to its command"
      : "has no place for the notes of \(name); add {notes} or {midi} to its command"
  }

  /// Returns what is missing of a list of voices: a place for all, or one for each.
  private func gap(
    _ what: String, _ all: Place, _ each: Numbered, _ count: Int, besides others: [Place]
  ) -> String? {
    if template.has(all) { return nil }
    let found = template.count(of: each)
    if found >= count { return nil }
    guard found == 0 else {
      return "has places for \(found) of \(what), which are \(count); add "
        + "{\(each.name(found + 1))} to its command"
    }
    let ways = (others + [all]).map { "{\($0.rawValue)}" } + ["{\(each.name(1))}"]
    let effect =
      template.slots.contains(where: \.dependsOnScore)
      ? "" : "; if it is an effect, measure it by: choir-eval probe FILE --only effect"
    return "has no place for \(what); add \(ways.joined(separator: " or ")) to its command\(effect)"
  }

  /// Returns what is missing of a key.
  private func keyGap(_ key: Key, _ name: String) -> String? {
    if template.has(.tones) { return nil }
    let tones = Numbered.tone.numbers.map { Numbered.tone.name($0) }
    let missing = tones.filter { !template.places.contains($0) }
    if missing.isEmpty { return nil }
    let tonic = template.has(.key) || template.has(.keyNumber)
    if tonic, template.has(.scale) { return nil }
    let what = "of the key of \(name), \(key)"
    if missing.count < tones.count {
      return "has no place for some tones \(what); add "
        + missing.map { "{\($0)}" }.joined(separator: " and ") + " to its command"
    }
    if tonic { return "has no place for the scale \(what); add {scale} to its command" }
    if template.has(.scale) {
      return "has no place for the tonic \(what); add {key} or {keyNumber} to its command"
    }
    return "has no place for the tones \(what); add {key} and {scale}, {tones}, or {tone0} to "
      + "{tone11} to its command"
  }

  /// A place that the score has no text for, and the way out; `nil` if all places can be filled.
  var emptyPlace: String? {
    let known = Set(values.keys).union(areOfOneVoice ? Array(values(ofVoice: 0).keys) : [])
    let empty = template.slots.first {
      $0.dependsOnScore && $0.text(known.contains($0.name) ? "1" : nil) == nil
    }
    guard let empty else { return nil }
    let word = empty.isTone ? "{\(empty.name):0,1,WORD}" : "{\(empty.name):WORD}"
    return "has {\(empty.name)}, which the score '\(score.id)' has nothing for; write \(word) with "
      + "the word to use then, or choose another score"
  }

  // MARK: The words

  /// The values by place, but those of one voice.
  var values: [String: String] {
    var values: [String: String] = ["score": score.id]
    func list(_ texts: [String], _ all: Place, _ each: Numbered) {
      values[all.rawValue] = texts.joined(separator: ",")
      for (index, text) in texts.enumerated() { values[each.name(index + 1)] = text }
    }
    switch score.form {
    case .intervals(let intervals): list(intervals.map(Self.number), .intervals, .interval)
    case .degrees(let degrees, let key):
      list(degrees.map(String.init), .degrees, .degree)
      values.merge(Self.values(of: key)) { $1 }
    case .tuned(let key): values.merge(Self.values(of: key)) { $1 }
    case .map(let map): values["map"] = map.description
    case .progression(let timed, _):
      if let key = timed.progression.key { values.merge(Self.values(of: key)) { $1 } }
    case .chords, .pads, .notes, .sequence, .midi: break
    }
    values["chord"] = score.firstChord?.description
    if let notes = score.heldNotes { list(notes.map { Self.number($0.semitones) }, .notes, .note) }
    // The file is written at each call.
    if !score.events.isEmpty { values["midi"] = "" }
    return values
  }

  /// The values of the places of one voice, counted from 0.
  func values(ofVoice voice: Int) -> [String: String] {
    var values = ["voice": "\(voice + 1)"]
    switch score.form {
    case .intervals(let intervals):
      values["semitones"] = Self.number(intervals[voice])
      values["cents"] = Self.number(intervals[voice] * 100)
      values["ratio"] = String(format: "%.9f", exp2(intervals[voice] / 12))
    case .degrees(let degrees, _): values["degree"] = "\(degrees[voice])"
    case .chords, .progression, .pads, .notes, .sequence, .midi:
      // Voices take the notes of a chord from the lowest up.
      let notes = score.heldNotes?.sorted() ?? []
      if notes.indices.contains(voice) { values["note"] = Self.number(notes[voice].semitones) }
    case .tuned, .map: break
    }
    return values
  }

  private static func values(of key: Key) -> [String: String] {
    let tones = Numbered.tone.numbers.filter { key.tones.contains($0) }
    var values = [
      "key": "\(key.spelledTonic)", "keyNumber": "\(key.tonic.semitones)", "scale": key.scale.name,
      "tones": tones.map(String.init).joined(separator: ","),
    ]
    for tone in Numbered.tone.numbers {
      values[Numbered.tone.name(tone)] = key.tones.contains(tone) ? "1" : "0"
    }
    return values
  }

  private static func number(_ value: Double) -> String { SettingValue.number(value).description }
}

extension Score {
  /// The first named chord; `nil` for scores without names of chords.
  fileprivate var firstChord: Chord? {
    switch form {
    case .chords(let changes, _): changes.lazy.compactMap(\.chord).first
    case .progression(let timed, _): timed.changes.lazy.compactMap(\.chord).first
    case .pads(let pads, _, _): pads.min { $0.atSeconds < $1.atSeconds }?.chord
    case .sequence(let sequence): sequence.pads.min { $0.atBeats < $1.atBeats }?.chord
    case .intervals, .degrees, .map, .tuned, .notes, .midi: nil
    }
  }

  /// True if a note lies between two keys.
  fileprivate var isBetweenKeys: Bool {
    events.contains { event in
      if case .press(let note, _) = event.action {
        note.semitones != note.semitones.rounded()
      } else {
        false
      }
    }
  }
}

extension LeadMap: CustomStringConvertible {
  /// The map as it is parsed, with every note: `C:4,7;C#:-,-;…`.
  public var description: String {
    (0..<12).map { tone in
      let intervals = voices.map { voice in voice[tone].map(String.init) ?? "-" }
      return "\(PitchClass(tone).name()):\(intervals.joined(separator: ","))"
    }.joined(separator: ";")
  }
}
