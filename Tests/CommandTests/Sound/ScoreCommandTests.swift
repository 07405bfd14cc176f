import Foundation
import TestSupport
import Testing

@Suite struct ScoreCommandTests {
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
