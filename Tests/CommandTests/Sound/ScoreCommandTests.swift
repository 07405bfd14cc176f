import Foundation
import TestSupport
import Testing

@Suite struct ScoreCommandTests {
  /// The second chord is played half a second late, the third never.
  @Test func everyWantedChordIsRightOrWrong() throws {
    let shell = try Shell()
    try shell.write("0,2,C\n2,4,A:min\n4,6,G\n", "wanted.csv")
    try shell.write("0,2.5,C:maj\n2.5,4,A:min/b3\n4,6,G:7\n", "mine.csv")
    let answer = try shell.type("choir-eval score wanted.csv mine.csv")
    #expect(answer.output.contains("2 of 3 chords right"), "\(answer.output)\(answer.errors)")
    let found = try shell.type("choir-eval score wanted.csv mine.csv --json").json()
    let answers = try #require(found["answers"] as? [[String: Any]])
    #expect(answers.map { $0["right"] as? Bool } == [true, true, false])
    #expect(answers.map { $0["seconds"] as? Double } == [0, 0.5, nil])
    #expect(answers[2]["answer"] as? String == "G:7")
  }

  /// The chord that sounds longest counts, from its first sound on, in however many parts.
  @Test func aChordInPartsIsOneAnswer() throws {
    let shell = try Shell()
    try shell.write("0,2,C\n2,4,C\n", "wanted.csv")
    try shell.write("0,.8,C\n.8,1,F\n1,2,C\n2,2.4,C\n2.4,2.9,F\n2.9,3.3,C\n", "mine.csv")
    let found = try shell.type("choir-eval score wanted.csv mine.csv --json").json()
    let answers = try #require(found["answers"] as? [[String: Any]])
    #expect(answers.map { $0["right"] as? Bool } == [true, true])
    #expect(answers.map { $0["seconds"] as? Double } == [0, 0])
  }

  /// The table of another tracker, with its confidence, is a pitch series: 300 cents off, nothing is right.
  /// A byte order mark, as Excel writes it, changes nothing.
  @Test func tablesOfOtherProgramsArePitch() throws {
    let shell = try Shell()
    try shell.write("time,frequency,confidence\n0,261.6,.9\n.01,261.6,.9\n", "a.csv")
    try shell.write("time,frequency,confidence\n0,220,.9\n.01,220,.9\n", "b.csv")
    try shell.write("\u{FEFF}0,220\n.01,220\n", "c.csv")
    func accuracy(_ names: String) throws -> Double? {
      let found = try shell.type("choir-eval score \(names) --json").json()
      return (found["scores"] as? [String: Double])?["Raw Pitch Accuracy"]
    }
    #expect(try accuracy("a.csv b.csv") == 0)
    #expect(try accuracy("b.csv c.csv") == 1)
  }

  /// A table of analyze is equal to itself: every frame is right, and none is a false alarm.
  @Test func aPitchTableIsEqualToItself() throws {
    let shell = try Shell()
    let analysis = try shell.type("choir-eval analyze in.wav --write pitch --output a.csv")
    #expect(analysis.status == 0)
    let answer = try shell.type("choir-eval score a.csv a.csv --json")
    #expect(answer.status == 0)
    #expect(
      try answer.json()["scores"] as? [String: Double] == [
        "Voicing Recall": 1, "Voicing False Alarm": 0, "Raw Pitch Accuracy": 1,
        "Raw Chroma Accuracy": 1, "Overall Accuracy": 1,
      ])
    let other = try shell.type("echo '0 1 C' > chords.lab; choir-eval score a.csv chords.lab")
    #expect(other.status == 2)
  }
}
