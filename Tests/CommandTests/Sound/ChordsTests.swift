import AudioFile
import Foundation
import Testing

/// `choir chords`: names of chords, and notes of a progression.
@Suite struct ChordsTests {
  @Test func theNotesOfAPadAreNamed() throws {
    let answer = try Shell().type("choir chords C4,A3,E4,G4 --key 'C major'")
    #expect(answer.status == 0, "\(answer.errors)")
    let lines = answer.output.split(separator: "\n").map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    // Am7 and C6 have the same tones; A is the lowest.
    #expect(lines[0] == "chord numeral tones")
    #expect(lines[2] == "Am7 vi7 A C E G" && lines[3] == "C6/A I6 C E G A")
  }

  @Test func notesMayBeWords() throws {
    let commas = try Shell().type("choir chords C4,E4,G4")
    let words = try Shell().type("choir chords C4 E4 G4")
    #expect(words.status == 0 && words.output == commas.output && words.output.contains("C E G"))
  }

  @Test func aProgressionIsSpelled() throws {
    let answer = try Shell().type("choir chords --progression '| I V7/V | rest |' --key 'Eb major'")
    #expect(
      answer.output == """
        bar  chord  numeral  notes
        ───  ─────  ───────  ────────────
        1    Eb     I        Eb3 G3 Bb3
        1    F7     II7      F3 A3 C4 Eb4
        2    rest

        """, "\(answer.output)\(answer.errors)")
  }

  /// The triads of E harmonic minor by its textbook: Em F#dim Gaug Am B C D#dim.
  @Test func aKeyIsListed() throws {
    let answer = try Shell().type("choir chords --key 'E harmonic minor' --json")
    let found = try answer.json()
    let chords = try #require(found["chords"] as? [[String: Any]])
    #expect(
      chords.prefix(7).map { $0["chord"] as? String } == [
        "Em", "F#dim", "Gaug", "Am", "B", "C", "D#dim",
      ])
    #expect(found["scale"] as? [String] == ["E3", "F#3", "G3", "A3", "B3", "C4", "D#4", "E4"])
  }

  /// Another program of this package names them again.
  @Test func chordsArePlayed() throws {
    let shell = try Shell()
    let answer = try shell.type(
      "choir chords --progression 'C G' --play a.wav && choir-eval analyze a.wav --write chords "
        + "--output a.csv --quiet && cat a.csv")
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.output.contains(",C:maj\n") && answer.output.contains(",G:maj"))
    #expect(try AudioFile(reading: shell.path("a.wav")).durationSeconds > 1)
    #expect(try shell.type("choir chords C4,E4,G4 --play a.wav").status == 64)  // it exists
  }

  @Test func truthMayBeMIDI() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      choir harmonize in.wav a.wav --notes C4,E4 --truth a.mid && \
        choir autotune in.wav b.wav --scale-notes C,D,E,F,G,A,B --truth b.mid
      """)
    #expect(answer.status == 0, "\(answer.errors)")
    func keys(_ name: String) throws -> Set<Int> {
      Set(
        try MIDIFile(reading: shell.path(name)).tracks.flatMap(\.events).compactMap {
          if case .noteOn(_, let key, _) = $0.event { key } else { nil }
        })
    }
    #expect(try keys("a.mid") == [60, 64])
    let tuned = try keys("b.mid")
    #expect(!tuned.isEmpty && tuned.allSatisfy { [0, 2, 4, 5, 7, 9, 11].contains($0 % 12) })
  }

  /// A scale as MIDI is a sequence that a project keeps.
  @Test func aScaleIsKept() throws {
    let shell = try Shell()
    let answer = try shell.type(
      """
      choir chords --key 'E harmonic minor' --play scale.mid >/dev/null && choir project new song && \
        choir project add song --sequence scale.mid && choir project show song
      """)
    #expect(answer.status == 0 && answer.output.contains("sequences/scale.mid"), "\(answer.errors)")
    let notes = try MIDIFile(reading: shell.path("scale.mid")).tracks.flatMap(\.events).compactMap {
      if case .noteOn(_, let key, _) = $0.event { key } else { nil }
    }
    #expect(notes.prefix(8) == [52, 54, 55, 57, 59, 60, 63, 64])
  }

  /// Writes three chords of a second each as raw floats.
  private func progression(in shell: Shell) throws {
    _ = try shell.type("choir chords --progression 'C C F F Am Am' --play a.wav")
    let sound = try AudioFile(reading: shell.path("a.wav")).mono
    try sound.resampled(to: 48_000).samples.withUnsafeBytes { Data($0) }
      .write(to: shell.folder.appendingPathComponent("a.raw"))
  }

  @Test func chordsAreNamedAsTheySound() throws {
    let shell = try Shell()
    try progression(in: shell)
    let answer = try shell.type("choir chords --from - <a.raw")
    #expect(answer.status == 0, "\(answer.errors)")
    let lines = answer.output.split(separator: "\n").map {
      $0.split(whereSeparator: \.isWhitespace)
    }
    #expect(lines.map { $0[2] } == ["C", "F", "Am"])
    for (line, start) in zip(lines, [0.0, 1, 2]) {
      #expect(abs((Double(line[0]) ?? -1) - start) <= 0.3, "\(line)")
    }
  }

  @Test func wantedChordsAreJudged() throws {
    let shell = try Shell()
    try progression(in: shell)
    let answer = try shell.type("choir chords --from - --want C,Am <a.raw")
    #expect(answer.status == 0, "\(answer.errors)")
    let lines = answer.output.split(separator: "\n")
    try #require(lines.count == 5)
    #expect(
      lines[0] == "play C"
        && lines[1].contains("C  right, after 0.0 s; play Am"))
    #expect(lines[2].hasSuffix("F  wrong, play Am") && lines[3].contains("Am  right, after 1."))
    #expect(lines[4].hasPrefix("2 of 2 right, 1 wrong, 0."), "\(answer.output)")
    let left = try shell.type("choir chords --from - --want C,G --json <a.raw")
    #expect(left.status == 1 && left.output.contains("\"isRight\" : false"))
    #expect(try shell.type("choir chords --want C").words.contains("add --from jack or --from -"))
    #expect(try shell.type("choir chords C4 --from -").words.contains("leave notes and other"))
    #expect(try shell.type("choir chords C4 --seconds 2").words.contains("add --from jack"))
  }

  @Test func jsonHasTheSame() throws {
    let answer = try Shell().type("choir chords --progression 'C | G7/B' --lowest-note C4 --json")
    let found = try answer.json()
    #expect(found["schema"] as? String == "choir.chords/1")
    let chords = try #require(found["chords"] as? [[String: Any]])
    #expect(chords.map { $0["bar"] as? Int } == [1, 2])
    #expect(
      chords.map { $0["notes"] as? [String] } == [["C4", "E4", "G4"], ["B4", "D5", "F5", "G5"]])
  }

  @Test(arguments: [
    ("", 64, "Give either notes, such as C4,E4,G4, --progression, --key or --from"),
    ("C4,E", 64, "'E' is no note"), ("C4 --lowest-note C3", 64, "--lowest-note is for"),
    ("C4,E4 --key H", 64, "--key: 'H' is no key"),
    ("--progression 'C | Xq'", 64, "--progression: bar 2: 'Xq' is no chord"),
    ("C4,C#4,D4", 1, "no chord has the notes C4,C#4,D4"),
  ])
  func errorsSayWhatToDo(arguments: String, status: Int32, words: String) throws {
    let answer = try Shell().type("choir chords \(arguments)")
    #expect(answer.status == status && answer.output.isEmpty)
    #expect(answer.words.contains(words), "\(answer.words)")
  }
}
