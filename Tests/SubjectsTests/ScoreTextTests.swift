import Foundation
import Music
import Testing

@testable import Corpus
@testable import Subjects

/// The words that tell a command a score, and the scores that they can't tell.
@Suite struct ScoreTextTests {
  private static let tones = (0...11).map { "{tone\($0)}" }
  private static let tuned = Score(id: "tuned", .tuned(try! Key(named: "Bb minor")))
  private static let degrees = Score(
    id: "degrees", .degrees([3, -6], of: try! Key(named: "D major")))
  private static let map = Score(id: "map", .map(try! LeadMap(parsing: "C:4,7;F#:-,3")))
  private static let chord = Score(
    id: "chord",
    .chords([ChordChange(atSeconds: 0, try! Chord(named: "Am"))], lowest: NoteNumber(48)))
  private static let trio = Score(id: "trio", intervalsSemitones: [-5, 4, 7.5])

  private func words(_ score: Score, _ words: [String]) -> ScoreText {
    ScoreText(score: score, template: CommandTemplate(words))
  }

  private func filled(_ score: Score, _ text: String) -> String {
    CommandTemplate([text]).filled(words(score, [text]).values)[0]
  }

  /// Bb minor has Bb C Db Eb F Gb Ab: the pitch classes 10, 0, 1, 3, 5, 6 and 8.
  @Test func aKeyIsToldInEveryForm() {
    #expect(filled(Self.tuned, "{key} {keyNumber} {scale}") == "Bb 10 minor")
    #expect(filled(Self.tuned, "{tones}") == "0,1,3,5,6,8,10")
    #expect(filled(Self.tuned, Self.tones.joined()) == "110101101010")
    #expect(filled(Self.tuned, "{tone0:-1,1} {tone2:-1,1} {tone10:no,yes,any}") == "1 -1 yes")
    #expect(filled(Self.trio, "{tone0:no,yes,any}") == "any")
  }

  @Test func voicesAreToldTogetherOrOneByOne() {
    #expect(filled(Self.trio, "{intervals}/{interval1}/{interval3}") == "-5,4,7.5/-5/7.5")
    #expect(filled(Self.trio, "{interval4:0} {degrees:none}") == "0 none")
    #expect(filled(Self.degrees, "{degrees} {degree2} {key} {scale}") == "3,-6 -6 D major")
    // The lowest tone at or above C3, 48, is the A of octave 3.
    #expect(filled(Self.chord, "{chord} {notes} {note3}") == "Am 57,60,64 64")
    #expect(
      filled(Self.map, "{map}")
        == "C:4,7;C#:-,-;D:-,-;D#:-,-;E:-,-;F:-,-;F#:-,3;G:-,-;G#:-,-;A:-,-;A#:-,-;B:-,-")
    #expect(words(Self.trio, []).values(ofVoice: 2)["ratio"] == "1.542210825")
    #expect(words(Self.trio, []).values(ofVoice: 1)["cents"] == "400")
    #expect(words(Self.degrees, []).values(ofVoice: 1) == ["voice": "2", "degree": "-6"])
    #expect(words(Self.chord, []).values(ofVoice: 1) == ["voice": "2", "note": "60"])
  }

  @Test func aMapIsReadAsItIsWritten() throws {
    let map = try LeadMap(parsing: "C:4,7;D:3,8;others:-,12")
    #expect(try LeadMap(parsing: map.description) == map)
  }

  /// A shell's own braces are not places.
  @Test func onlyPlacesOfAScoreTakeWords() {
    let line = CommandTemplate(["echo ${x:-1} {input} {gain}"])
    #expect(line.places == ["input", "gain"])
    #expect(line.settingNames == ["gain"])
    #expect(line.filled(["input": "a", "gain": "2"]) == ["echo ${x:-1} a 2"])
    #expect(CommandTemplate(["{tone12} {interval0} {note9}"]).settingNames.count == 3)
  }

  @Test func scoresThatTheWordsTellAreAccepted() {
    let cases: [(Score, [String])] = [
      (Self.tuned, ["{key}", "{scale}"]), (Self.tuned, ["{keyNumber}", "{scale}"]),
      (Self.tuned, ["{tones}"]), (Self.tuned, Self.tones),
      (Self.degrees, Self.tones + ["{degree}"]), (Self.degrees, ["{tones}", "{degrees}"]),
      (Self.degrees, ["{tones}", "{degree1}", "{degree2}", "{degree3:1}"]),
      (Self.map, ["{map}"]), (Self.trio, ["{intervals}"]), (Self.trio, ["{ratio}"]),
      (Self.trio, ["{interval1}", "{interval2}", "{interval3}"]),
      (Self.trio, ["{interval1}", "{interval2}", "{interval3}"] + ["{interval4:0}"]),
      (Self.chord, ["{note1}", "{note2}", "{note3}"]), (Self.chord, ["{note}"]),
      (Self.chord, ["{chord}"]), (Self.chord, ["{midi}"]),
    ]
    for (score, places) in cases {
      #expect(words(score, places).gap == nil, "\(places)")
      #expect(words(score, places).emptyPlace == nil, "\(places)")
    }
  }

  @Test func aScoreThatTheWordsCannotTellNamesThePlaceToAdd() {
    let cases: [(Score, [String], String)] = [
      (Self.tuned, ["{semitones}"], "add {key} and {scale}, {tones}, or {tone0} to {tone11}"),
      (Self.tuned, ["{key}"], "no place for the scale of the key of the score 'tuned', Bb minor"),
      (Self.tuned, ["{scale}"], "add {key} or {keyNumber}"),
      (Self.tuned, Self.tones.filter { $0 != "{tone7}" }, "some tones"),
      (Self.tuned, Self.tones.filter { $0 != "{tone7}" }, "add {tone7}"),
      (Self.degrees, ["{degrees}"], "the tones of the key"),
      (Self.degrees, ["{tones}"], "add {degree} or {degrees} or {degree1}"),
      (Self.degrees, ["{tones}", "{degree1}"], "add {degree2}"),
      (Self.map, Self.tones, "add {map}"),
      (Self.trio, ["{notes}"], "add {semitones} or {intervals} or {interval1}"),
      (Self.trio, ["{interval1}", "{interval3}"], "has places for 1 of the intervals"),
      (Self.chord, ["{semitones}"], "add {midi} or {notes} or {note1}"),
    ]
    for (score, places, expected) in cases {
      let gap = words(score, places).gap ?? "none"
      #expect(gap.contains(expected), "\(places): \(gap)")
    }
    let changing = Score(
      id: "two",
      .chords(
        [ChordChange(atSeconds: 0, try! Chord(named: "C")), ChordChange(atSeconds: 1, nil)],
        lowest: NoteNumber(48)))
    #expect(words(changing, ["{notes}"]).gap?.contains("changing notes") == true)
  }

  /// MIDI files have keys only, so a quarter tone would be sung a quarter tone off.
  @Test func notesBetweenKeysNeedMoreThanMIDI() {
    let between = Score(
      id: "between", .notes([NoteAction(atSeconds: 0, press: [NoteNumber(60.5)])]))
    #expect(words(between, ["{midi}"]).gap?.contains("between two keys") == true)
    #expect(words(between, ["{notes}"]).gap == nil)
    #expect(filled(between, "{notes}") == "60.5")
  }

  @Test func aPlaceWithoutAWordForNothingIsNamed() {
    let empty = words(Self.trio, ["{intervals}", "{key}"]).emptyPlace ?? "none"
    #expect(empty.contains("{key}, which the score 'trio' has nothing for; write {key:WORD}"))
    let tone = words(Self.trio, ["{intervals}", "{tone3:0,1}"]).emptyPlace ?? "none"
    #expect(tone.contains("write {tone3:0,1,WORD}"))
    #expect(words(Self.trio, ["{intervals}", "{tone3:0,1,1}"]).emptyPlace == nil)
    #expect(words(Self.tuned, ["{tones}", "{semitones:0}"]).emptyPlace == nil)
    #expect(
      words(Self.trio, ["{interval1}", "{interval2}", "{interval3}", "{interval4}"])
        .emptyPlace?.contains("{interval4}") == true)
  }

  @Test func wordsOfOneVoiceAreCalledForEach() {
    #expect(words(Self.trio, ["{ratio}"]).areOfOneVoice)
    #expect(words(Self.degrees, ["{degree}"]).areOfOneVoice)
    #expect(words(Self.trio, ["{intervals}", "{voice}"]).areOfOneVoice)
    #expect(!words(Self.trio, ["{intervals}"]).areOfOneVoice)
    #expect(!words(Self.tuned, ["{semitones:0}", "{tones}"]).areOfOneVoice)
  }
}
