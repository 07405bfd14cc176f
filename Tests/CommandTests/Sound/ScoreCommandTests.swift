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
    let json = try shell.type("choir-eval score wanted.csv mine.csv --json")
    let found = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let answers = try #require(found?["answers"] as? [[String: Any]])
    #expect(answers.map { $0["right"] as? Bool } == [true, true, false])
    #expect(answers.map { $0["seconds"] as? Double } == [0, 0.5, nil])
    #expect(answers[2]["answer"] as? String == "G:7")
  }

  /// A table of analyze is equal to itself: every frame is right, and none is a false alarm.
  @Test func aPitchTableIsEqualToItself() throws {
    let shell = try Shell()
    let analysis = try shell.type("choir-eval analyze in.wav --write pitch --output a.csv")
    #expect(analysis.status == 0)
    let answer = try shell.type("choir-eval score a.csv a.csv --json")
    #expect(answer.status == 0)
    let found = try #require(
      JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
    #expect(
      found["scores"] as? [String: Double] == [
        "Voicing Recall": 1, "Voicing False Alarm": 0, "Raw Pitch Accuracy": 1,
        "Raw Chroma Accuracy": 1, "Overall Accuracy": 1,
      ])
    let other = try shell.type("echo '0 1 C' > chords.lab; choir-eval score a.csv chords.lab")
    #expect(other.status == 2)
  }
}
