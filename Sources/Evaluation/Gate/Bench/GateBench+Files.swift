import Foundation
import Subjects

/// The reviewed file of accepted answers: a line for each, in a fixed order.
extension GateBench {
  private static let title = "choir-eval.bench/2"

  /// Reads the accepted answers of a baseline.
  ///
  /// - Parameter accept: command that writes both again.
  /// - Throws: `GateError.ofAnotherBaseline`, or `GateError.baseline` with the line.
  init(reading url: URL, of baseline: Baseline, accept: String) throws(GateError) {
    let file = try AcceptedFile(reading: url, title: Self.title)
    try file.requireBelonging(to: baseline, accept: accept)
    answers = [:]
    for (line, columns) in file.rows {
      guard columns.count == 4,
        let verdict = RobustnessTrial.Answer.Verdict(rawValue: columns[2])
      else {
        throw file.error(
          line, "must be subject, sound, good, poor or undefined, and words, with tabs")
      }
      answers[Place(configuration: columns[0], sound: columns[1])] =
        Answer(verdict: verdict, words: columns[3])
    }
  }

  /// Returns the text of the file, which names the baseline that it belongs to.
  func text(of baseline: Baseline) -> String {
    (["# \(Self.title)", "# \(AcceptedFile.baselineKey): \(baseline.digest)"]
      + answers.sorted { $0.key < $1.key }.map { place, answer in
        [place.configuration, place.sound, answer.verdict.rawValue, answer.words]
          .map(\.oneLine).joined(separator: "\t")
      }).joined(separator: "\n") + "\n"
  }
}
