import Corpus
import Files
import Foundation
import Music

/// What the choir is to sing against the lead.
///
/// Written in YAML, in a file of `Corpus/scores` or inside a plan; `docs/reference/scores.md` shows each
/// form.
public struct Score: Equatable, Sendable {
  public var id: String
  /// For people.
  public var title: String?
  public var form: Form
  /// What its MIDI file asks for that no voice can do, in words.
  public var notSung: [String] = []

  /// What says which notes the voices sing.
  public enum Form: Equatable, Sendable {
    /// One voice each, in semitones above the lead; negative is below.
    case intervals([Double])
    /// One voice each, by steps of a key: 3 is a third above the lead, -3 one below.
    case degrees([Int], of: Key)
    /// By a map from each note that the lead may be on to one interval for each voice.
    case map(LeadMap)
    /// One voice on whichever tone of a key the lead is nearest to: what a tuner should sing.
    case tuned(Key)
    /// Chords by name, each until the next; the first chord tone at or above a note is the lowest.
    case chords([ChordChange], lowest: NoteNumber)
    /// Chords by name, pressed and released as on the pads of a controller.
    case pads([PadPress], pedal: [PedalPress], lowest: NoteNumber)
    /// Single notes, pressed and released.
    case notes([NoteAction])
    /// What a MIDI file plays; the events are the file's.
    case midi(file: String, events: [ScoreEvent])
  }

  public init(id: String, title: String? = nil, _ form: Form) {
    (self.id, self.title, self.form) = (id, title, form)
  }

  public init(id: String, intervalsSemitones: [Double]) {
    self.init(id: id, .intervals(intervalsSemitones))
  }

  /// How many voices it takes.
  public var voiceCount: Int {
    switch form {
    case .intervals(let intervals): intervals.count
    case .degrees(let degrees, _): degrees.count
    case .map(let map): map.voices.count
    case .tuned: 1
    case .chords, .pads, .notes, .midi:
      (try? VoiceAllocation(of: HeldNote.held(by: events)))?.voices.count ?? 0
    }
  }

  /// The one spelling of all that it says.
  package var canonical: String {
    // Every number in it is finite, so that it always has one.
    String(decoding: try! JSONEncoder.canonical.encode(self), as: UTF8.self)
  }

  /// A short name of each voice for tables: `+4`, `degree 3`, `voice 1`.
  public var voiceLabels: [String] {
    switch form {
    case .intervals(let intervals):
      intervals.map { ($0 > 0 ? "+" : "") + SettingValue.number($0).description }
    case .degrees(let degrees, _): degrees.map { "degree \($0)" }
    case .tuned: ["tuned"]
    case .map, .chords, .pads, .notes, .midi: (0..<voiceCount).map { "voice \($0 + 1)" }
    }
  }
}

/// The YAML and JSON of a score: its form is known by the key that only it has.
extension Score: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, title, intervalsSemitones, key, degrees, map, tuned, chords, pads, pedal, notes, midi
    case events, lowestNote, notSung
  }

  /// Chords begin at C3 unless a score says otherwise.
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
    case .pads(let pads, let pedal, let lowest):
      try container.encode(pads, forKey: .pads)
      try container.encode(pedal, forKey: .pedal)
      try container.encode(lowest, forKey: .lowestNote)
    case .notes(let actions): try container.encode(actions, forKey: .notes)
    case .midi(let file, let events):
      try container.encode(file, forKey: .midi)
      try container.encode(events, forKey: .events)
      if !notSung.isEmpty { try container.encode(notSung, forKey: .notSung) }
    }
  }
}
