import Analyzer
import ArgumentParser
import AudioFile
import CommandSupport
import Corpus
import Foundation
import Harmonizer
import Music
import Platform
import Subjects

/// The ways of choosing what a choir sings, of which a user takes exactly one.
struct HarmonizeNotes: ParsableArguments {
  @Option(
    help: "Semitones above the lead, one for each of 1 to 16 voices, comma-separated.",
    eachIn: -24...24)
  var intervals: NumberList?
  @Option(
    help: "Degrees of --key: 3 is a third above the lead, -3 one below, 8 an octave above.",
    eachIn: -15...15)
  var degrees: NumberList?
  @Option(
    help: """
      Key of --degrees and of Roman numerals in --progression, such as 'C major'; also the centre \
      of --tuning. auto finds it in the recording.
      """)
  var key: String?
  @Option(
    help: ArgumentHelp(
      """
      Behaviour while the lead is out of --key: \
      \(OutOfKeyPolicy.allCases.map(\.rawValue).joined(separator: ", ")).
      """
    ), completion: .list(OutOfKeyPolicy.allCases.map(\.rawValue)))
  var outOfKey: String?
  @Option(
    help: """
      Semitones above the lead for each note of the lead, one per voice: 'C:4,7;D:3,8', with - \
      for silence and 'others' for all other notes; or a file with one note per line.
      """, completion: .file())
  var map: String?
  @Option(help: "Notes to hold, such as C4,E4,G4.") var notes: String?
  @Option(help: "Chord to hold, such as C:maj7, Am or G7/B.") var chord: String?
  @Option(
    help: """
      Chords to hold in bars at --tempo: 'C:maj7 | A:min7 | D:min7 G:7', or Roman numerals of \
      --key: 'I vi ii V'. Chords share their bar; without any | each has a bar.
      """)
  var progression: String?
  @Option(
    help: """
      Lowest note of --chord and --progression; a chord's bass is the first at or above it. \
      Default: C3.
      """)
  var lowestNote: String?
  @Option(
    help: "Accompaniment on its own, such as a guitar: its chords are recognized and sung.",
    completion: .sound)
  var chordsFrom: String?
  @Option(help: "MIDI file to sing.", completion: .midi) var midi: String?
  @Option(
    help: "Score to sing, in YAML as in plans (docs/reference/plans.md#scores).", completion: .yaml)
  var sequence: String?
  @OptionGroup(title: "Time") var time: HarmonizeTime

  /// The flags that choose the notes.
  private var given: [String] {
    givenFlags.filter { !["--key", "--out-of-key", "--lowest-note"].contains($0) }
  }

  /// Files that are read.
  var files: [String?] { [midi, sequence, map, chordsFrom] }

  var areChosen: Bool { !given.isEmpty }

  private static let ways =
    "--intervals, --key with --degrees, --map, --notes, --chord, --progression, --chords-from, --midi or "
    + "--sequence"

  /// Throws unless exactly one way chooses the notes. A preset may choose them instead; the command
  /// checks that.
  func check() throws {
    guard given.count < 2 else {
      throw ValidationError(
        "\(given.joined(separator: " and ")) each choose the notes; give one of them.")
    }
    guard !given.isEmpty else {
      throw ValidationError(
        key == nil
          ? "No notes are chosen; give one of \(Self.ways)."
          : "--key alone chooses no notes; add --degrees, such as --degrees 3,5.")
    }
    guard degrees == nil || key != nil else {
      throw ValidationError("--degrees needs a key; add --key, such as --key 'C major'.")
    }
    guard outOfKey == nil || degrees != nil else {
      throw ValidationError("--out-of-key is for --degrees; leave it out.")
    }
    guard lowestNote == nil || chord != nil || progression != nil || chordsFrom != nil else {
      throw ValidationError("--lowest-note is for --chord and --progression; leave it out.")
    }
  }

  /// Returns the score, or `nil` if a file holds it.
  func scoreWithoutFiles() throws -> Score? {
    files == [nil, nil, map, nil] && !mapIsFile && !findsKey ? try score() : nil
  }

  /// True if the key is that of the recording.
  var findsKey: Bool { key == FoundKey.auto }

  private var mapIsFile: Bool { map.map { !$0.contains(":") } ?? false }

  /// Sets the key of a choir that has its notes already.
  func changeKey(of choir: inout Harmonizer.Settings) throws {
    guard lowestNote == nil else {
      throw ValidationError("--lowest-note is for --chord and --progression; leave it out.")
    }
    try complete(&choir)
  }

  /// Sets what the score leaves open; the key is the centre of a tuning, whatever chooses the notes.
  func complete(_ choir: inout Harmonizer.Settings) throws {
    if let key { choir.music.key = try named("--key") { try Key(named: key) } }
    guard let outOfKey else { return }
    guard let policy = OutOfKeyPolicy(rawValue: outOfKey) else {
      let names = OutOfKeyPolicy.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--out-of-key is '\(outOfKey)'; choose \(names).")
    }
    choir.music.outOfKey = policy
  }

  func score() throws -> Score {
    if let midi { return try checked(Score(playing: midi), "--midi") }
    if let sequence { return try Score(reading: URL(fileURLWithPath: sequence)) }
    if let intervals { return Score(id: "choir", .intervals(intervals.values)) }
    if let degrees, let key { return try score(ofDegrees: degrees.values, key) }
    if let map { return Score(id: "choir", .map(try parsed(map))) }
    if let notes {
      let pressed = try notes.split(separator: ",", omittingEmptySubsequences: false).map { word in
        try named("--notes") {
          try NoteNumber(named: word.trimmingCharacters(in: .whitespaces))
        }
      }
      return try checked(
        Score(id: "choir", .notes([NoteAction(atSeconds: 0, press: pressed)])), "--notes")
    }
    let lowest = try named("--lowest-note") { try NoteNumber(named: lowestNote ?? "C3") }
    if let chordsFrom {
      let spans = ChordRecognizer().chords(
        of: try AudioFile(named: chordsFrom).voice(of: chordsFrom))
      guard spans.contains(where: { $0.chord != nil }) else {
        throw ValidationError(
          "--chords-from: \(chordsFrom) has no chord; record three tones or more at a time, or name "
            + "chords by --progression.")
      }
      let changes = spans.map { ChordChange(atSeconds: $0.startSeconds, $0.chord) }
      return try checked(Score(id: "choir", .chords(changes, lowest: lowest)), "--chords-from")
    }
    if let progression, let given = try time.given() {
      let key = try key.map { key in try named("--key") { try Key(named: key) } }
      let chords = try named("--progression") { try ChordProgression(named: progression, in: key) }
      let timed = TimedProgression(chords, tempo: given.tempo, timeSignature: given.timeSignature)
      return try checked(Score(id: "choir", .progression(timed, lowest: lowest)), "--progression")
    }
    let name = chord ?? ""
    let held = try named("--chord") { try Chord(named: name) }
    return try checked(
      Score(id: "choir", .chords([ChordChange(atSeconds: 0, held)], lowest: lowest)), "--chord")
  }

  private func score(ofDegrees degrees: [Double], _ key: String) throws -> Score {
    let whole = try degrees.map { value in
      guard let degree = Int(exactly: value), degree != 0, Key.degrees.contains(degree) else {
        throw ValidationError(
          "--degrees: \(SettingValue.number(value)) is no degree; choose 1 to 15 above the lead, or "
            + "-1 to -15 below.")
      }
      return degree
    }
    return Score(id: "choir", .degrees(whole, of: try named("--key") { try Key(named: key) }))
  }

  private func parsed(_ map: String) throws -> LeadMap {
    guard mapIsFile else { return try named("--map") { try LeadMap(parsing: map) } }
    guard let text = try? GivenFile.text(at: URL(fileURLWithPath: map)) else {
      throw ValidationError("--map: \(map) can't be read; write notes, such as C:4,7, or a file.")
    }
    return try named("--map: \(map)") { try LeadMap(parsing: text) }
  }

  private func checked(_ score: Score, _ flag: String) throws -> Score {
    do { try score.check() } catch { throw ValidationError("\(flag): \(error.problem).") }
    return score
  }
}

/// Adds the flag to the error about its value.
func named<Value>(_ flag: String, _ value: () throws -> Value) throws -> Value {
  do { return try value() } catch { throw ValidationError("\(flag): \(error).") }
}
