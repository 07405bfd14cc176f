import ArgumentParser
import AudioFile
import CommandSupport
import DSP
import Foundation
import Instrument
import Music
import Subjects

/// Names the chord of notes or of sound, spells the chords of a progression or of a key, and plays them.
struct Chords: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Name the chord of notes or of live sound, list the chords of a key, and play them.",
    discussion: """
      Use it to find out what a pad plays, or to check a progression before it is sung. With --key, \
      names are spelled in that key and have a Roman numeral, which ignores a chord's inversion.

        choir chords E4,G4,C5
        choir chords D4,F#4,A4,C5 --key "G major"
        choir chords --progression "I vi ii V" --key "C major"
        choir chords --progression "C:maj7 | A:min7 | D:min7 G:7"

      --key alone lists the triads and the seventh chords of a key of seven tones. --play writes the \
      sound: of a key first its scale, then its chords.

        choir chords --key "A harmonic minor"
        choir chords --key "C 101101010110" --play scale.wav

      --play scale.mid writes a MIDI file, which choir project add --sequence keeps. --from names each \
      chord of an instrument as it sounds, within a second of its start; with --want it asks for chords \
      one after another, says right or wrong, and times the answers.

        choir chords --from jack
        choir chords --from jack --want G,C,D7
        ffmpeg -v error -i take.flac -ac 1 -ar 48000 -f f32le - | choir chords --from -

      Notes may form several chords; the most plausible one comes first. The exit code is 1 if they \
      form none, or if wanted chords are left.
      """)

  @Argument(help: "Notes, such as C4,E4,G4; the lowest is the bass.") var notes: [String] = []
  @Option(help: "Chords in bars, by name or by Roman numeral, as harmonize takes them.")
  var progression: String?
  @Option(help: "Key of the Roman numerals, such as 'C major'; alone, the key to list.")
  var key: String?
  @Option(help: "Lowest note of --progression, --key and --play; default: C3.")
  var lowestNote: String?
  @Option(
    help: "File for the chords, one each half second: sound, or MIDI by the ending .mid.",
    completion: .sound) var play: String?
  @OptionGroup(title: "Live sound") var input: SoundInput
  @Option(help: "Chords to be played one after another into --from, comma-separated.")
  var want: String?
  @OptionGroup var overwriting: Overwriting
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard input.from == nil else {
      guard notes.isEmpty, progression == nil, key == nil, play == nil, lowestNote == nil else {
        throw ValidationError(
          "--from names the chords of sound; leave notes and other options out.")
      }
      _ = try wanted()
      return
    }
    guard want == nil else {
      throw ValidationError("--want is for sound that comes in; add --from jack or --from -.")
    }
    guard notes.isEmpty || progression == nil, !notes.isEmpty || progression != nil || key != nil
    else {
      throw ValidationError("Give either notes, such as C4,E4,G4, --progression, --key or --from.")
    }
    guard lowestNote == nil || notes.isEmpty else {
      throw ValidationError("--lowest-note is for --progression and --key; leave it out.")
    }
    _ = try answer()
  }

  private func wanted() throws -> [Chord] {
    try want?.split(separator: ",").map { name in
      try named("--want") { try Chord(named: name.trimmingCharacters(in: .whitespaces)) }
    } ?? []
  }

  private func recognize() throws {
    let wanted = try wanted()
    var played: PlayedChords?
    if let first = wanted.first, !json { print("play \(first)") }
    let failure = try input.receive { rateHz in
      played = PlayedChords(wanting: wanted, sampleRateHz: rateHz)
      return { samples in
        let lines = played?.receive(samples) ?? []
        if !json, !lines.isEmpty { print(lines.joined(separator: "\n")) }
        fflush(nil)
        return wanted.isEmpty || played?.isComplete == false
      }
    }
    if let played {
      if json {
        print(try JSON.text(played.json))
      } else if let line = played.summary {
        print(line)
      }
    }
    if let failure { throw failure }
    guard wanted.isEmpty || played?.isComplete == true else { throw ExitCode(1) }
  }

  func run() throws {
    guard input.from == nil else { return try recognize() }
    let answer = try answer()
    guard !answer.chords.isEmpty || answer.scale != nil else {
      Terminal.printError(
        "no chord has the notes \(notes.joined(separator: " ")); add or remove a note")
      throw ExitCode(1)
    }
    if let play {
      var outputs = OutputFiles(reading: [], force: overwriting.force)
      try outputs.claim(play)
      let events = try score(of: answer).events
      if play.lowercased().hasSuffix(".mid") {
        try MIDIFile(playing: events).write(to: play)
      } else {
        try AudioFile(PlayedKeys.tone().sound(playing: events)).write(to: play)
      }
    }
    if json { return print(try JSON.text(answer)) }
    print(answer.table)
  }

  /// Seconds from one note or chord to the next.
  private static let stepSeconds = 0.5

  private func score(of answer: Answer) throws -> Score {
    // The most plausible chord names given notes, which are played as they are.
    let named = notes.isEmpty ? answer.chords.map(\.notes) : [noteNames.map { "\($0)" }]
    let scale = answer.scale?.map { [$0] } ?? []
    let actions = try (scale + named).enumerated().flatMap { index, names in
      let keys = try names.map { try NoteNumber(named: $0) }
      let start = Self.stepSeconds * Double(index)
      return [
        NoteAction(atSeconds: start, press: keys),
        NoteAction(atSeconds: start + Self.stepSeconds, release: keys),
      ]
    }
    return Score(id: "chords", .notes(actions))
  }

  private var noteNames: [Substring] {
    notes.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  private func answer() throws -> Answer {
    let key = try key.map { text in try named("--key") { try Key(named: text) } }
    let lowest = try named("--lowest-note") {
      Int(try NoteNumber(named: lowestNote ?? "C3").semitones)
    }
    if let progression {
      return Answer(
        try named("--progression") { try ChordProgression(named: progression, in: key) },
        from: lowest)
    }
    if notes.isEmpty, let key { return Answer(of: key, from: lowest) }
    let keys = try named("notes") {
      try noteNames.map {
        Int(try NoteNumber(named: $0.trimmingCharacters(in: .whitespaces)).semitones)
      }
    }
    return Answer(Chord.identified(from: keys, in: key), in: key)
  }

  /// The chords, as JSON and as a table.
  struct Answer: Encodable {
    struct Row: Encodable {
      /// The bar of a progression, from 1.
      var bar: Int?
      var chord: String
      var numeral: String?
      /// The spelled tones of given notes, or the notes of a chord in a progression.
      var notes: [String]
    }

    var schema = "choir.chords/1"
    var key: String?
    /// The notes of the key's scale, up to the octave; `nil` unless the chords are those of the key.
    var scale: [String]?
    var chords: [Row]

    /// The triads and the seventh chords of a key; none unless its scale has seven tones.
    init(of key: Key, from lowest: Int) {
      self.key = key.description
      let tonic = lowest + PitchClass(key.tonic.semitones - lowest).semitones
      scale = (key.scale.semitones + [12]).map { key.name(ofNote: tonic + $0) }
      chords = [false, true].flatMap { key.chords(withSevenths: $0) }.compactMap { $0 }.map {
        Row(
          chord: $0.description, numeral: Self.numeral($0, key), notes: $0.noteNames(from: lowest))
      }
    }

    init(_ progression: ChordProgression, from lowest: Int) {
      key = progression.key?.description
      chords = progression.bars.enumerated().flatMap { index, bar in
        bar.map { chord in
          Row(
            bar: index + 1, chord: chord?.description ?? "rest",
            numeral: chord.flatMap { Self.numeral($0, progression.key) },
            notes: chord?.noteNames(from: lowest) ?? [])
        }
      }
    }

    init(_ found: [Chord], in key: Key?) {
      self.key = key?.description
      chords = found.map { chord in
        Row(
          chord: chord.description, numeral: Self.numeral(chord, key),
          notes: chord.spelledTones.map(\.description))
      }
    }

    private static func numeral(_ chord: Chord, _ key: Key?) -> String? {
      key.flatMap { RomanNumeral(chord, in: $0)?.description }
    }

    var table: String {
      let scale = scale.map { "\(key ?? ""): \($0.joined(separator: " "))" }
      if let scale, chords.isEmpty { return scale }
      let (hasBars, hasKey) = (chords.contains { $0.bar != nil }, key != nil)
      func cells(_ bar: String, _ chord: String, _ numeral: String, _ notes: String) -> [String] {
        (hasBars ? [bar] : []) + [chord] + (hasKey ? [numeral] : []) + [notes]
      }
      var table = TextTable(
        header: cells("bar", "chord", "numeral", hasBars || scale != nil ? "notes" : "tones"))
      table.rows = chords.map { row in
        cells(
          row.bar.map(String.init) ?? "", row.chord, row.numeral ?? "",
          row.notes.joined(separator: " "))
      }
      return (scale.map { $0 + "\n\n" } ?? "") + table.text()
    }
  }
}
