import Foundation
import Platform
import TestSupport
import Testing

@testable import Corpus

/// Figures of scripts/vectors/score.py, which mir_eval computed.
@Suite struct ScoreTests {
  private struct Golden: Decodable {
    struct Case: Decodable {
      var kind, reference, estimate: String
      var scores: [String: Double]
    }
    var cases: [Case]
  }

  private let scratch = try! TemporaryFolder()

  @Test func figuresAreThoseOfMirEval() throws {
    let cases = try golden("score.json", as: Golden.self).cases
    #expect(Set(cases.map(\.kind)) == ["melody", "notes", "chords"])
    for (index, one) in cases.enumerated() {
      let found = try ScoredFile(reading: scratch.write(one.estimate, to: "estimate.txt"))
        .scores(against: ScoredFile(reading: scratch.write(one.reference, to: "reference.txt")))
      #expect(Set(found.map(\.name)) == Set(one.scores.keys))
      for (name, value) in found {
        // Sums in another order differ in the last digits.
        #expect(abs(value - one.scores[name]!) < 1e-9, "case \(index), \(name)")
      }
    }
  }

  @Test(
    arguments: [
      ("time_s,f0_hz,voicing\n0.0000,200.000,0.9\n0.0050,0.000,0.1\n", .pitch),
      ("time,frequency,confidence\n0,440,0.9\n0.01,441,0.9\n", .pitch),
      ("time,f0\n0,220\n", .pitch), ("0.01 220\n0.02 -220\n", .pitch), ("0;220\n1;0", .pitch),
      ("onset_s,offset_s,f0_hz,midi\n0.1,0.4,220,57\n", .notes), ("0\t1\t220\n", .notes),
      ("0.0 1.5 C:min(*5,b6)\n1.5 2 N\n", .chords), ("onset_s,offset_s,label\n0,1,C\n", .chords),
    ] as [(String, ScoredFile.Kind)])
  func theKindFollowsFromTheColumns(text: String, kind: ScoredFile.Kind) throws {
    #expect(try ScoredFile(reading: scratch.write(text, to: "file.txt")).kind == kind)
  }

  @Test func aByteOrderMarkIsNoHeader() throws {
    let text = "0 1 C\n1 2 G\n"
    let plain = try ScoredFile(reading: scratch.write(text, to: "plain.txt"))
    let marked = try ScoredFile(reading: scratch.write("\u{FEFF}" + text, to: "marked.txt"))
    #expect(marked.answers(to: plain).map(\.seconds) == [0, 0])
    #expect(plain.answers(to: marked).count == 2)
  }

  /// A chord that is interrupted counts whole, from its first stretch.
  @Test(
    arguments: [
      ("0 .8 C\n.8 1 F\n1 2 C\n", "C", 0), ("0 .5 F\n.5 .9 C\n.9 1.3 G\n1.3 1.7 C\n", "C", 0.5),
      ("0 1 F\n1 2 C\n", "F", nil),
    ] as [(String, String, Double?)])
  func aChordIsAnsweredByAllItsStretches(text: String, label: String, seconds: Double?) throws {
    let wanted = try ScoredFile(reading: scratch.write("0 2 C\n", to: "wanted.txt"))
    let found = try ScoredFile(reading: scratch.write(text, to: "found.txt"))
    let answer = try #require(found.answers(to: wanted).first)
    #expect(answer.label == label && answer.seconds == seconds)
  }

  @Test(arguments: [
    ("", "has no rows"), ("0.1 200\n0.1 200\n", "txt:2: the time 0.1 s"),
    ("0 1 -3\n", "more than 0"), ("0 0 200\n", "an end after its start"),
    ("0 x 200\n", "write a number"), ("5 6 C\n0 1 C\n", "sort the rows by time"),
    ("0 1 C\n1 2 H\n", "file.txt:2: 'H' is no chord; write it in the syntax of Harte"),
  ])
  func mistakesAreNamed(text: String, words: String) throws {
    let file = try scratch.write(text, to: "file.txt")
    let error = #expect(throws: Refusal.self) { try ScoredFile(reading: file) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func twoKindsCantBeScored() throws {
    let pitch = try ScoredFile(reading: scratch.write("0 220\n", to: "pitch.txt"))
    let chords = try ScoredFile(reading: scratch.write("0 1 C\n", to: "chords.txt"))
    #expect(throws: Refusal.self) { try pitch.scores(against: chords) }
  }

  @Test(arguments: ["H", "C:/3", "C:maj14", "C:(14)", "Cb#", "C:maj/0", "Cm"])
  func aStrangeLabelIsNoChord(label: String) throws {
    #expect(ChordLabel(label) == nil)
  }
}
