import Files
import Foundation
import Subjects

/// The reviewed file of accepted answers: a line for each, in a fixed order.
extension GateBench {
  private static let title = "choir-eval.bench/1"

  /// - Throws: `GateError.baseline` with the line.
  init(reading url: URL) throws(GateError) {
    let file = try AcceptedFile(reading: url, titles: [Self.title])
    answers = [:]
    for (index, line) in file.lines.enumerated().dropFirst() {
      let columns = line.components(separatedBy: "\t")
      guard columns.count == 4,
        let verdict = RobustnessTrial.Answer.Verdict(rawValue: columns[2])
      else {
        throw file.error(
          index + 1, "must be subject, sound, good, poor or undefined, and words, with tabs")
      }
      answers[Place(configuration: columns[0], sound: columns[1])] =
        Answer(verdict: verdict, words: columns[3])
    }
  }

  var text: String {
    (["# \(Self.title)"]
      + answers.sorted { $0.key < $1.key }.map { place, answer in
        [place.configuration, place.sound, answer.verdict.rawValue, answer.words]
          .map(\.oneLine).joined(separator: "\t")
      }).joined(separator: "\n") + "\n"
  }

  /// Writes the file completely or not at all, even if the process is killed.
  package func write(to url: URL) throws {
    try WholeFile.write(text, to: url.path, makingFolder: true)
  }
}

extension Gate {
  /// File of the accepted answers, beside the baseline.
  package var benchFile: URL {
    baselineFile.deletingPathExtension().appendingPathExtension("bench.tsv")
  }

  /// Returns the accepted answers, or `nil` if there are none yet; throws if they can't be read.
  package func readBench() throws(GateError) -> GateBench? {
    guard FileManager.default.fileExists(atPath: benchFile.path) else { return nil }
    return try GateBench(reading: benchFile)
  }
}
