import ArgumentParser
import CommandSupport
import Foundation
import Music

/// Names the chord of notes, or spells the chords of a progression.
struct Chords: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Name the chord of notes, or spell the chords of a progression.",
    discussion: """
      Use it to find out what a pad plays, or to check a progression before it is sung. With --key, \
      names are spelled in that key and have a Roman numeral, which ignores a chord's inversion.

        choir chords E4,G4,C5
        choir chords D4,F#4,A4,C5 --key "G major"
        choir chords --progression "I vi ii V" --key "C major"
        choir chords --progression "C:maj7 | A:min7 | D:min7 G:7"

      Notes may form several chords; the most plausible one comes first. The exit code is 1 if they \
      form none.
      """)

  @Argument(help: "Notes, such as C4,E4,G4; the lowest is the bass.") var notes: [String] = []
  @Option(help: "Chords in bars, by name or by Roman numeral, as harmonize takes them.")
  var progression: String?
  @Option(help: "Key of the Roman numerals, such as 'C major'.") var key: String?
  @Option(help: "Lowest note of --progression; default: C3.") var lowestNote: String?
  @Flag(help: "Print JSON.") var json = false

  func validate() throws {
    guard notes.isEmpty != (progression == nil) else {
      throw ValidationError("Give either notes, such as C4,E4,G4, or --progression.")
    }
    guard lowestNote == nil || progression != nil else {
      throw ValidationError("--lowest-note is for --progression; leave it out.")
    }
    _ = try answer()
  }

  func run() throws {
    let answer = try answer()
    guard !answer.chords.isEmpty else {
      Terminal.printError(
        "no chord has the notes \(notes.joined(separator: " ")); add or remove a note")
      throw ExitCode(1)
    }
    if json { return print(try JSON.text(answer)) }
    print(answer.table)
  }

  private func answer() throws -> Answer {
    let key = try key.map { text in try named("--key") { try Key(named: text) } }
    if let progression {
      let lowest = try named("--lowest-note") { try NoteNumber(named: lowestNote ?? "C3") }
      return Answer(
        try named("--progression") { try ChordProgression(named: progression, in: key) },
        from: Int(lowest.semitones))
    }
    let names = notes.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let keys = try named("notes") {
      try names.map {
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
    var chords: [Row]

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
      let (hasBars, hasKey) = (chords.contains { $0.bar != nil }, key != nil)
      func cells(_ bar: String, _ chord: String, _ numeral: String, _ notes: String) -> [String] {
        (hasBars ? [bar] : []) + [chord] + (hasKey ? [numeral] : []) + [notes]
      }
      var table = TextTable(header: cells("bar", "chord", "numeral", hasBars ? "notes" : "tones"))
      table.rows = chords.map { row in
        cells(
          row.bar.map(String.init) ?? "", row.chord, row.numeral ?? "",
          row.notes.joined(separator: " "))
      }
      return table.text()
    }
  }
}
