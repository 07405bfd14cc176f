import EvaluationSupport
import Foundation
import Music
import TestSupport
import Testing
import Yams

@testable import Corpus
@testable import Platform
@testable import Subjects
@testable import Sweep

/// The repository's score files.
let scoresFolder = Repository.file("Corpus/scores")

/// Reads a score from YAML.
func score(_ yaml: String) throws -> Score {
  try Score(try #require(try Yams.compose(yaml: yaml)), folder: scoresFolder)
}

@Suite struct ScoreReadingTests {
  /// The voices are counted by hand; keys that overlap or are held by a pedal need further voices.
  @Test(arguments: [
    ("interval-trio", 3), ("degrees-c-major", 3), ("tuned-c-major", 1), ("chords-cadence", 4),
    ("pads-strum-0", 4),
    ("pads-strum-20", 4), ("pads-strum-60", 4), ("pads-fast", 6), ("pads-pedal", 5),
    ("notes-suspension", 5), ("midi-cadence", 4),
  ])
  func everyScoreOfTheCorpusIsReadAndKeptWhole(name: String, voices: Int) throws {
    let score = try Score(reading: scoresFolder.appendingPathComponent("\(name).yaml"))
    #expect(score.id == name && score.voiceCount == voices)
    #expect(score.voiceLabels.count == voices)
    let kept = try JSONDecoder().decode(Score.self, from: Data(score.canonical.utf8))
    #expect(kept == score)
  }

  /// Figures are kept by label, so that of one voice must not replace that of another.
  @Test func voicesThatSingAlikeHaveDifferentLabels() {
    let score = Score(id: "doubled", intervalsSemitones: [0, 4, 0, 0])
    #expect(score.voiceLabels == ["0", "+4", "0 (2)", "0 (3)"])
  }

  @Test func aFileWithoutAnIdIsCalledAsItsFile() throws {
    let folder = try ScratchFolder()
    defer { folder.discard() }
    let file = folder.file("thirds.yaml")
    try Data("intervalsSemitones: [4]\n".utf8).write(to: file)
    #expect(try Score(reading: file) == Score(id: "thirds", intervalsSemitones: [4]))
    try Data("id: fifths\nintervalsSemitones: [4]\n".utf8).write(to: file)
    let refusal = #expect(throws: ScoreError.self) { try Score(reading: file) }
    #expect(refusal?.problem.contains("make them equal") == true)
  }

  @Test func allFilesAreAmongThem() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: scoresFolder.path)
    #expect(files.count { $0.hasSuffix(".yaml") } == 11)
  }

  @Test(arguments: [
    (
      "id: x", 1,
      "exactly one of intervalsSemitones, degrees, map, tuned, chords, progression, pads, notes, midi"
    ),
    ("id: x\ndegrees: [3]\nmidi: a.mid\nkey: C major", 1, "exactly one of"),
    ("id: x\ndegrees: [3]\nlowestNote: C3", 3, "a score of degrees has no 'lowestNote'"),
    ("id: x\ndegrees: [3]", 1, "lacks 'key'"),
    ("id: x\nkey: C blue\ndegrees: [3]", 2, "key: 'blue' is no scale; there are major,"),
    ("id: x\nkey: C major\ndegrees: [3, 0]", 3, "degrees[1]: 0 is no degree"),
    ("id: x\nintervalsSemitones: [4, 90]", 2, "intervalsSemitones[1]: is 90.0; choose -48.0"),
    ("id: x\nintervalsSemitones: []", 2, "has 0 voices; write 1 to 8"),
    ("id: a b\nintervalsSemitones: [1]", 1, "the id 'a b' must be letters"),
    (
      "id: x\nchords:\n  - {atSeconds: 0, chord: Cfoo}", 3,
      "chords[0].chord: 'Cfoo' is no chord: 'foo' is none of its qualities"
    ),
    (
      "id: x\nchords:\n  - {atSeconds: 1, chord: C}\n  - {atSeconds: 1, chord: G}", 4,
      "chords[1].atSeconds: 1.0 is not after 1.0"
    ),
    ("id: x\nchords:\n  - {atSeconds: 0, name: C}", 3, "an item of chords has no 'name'"),
    ("id: x\nchords:\n  - {atSeconds: 0, chord: rest}", 3, "chords: plays no note"),
    ("id: x\nlowestNote: H2\nchords: []", 2, "lowestNote: 'H2' is no note"),
    ("id: x\nprogression: C | Xq\ntempo: 96", 2, "progression: bar 2: 'Xq' is no chord"),
    ("id: x\nprogression: C | | G\ntempo: 96", 2, "progression: bar 2 is empty"),
    ("id: x\nprogression: I V\ntempo: 96", 2, "bar 1: 'I' is a Roman numeral and needs a key"),
    ("id: x\nprogression: C", 1, "lacks 'tempo'"),
    ("id: x\nprogression: C\ntempo: 0", 3, "tempo[0].beatsPerMinute is 0.0"),
    ("id: x\nprogression: C\ntempo: 96\ntimeSignature: 3/5", 4, "'3/5' is no time signature"),
    ("id: x\nprogression: rest\ntempo: 96", 2, "progression: plays no note"),
    ("id: x\nprogression: C\nmeter: 4/4", 3, "a score of progression has no 'meter'"),
    (
      "id: x\npads:\n  - {atSeconds: 0, chord: C, forSeconds: 1, strumMs: 61}", 3,
      "pads[0].strumMs: is 61.0; choose 0.0 to 60.0"
    ),
    (
      "id: x\npads:\n  - atSeconds: 0\n    chord: C\n    forSeconds: 0.02\n    strumMs: 30", 6,
      "pads[0].strumMs: is 30.0 ms, longer than the pad's 0.02 s"
    ),
    (
      "id: x\npads:\n  - {atSeconds: 0, chord: C, forSeconds: 1}\npedal:\n"
        + "  - {fromSeconds: 1, toSeconds: 0}", 5, "pedal[0].toSeconds: is not after fromSeconds"
    ),
    ("id: x\nnotes:\n  - {atSeconds: 0}", 3, "has no action; write press, release or pedal"),
    (
      "id: x\nnotes:\n  - {atSeconds: 0, press: [1, 2, 3, 4, 5, 6, 7, 8, 9]}", 3,
      "9 notes begin together at 0.0 s; at most 8 may"
    ),
    ("id: x\nnotes:\n  - {atSeconds: 0, press: [C4], pedal: half}", 3, "notes[0].pedal"),
    (
      "id: x\ntempo: 96\npads:\n  - {atSeconds: 0, chord: C, forSeconds: 1}", 4,
      "an item of pads has no 'atSeconds'"
    ),
    ("id: x\ntempo: 96\nloop: 2\nnotes: []\nmap: {}", 1, "more than one form"),
    ("id: x\ntempo: 96\nnotes: []", 3, "notes: plays no note"),
    ("id: x\nmidi: nowhere.mid", 2, "nowhere.mid: there is no such file"),
    ("[1]", 1, "a score is a name, or an id and one of"),
  ])
  func whatAScoreCannotSayIsRefusedWithItsLine(yaml: String, line: Int, words: String) {
    do {
      _ = try score(yaml)
      Issue.record("it was accepted")
    } catch let error as ScoreError {
      #expect(error.line == line)
      #expect(error.problem.contains(words), "\(error)")
    } catch { Issue.record("\(error)") }
  }

  @Test func aProgressionIsKeptAsWritten() throws {
    let read = try score(
      "id: x\nprogression: I | V7/V V\nkey: G major\ntempo: 96\ntimeSignature: 3/4")
    #expect(read.canonical.contains(#""progression":"I | V7/V V""#), "\(read.canonical)")
    #expect(try JSONDecoder().decode(Score.self, from: Data(read.canonical.utf8)) == read)
    #expect(try score(read.canonical) == read)
  }

  /// A beat is half a second at 120 beats a minute. A bend is that of a channel of its own.
  @Test func aSequenceHasBeatsVelocitiesAndALoop() throws {
    let read = try score(
      """
      id: x
      tempo: 120
      loop: {fromBeats: 0, toBeats: 4, times: 2}
      pads:
        - {atBeats: 0, chord: C, forBeats: 2, velocity: 64}
      notes:
        - {atBeats: 3, press: [G4], forBeats: 1, bends: [{atBeats: 3.5, semitones: 1}]}
      """)
    let presses = read.events.filter { if case .press = $0.action { true } else { false } }
    #expect(presses.map(\.atSeconds) == [0, 0, 0, 1.5, 2, 2, 2, 3.5])
    #expect(presses[0].action == .press(note: NoteNumber(48), velocity: 64))
    let bends = read.events.filter { if case .bend = $0.action { true } else { false } }
    #expect(bends.filter { $0.action == .bend(semitones: 1) }.map(\.atSeconds) == [1.75, 3.75])
    #expect(Set(bends.map(\.channel)).count == 2 && !bends.map(\.channel).contains(0))
    #expect(read.choir().velocityShare == 1)
    #expect(try JSONDecoder().decode(Score.self, from: Data(read.canonical.utf8)) == read)
    #expect(try score(read.canonical) == read)
  }

  /// The sixteenth channel is the first of another port, where all notes without a bend are.
  @Test func noBentNoteIsOnTheChannelOfTheOthers() throws {
    let notes = (0..<33).map {
      "  - {atBeats: \($0), press: [G4], forBeats: 1, bends: [{atBeats: \($0), semitones: 1}]}"
    }
    let read = try score("id: x\ntempo: 120\nnotes:\n" + notes.joined(separator: "\n"))
    let bends = read.events.filter { $0.action == .bend(semitones: 1) }.map(\.channel)
    #expect(bends.count == 33 && Set(bends).count == 33)
    #expect(bends.allSatisfy { $0 % 16 != 0 })
  }

  @Test func aPlanNamesScoresOrHoldsThem() throws {
    let text = """
      name: p
      title: t
      subject: reference
      recordings: [a]
      settings: {}
      scores:
        - pads-strum-20
        - id: own
          key: A minor
          degrees: [3]
        - midi-cadence
      """
    let plan = try Plan.decoded(text, scoresFolders: [scoresFolder])
    // A plan in any folder finds the scores of the corpus, even beside another folder of scores.
    let scratch = try TemporaryFolder()
    for folder in ["plans", "scores"] {
      try FileManager.default.createDirectory(
        at: scratch.file(folder), withIntermediateDirectories: true)
    }
    let anywhere = scratch.file("plans/plan.yaml")
    try Data(text.utf8).write(to: anywhere)
    let corpusFolder = scoresFolder.deletingLastPathComponent()
    #expect(try Plan(reading: anywhere, corpusFolder: corpusFolder).scores == plan.scores)
    #expect(plan.scores.map(\.id) == ["pads-strum-20", "own", "midi-cadence"])
    #expect(plan.scores[0].title == "Chord pads, keys within 20 ms, from the lowest")
    #expect(plan.scores[1].form == .degrees([3], of: try Key(named: "A minor")))
    #expect(plan.scores[2].voiceCount == 4)
    let stored = try JSONEncoder.canonical.encode(plan)
    #expect(try JSONDecoder().decode(Plan.self, from: stored) == plan)

    for (wrong, words) in [
      ("pads-strum-21", "line 7: there is no score 'pads-strum-21'; "),
      ("{id: x, degrees: [3], key: C}", "line 7: key: 'C' is no key"),
    ] {
      let broken = text.replacingOccurrences(of: "- pads-strum-20", with: "- \(wrong)")
      let said = expectError(words) { try Plan.decoded(broken, scoresFolders: [scoresFolder]) }
      #expect(said.hasPrefix(words))
    }
  }

  /// Every change of the sung notes changes the key of a cell.
  @Test func theKeyOfACellCoversTheWholeScore() throws {
    let entry = ManifestEntry(
      id: "r", source: "synthetic:r", licence: "CC0-1.0", voice: "alto", kind: "sung")
    let yaml = "id: x\npads:\n  - {atSeconds: 0, chord: C, forSeconds: 1}"
    let keys = try [
      yaml, yaml.replacing("forSeconds: 1", with: "forSeconds: 1.1"),
      yaml.replacing("chord: C", with: "chord: C/E"),
      yaml.replacing("forSeconds: 1", with: "forSeconds: 1, strumMs: 1"), yaml + "\nlowestNote: 60",
      yaml + "\npedal: [{fromSeconds: 0.5, toSeconds: 2}]",
    ].map {
      Cell(
        entry, recordingDigest: "d", score: try score($0), settings: [:],
        subject: ReferenceSubject()
      ).key
    }
    #expect(Set(keys).count == keys.count)
  }
}
