import Analyzer
import Foundation
import Music
import Testing

@testable import Subjects

/// The notes and times of each voice, worked out by hand.
@Suite struct ScoreResolutionTests {
  /// A lead on one pitch for 10 s.
  static let steady = lead { _ in 220 }

  static func lead(_ hz: (Double) -> Double) -> PitchTrack {
    let f0 = (0..<2_000).map { hz(Double($0) * 0.005) }
    return PitchTrack(hopSeconds: 0.005, f0Hz: f0)
  }

  /// The segments of each voice as text: `E4 1.0-2.0`.
  static func voices(_ yaml: String, _ lead: PitchTrack = steady) throws -> [[String]] {
    ResolvedScore(try score(yaml), lead: lead).voices.map { segments in
      segments.map { segment in
        func time(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
        let target =
          switch segment.target {
          case .note(let note): note.name()
          case .interval(let semitones): "\(semitones)"
          }
        return "\(target) \(time(segment.startSeconds))-\(time(segment.endSeconds))"
      }
    }
  }

  @Test func chordsGoToVoicesFromTheLowestUp() throws {
    let yaml = """
      id: x
      chords:
        - {atSeconds: 0.5, chord: C}
        - {atSeconds: 1, chord: G7/B}
        - {atSeconds: 2, chord: rest}
        - {atSeconds: 3, chord: F5}
      """
    #expect(
      try Self.voices(yaml) == [
        ["C3 0.5-1.0", "B3 1.0-2.0", "F3 3.0-inf"], ["E3 0.5-1.0", "D4 1.0-2.0", "C4 3.0-inf"],
        ["G3 0.5-1.0", "F4 1.0-2.0"], ["G4 1.0-2.0"],
      ])
  }

  /// A bar of 3/4 takes 1.5 s at 120 beats a minute. The chord on the fifth of G major is D.
  @Test func aProgressionIsSungBarByBar() throws {
    let yaml = """
      id: x
      progression: I | rest V | I I
      key: G major
      tempo: 120
      timeSignature: 3/4
      """
    #expect(
      try Self.voices(yaml) == [
        ["G3 0.0-1.5", "D3 2.25-3.0", "G3 3.0-3.75", "G3 3.75-4.5"],
        ["B3 0.0-1.5", "F#3 2.25-3.0", "B3 3.0-3.75", "B3 3.75-4.5"],
        ["D4 0.0-1.5", "A3 2.25-3.0", "D4 3.0-3.75", "D4 3.75-4.5"],
      ])
  }

  /// Led voices and a descant follow the same chords as the keys.
  @Test func aProgressionIsAChordTrack() throws {
    let choir = try score("id: x\nprogression: C | rest G7\ntempo: 240").choir()
    #expect(
      choir.music.chordTrack.entries.map { "\($0.atSeconds) \($0.chord?.description ?? "-")" }
        == ["0.0 C", "1.0 -", "1.5 G7", "2.0 -"])
  }

  /// A chord strummed from the top is still assigned from its lowest note up.
  @Test func aStrumIsOneChord() throws {
    let yaml = """
      id: x
      pads:
        - {atSeconds: 1, chord: C, forSeconds: 1, strumMs: 60, strum: down}
      """
    #expect(
      try Self.voices(yaml) == [["C3 1.06-2.0"], ["E3 1.03-2.0"], ["G3 1.0-2.0"]])
  }

  @Test func overlappingPadsTakeVoicesOfTheirOwn() throws {
    let yaml = """
      id: x
      pads:
        - {atSeconds: 0, chord: C5, forSeconds: 1.1}
        - {atSeconds: 1, chord: D5, forSeconds: 1.0}
        - {atSeconds: 2, chord: E5, forSeconds: 1.0}
      """
    #expect(
      try Self.voices(yaml) == [
        ["C3 0.0-1.1", "E3 2.0-3.0"], ["G3 0.0-1.1", "B3 2.0-3.0"], ["D3 1.0-2.0"], ["A3 1.0-2.0"],
      ])
  }

  @Test func thePedalHoldsWhatIsReleased() throws {
    let yaml = """
      id: x
      pads:
        - {atSeconds: 0, chord: C5, forSeconds: 0.5}
        - {atSeconds: 1, chord: G5, forSeconds: 0.5}
        - {atSeconds: 2, chord: A5, forSeconds: 2}
      pedal:
        - {fromSeconds: 0.4, toSeconds: 2}
        - {fromSeconds: 2.5, toSeconds: 3}
      """
    // The second pad restarts G3 of the first, which belongs to the second from then on.
    #expect(
      try Self.voices(yaml) == [
        ["C3 0.0-2.0", "A3 2.0-4.0"], ["G3 0.0-1.0", "G3 1.0-2.0", "E4 2.0-4.0"], ["D4 1.0-2.0"],
      ])
  }

  @Test func keysAreReleasedAsOftenAsTheyArePressed() throws {
    let yaml = """
      id: x
      notes:
        - {atSeconds: 0, press: [C4]}
        - {atSeconds: 1, press: [C4, E4]}
        - {atSeconds: 2, release: [C4]}
        - {atSeconds: 3, release: [C4]}
        - {atSeconds: 3.5, release: [A1]}
      """
    #expect(try Self.voices(yaml) == [["C4 0.0-1.0", "C4 1.0-3.0"], ["E4 1.0-inf"]])
  }

  /// Eight notes are held; the ninth takes the voice of the note that has sounded longest.
  @Test func theLongestNoteGivesWay() throws {
    var notes = (0..<8).map { "  - {atSeconds: \($0), press: [\(60 + $0)]}" }
    notes.append("  - {atSeconds: 8, press: [80]}")
    let voices = try Self.voices("id: x\nnotes:\n" + notes.joined(separator: "\n"))
    #expect(voices.count == 8)
    #expect(voices[0] == ["C4 0.0-8.0", "G#5 8.0-inf"])
    #expect(voices[1] == ["C#4 1.0-inf"])
  }

  /// The notes are read from the file's bytes: 120 beats a minute for three bars of 1 s, then 90.
  @Test func aMIDIFileIsPlayedToTheVoices() throws {
    #expect(
      try Self.voices("id: x\nmidi: midi-cadence.mid") == [
        ["C3 0.0-1.0", "F3 1.0-2.0", "G3 2.0-3.0", "C3 3.0-4.333"],
        ["E4 0.0-1.0", "F4 1.0-2.0", "F4 2.0-3.0", "E4 3.0-4.333"],
        ["G4 0.0-1.0", "A4 1.0-2.0", "G4 2.0-3.0", "G4 3.0-4.333"],
        ["C5 0.0-1.0", "C5 1.0-2.0", "B4 2.0-3.0", "C5 3.0-4.333"],
      ])
  }

  /// The lead sings C4 for a second, breathes, then sings E4 and F4. A third above in C major is 4, 3
  /// and 4 semitones.
  @Test func degreesFollowTheLeadThroughTheKey() throws {
    let lead = Self.lead { time in
      switch time {
      case ..<0.2: 0
      case ..<0.9975: 261.6256
      case ..<1.1975: 0
      case ..<1.9975: 329.6276
      default: 349.2282
      }
    }
    #expect(
      try Self.voices("id: x\nkey: C major\ndegrees: [3, -4]", lead) == [
        ["4.0 0.0-1.2", "3.0 1.2-2.0", "4.0 2.0-inf"],
        // A fourth below C is G; below E, B; below F, C.
        ["-5.0 0.0-1.2", "-5.0 1.2-2.0", "-5.0 2.0-inf"],
      ])
  }

  /// The lead sings C#3, in the middle of C3 and D3 of A minor. It is a tone of A major.
  @Test(arguments: [
    ("A minor", -25.0, ["C3 0.0-inf"]), ("A minor", 5, []), ("A minor", 25, ["D3 0.0-inf"]),
    ("A major", 5, ["C#3 0.0-inf"]),
  ])
  func inTheMiddleOfTwoTonesNeitherIsWrong(key: String, cents: Double, wanted: [String]) throws {
    let lead = Self.lead { _ in 138.5913 * exp2(cents / 1200) }
    #expect(try Self.voices("id: x\ntuned: \(key)", lead) == [wanted])
  }

  /// The lead is on E4, a semitone below F4. A vibrato of ±75 cents stays within the 50 + 30 cents of
  /// E; one of ±90 does not.
  @Test(arguments: [(75.0, 1), (90.0, 20)])
  func aVibratoDoesNotFlutter(extentCents: Double, atLeast: Int) throws {
    let lead = Self.lead { time in
      329.6276 * exp2(extentCents / 1200 * sin(2 * .pi * 5.5 * time))
    }
    let count = try Self.voices("id: x\nkey: C major\ndegrees: [3]", lead)[0].count
    #expect(atLeast == 1 ? count == 1 : count >= atLeast)
  }

  @Test func aLeadWithoutVoiceHasNoDegrees() throws {
    #expect(try Self.voices("id: x\nkey: C major\ndegrees: [3]", Self.lead { _ in 0 }) == [[]])
  }

  @Test func targetsAreNotesOrFollowTheLead() throws {
    let notes = ResolvedScore(
      try score(
        "id: x\nnotes:\n  - {atSeconds: 1, press: [A4]}\n  - {atSeconds: 2, release: [A4]}"),
      lead: Self.steady)
    #expect(notes.targetHz(ofVoice: 0, atSeconds: 0.99, leadHz: 300) == nil)
    #expect(notes.targetHz(ofVoice: 0, atSeconds: 1, leadHz: 300) == 440)
    #expect(notes.targetHz(ofVoice: 0, atSeconds: 2, leadHz: 300) == nil)
    let octave = ResolvedScore(Score(id: "x", intervalsSemitones: [12]), lead: Self.steady)
    #expect(octave.targetHz(ofVoice: 0, atSeconds: 7, leadHz: 300) == 600)
  }

  /// The output is 100 ms late: an interval changes with the lead's sound, a note when it is played.
  @Test func aDelayMovesIntervalsButNotNotes() throws {
    let lead = Self.lead { time in time < 0.2 ? 0 : time < 1 ? 220 : 330 }
    let octave = ResolvedScore(Score(id: "x", intervalsSemitones: [12]), lead: lead)
    func hz(_ score: ResolvedScore, _ time: Double, settled: Double = 0) -> Double? {
      score.targetHz(ofVoice: 0, atSeconds: time, delaySeconds: 0.1, settledSeconds: settled)
    }
    #expect(hz(octave, 0.25) == nil && hz(octave, 1.05) == 440 && hz(octave, 1.15) == 660)
    let notes = ResolvedScore(
      try score("id: x\nnotes:\n  - {atSeconds: 0.5, press: [A4]}"), lead: lead)
    #expect(hz(notes, 0.49) == nil && hz(notes, 0.5) == 440 && hz(notes, 1.5) == 440)
    #expect(hz(notes, 0.52, settled: 0.03) == nil && hz(notes, 0.54, settled: 0.03) == 440)
  }
}
