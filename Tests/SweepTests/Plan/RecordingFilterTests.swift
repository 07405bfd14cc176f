import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Platform
@testable import Sweep

@Suite struct RecordingFilterTests {
  private func chosen(_ recordings: String) throws -> [String] {
    let rows = [
      "bass-scale,,synthetic:scale-bass,,CC0-1.0,us,bass,sung,a scale",
      "alto-scale,,synthetic:scale-alto,,CC0-1.0,us,alto,sung,a scale with vibrato",
      "alto-talk,,synthetic:talk-alto,,CC0-1.0,us,alto,spoken,a sentence",
    ]
    let scratch = try TemporaryFolder()
    let corpus = try Corpus(folder: scratch.corpus(rows: rows.map { $0 + "," }))
    let plan = try Plan.decoded(
      smallPlan.replacing("recordings: [buzz, probe]", with: "recordings: \(recordings)"))
    return try plan.resolved(in: corpus).recordings
  }

  @Test(arguments: [
    ("[alto-*]", ["alto-scale", "alto-talk"]),
    ("[alto-talk, \"*-scale\"]", ["alto-talk", "bass-scale", "alto-scale"]),
    ("{voice: alto}", ["alto-scale", "alto-talk"]), ("{kind: [spoken, probe]}", ["alto-talk"]),
    ("{kind: sung, shows: \"*vibrato*\"}", ["alto-scale"]),
    ("{technique: scale, not: bass-*}", ["alto-scale"]), ("[\"?ass-*\"]", ["bass-scale"]),
  ])
  func everyKeyMustFit(recordings: String, ids: [String]) throws {
    #expect(try chosen(recordings) == ids)
  }

  @Test(arguments: [
    ("{voice: tenor}", "none of the 3 recordings fits"), ("[soprano-*]", "soprano-*"),
    ("{colour: red}", "line 4: a choice of recordings has no 'colour'; it has id, voice"),
  ])
  func anEmptyChoiceIsRefused(recordings: String, words: String) {
    expectError(words) { try chosen(recordings) }
  }

  @Test(arguments: [
    ("*", "", true), ("a*c", "abc", true), ("a*c", "abcd", false), ("*a*a*", "banana", true),
    ("a**", "a", true), ("?", "", false), ("abab*", "abaab", false), ("*ab", "aab", true),
  ])
  func stars(pattern: String, text: String, fits: Bool) {
    #expect(Wildcard(pattern).matches(text) == fits)
  }
}
