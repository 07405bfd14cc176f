import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Platform

struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Score a pitch series, notes or chords against the truth, as mir_eval does.",
    discussion: """
      Use it to compare a tracker or transcriber with annotations by the measures that publications use. \
      Both files are tables of one kind, with commas, tabs or spaces, with or without a header:

        pitch    time and Hz; 0 is unvoiced, and a negative pitch is a guess for an unvoiced frame
        notes    start, end and Hz
        chords   start, end and label, such as C:min7/b3; N is none

        choir-eval analyze in.wav --write f0 --output mine.csv
        choir-eval score truth.csv mine.csv

      For chords, it also lists each reference chord as right or wrong, with the seconds from its start to \
      the right answer.

      Measures and names are those of mir_eval.melody, .transcription and .chord with their defaults.

      Exit codes: 0 scored; 2 a file can't be scored; 64 misuse.
      """)

  @Argument(help: "Table with the truth.", completion: .file()) var reference: String
  @Argument(help: "Table to score.", completion: .file()) var estimate: String
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let wanted = try ScoredFile(reading: URL(fileURLWithPath: reference))
    let found = try ScoredFile(reading: URL(fileURLWithPath: estimate))
    let scores = try found.scores(against: wanted)
    let answers = found.answers(to: wanted)
    guard !json else {
      return print(
        try JSON.text(
          [
            "schema": "choir-eval.score/1", "reference": reference, "estimate": estimate,
            "kind": wanted.kind,
            "answers": answers.map { answer in
              [
                "start": answer.wanted.onsetSeconds, "wanted": answer.wanted.label,
                "answer": answer.label, "right": answer.seconds != nil,
                "seconds": JSONObject.orNull(answer.seconds),
              ] as JSONObject
            },
            "scores": Dictionary(uniqueKeysWithValues: scores.map { ($0.name, $0.value) }),
          ] as JSONObject))
    }
    var table = TextTable(header: ["measure", "value"])
    table.rows = scores.map { [$0.name, fixed($0.value, 4)] }
    print(table.text())
    guard !answers.isEmpty else { return }
    var list = TextTable(header: ["start", "wanted", "answer", "", "after s"])
    list.rows = answers.map { answer in
      [
        fixed(answer.wanted.onsetSeconds, 2), answer.wanted.label, answer.label,
        answer.seconds == nil ? "wrong" : "right", answer.seconds.map { fixed($0, 1) } ?? "–",
      ]
    }
    let right = answers.count { $0.seconds != nil }
    print("\n\(list.text())\n\(right) of \(counted(answers.count, "chord")) right")
  }
}
