import Corpus
import Foundation
import Music
import Platform

/// The parts of the choir's voices against the lead.
///
/// A score is written in YAML, in a file of `Corpus/scores` or inside a plan;
/// `docs/reference/plans.md#scores` shows each form.
public struct Score: Equatable, Sendable {
  public var id: String
  /// A description for readers.
  public var title: String?
  public var form: Form
  /// The contents of its MIDI file that no voice can sing, in words.
  public var notSung: [String] = []

  /// The way in which a score specifies the voices' notes.
  public enum Form: Equatable, Sendable {
    /// One interval for each voice, in semitones above the lead; negative is below.
    case intervals([Double])
    /// One degree of a key for each voice: 3 is a third above the lead, -3 a third below.
    case degrees([Int], of: Key)
    /// A map from each note of the lead to one interval for each voice.
    case map(LeadMap)
    /// One voice on the tone of a key nearest to the lead: the target of a tuner.
    case tuned(Key)
    /// Named chords, each until the next. The lowest voice sings the first chord tone from `lowest` up.
    case chords([ChordChange], lowest: NoteNumber)
    /// Chords in bars at a tempo, each until the next.
    case progression(TimedProgression, lowest: NoteNumber)
    /// Named chords, pressed and released as on the pads of a controller.
    case pads([PadPress], pedal: [PedalPress], lowest: NoteNumber)
    /// Single notes, pressed and released.
    case notes([NoteAction])
    /// Notes and chords in beats, with a tempo, swing and a loop.
    case sequence(NoteSequence)
    /// A MIDI file and its events.
    case midi(file: String, events: [ScoreEvent])
  }

  public init(id: String, title: String? = nil, _ form: Form) {
    (self.id, self.title, self.form) = (id, title, form)
  }

  public init(id: String, intervalsSemitones: [Double]) {
    self.init(id: id, .intervals(intervalsSemitones))
  }

  /// Number of voices.
  public var voiceCount: Int {
    switch form {
    case .intervals(let intervals): intervals.count
    case .degrees(let degrees, _): degrees.count
    case .map(let map): map.voices.count
    case .tuned: 1
    case .chords, .progression, .pads, .notes, .sequence, .midi:
      (try? VoiceAllocation(of: HeldNote.held(by: events)))?.voices.count ?? 0
    }
  }

  /// Canonical JSON of its content, for keys and digests.
  package var canonical: String {
    // All its numbers are finite, so encoding does not fail.
    try! JSONEncoder.canonical.text(self)
  }

  /// A short name of each voice for tables: `+4`, `degree 3`, `voice 1`. The second of two that sing
  /// alike is `+4 (2)`.
  public var voiceLabels: [String] {
    var counts: [String: Int] = [:]
    return voiceNames.map { name in
      counts[name, default: 0] += 1
      return counts[name] == 1 ? name : "\(name) (\(counts[name]!))"
    }
  }

  private var voiceNames: [String] {
    switch form {
    case .intervals(let intervals):
      intervals.map { ($0 > 0 ? "+" : "") + SettingValue.number($0).description }
    case .degrees(let degrees, _): degrees.map { "degree \($0)" }
    case .tuned: ["tuned"]
    case .map, .chords, .progression, .pads, .notes, .sequence, .midi:
      (0..<voiceCount).map { "voice \($0 + 1)" }
    }
  }

  /// Returns labels of voices in a sentence: `voice +4`, `voices 1, 2`.
  public static func words(forVoices labels: [String]) -> String {
    let names = labels.map { $0.hasPrefix("voice ") ? String($0.dropFirst("voice ".count)) : $0 }
    return (names.count == 1 ? "voice " : "voices ") + names.joined(separator: ", ")
  }

  /// Returns the label of a voice in a sentence.
  public static func words(forVoice label: String) -> String { words(forVoices: [label]) }
}

/// The YAML and JSON of a score; each form has a key of its own.
extension Score: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, title, intervalsSemitones, key, degrees, map, tuned, chords, progression, pads, pedal
    case notes, midi, tempo, timeSignature, swing, loop, events, lowestNote, notSung
  }

  /// The default of `lowestNote`: C3.
  private static let lowestNote = NoteNumber(48)

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    title = try container.decodeIfPresent(String.self, forKey: .title)
    let lowest =
      try container.decodeIfPresent(NoteNumber.self, forKey: .lowestNote) ?? Self.lowestNote
    if container.contains(.intervalsSemitones) {
      form = .intervals(try container.decode([Double].self, forKey: .intervalsSemitones))
    } else if container.contains(.degrees) {
      form = .degrees(
        try container.decode([Int].self, forKey: .degrees),
        of: try container.decode(Key.self, forKey: .key))
    } else if container.contains(.map) {
      form = .map(try container.decode(LeadMap.self, forKey: .map))
    } else if container.contains(.tuned) {
      form = .tuned(try container.decode(Key.self, forKey: .tuned))
    } else if container.contains(.chords) {
      form = .chords(try container.decode([ChordChange].self, forKey: .chords), lowest: lowest)
    } else if container.contains(.progression) {
      form = .progression(try TimedProgression(from: container), lowest: lowest)
    } else if container.contains(.tempo) {
      form = .sequence(try NoteSequence(from: decoder))
    } else if container.contains(.pads) {
      form = .pads(
        try container.decode([PadPress].self, forKey: .pads),
        pedal: try container.decodeIfPresent([PedalPress].self, forKey: .pedal) ?? [],
        lowest: lowest)
    } else if container.contains(.notes) {
      form = .notes(try container.decode([NoteAction].self, forKey: .notes))
    } else {
      form = .midi(
        file: try container.decode(String.self, forKey: .midi),
        events: try container.decodeIfPresent([ScoreEvent].self, forKey: .events) ?? [])
      notSung = try container.decodeIfPresent([String].self, forKey: .notSung) ?? []
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encodeIfPresent(title, forKey: .title)
    switch form {
    case .intervals(let intervals): try container.encode(intervals, forKey: .intervalsSemitones)
    case .degrees(let degrees, let key):
      try container.encode(degrees, forKey: .degrees)
      try container.encode(key, forKey: .key)
    case .map(let map): try container.encode(map, forKey: .map)
    case .tuned(let key): try container.encode(key, forKey: .tuned)
    case .chords(let chords, let lowest):
      try container.encode(chords, forKey: .chords)
      try container.encode(lowest, forKey: .lowestNote)
    case .progression(let timed, let lowest):
      try container.encode(timed.progression.description, forKey: .progression)
      try container.encodeIfPresent(timed.progression.key, forKey: .key)
      try container.encode(timed.tempo, forKey: .tempo)
      try container.encode(timed.timeSignature, forKey: .timeSignature)
      try container.encode(lowest, forKey: .lowestNote)
    case .pads(let pads, let pedal, let lowest):
      try container.encode(pads, forKey: .pads)
      try container.encode(pedal, forKey: .pedal)
      try container.encode(lowest, forKey: .lowestNote)
    case .notes(let actions): try container.encode(actions, forKey: .notes)
    case .sequence(let sequence): try sequence.encode(to: encoder)
    case .midi(let file, let events):
      try container.encode(file, forKey: .midi)
      try container.encode(events, forKey: .events)
      if !notSung.isEmpty { try container.encode(notSung, forKey: .notSung) }
    }
  }
}

extension TimedProgression {
  fileprivate init(from container: KeyedDecodingContainer<Score.CodingKeys>) throws {
    let text = try container.decode(String.self, forKey: .progression)
    let key = try container.decodeIfPresent(Key.self, forKey: .key)
    let progression: ChordProgression
    do { progression = try ChordProgression(named: text, in: key) } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .progression, in: container, debugDescription: error.description)
    }
    self.init(
      progression, tempo: try container.decode(TempoMap.self, forKey: .tempo),
      timeSignature: try container.decodeIfPresent(TimeSignature.self, forKey: .timeSignature)
        ?? .common)
  }
}
