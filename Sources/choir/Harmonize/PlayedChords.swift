import Analyzer
import CommandSupport
import Foundation
import Music
import Platform

/// The chords of sound that comes in, each held against the one that is wanted.
struct PlayedChords {
  /// A chord that sounds, and whether it is the one that was wanted.
  private struct Row: Encodable {
    var startSeconds: Double
    var knownSeconds: Double
    var chord: String
    var wanted: String?
    var isRight: Bool?
    /// Time from the question to the start of the right answer.
    var seconds: Double?
  }

  private let wanted: [Chord]
  private var recognizer: LiveChordRecognizer
  private var rows: [Row] = []
  private var answerSeconds: [Double] = []
  private var wrongCount = 0
  private var askedSeconds = 0.0

  /// - Parameter wanted: chords to be played one after another; none to name what sounds.
  init(wanting wanted: [Chord], sampleRateHz: Double) {
    self.wanted = wanted
    recognizer = LiveChordRecognizer(sampleRateHz: sampleRateHz)
  }

  private var asked: Chord? {
    answerSeconds.count < wanted.count ? wanted[answerSeconds.count] : nil
  }

  var isComplete: Bool { answerSeconds.count == wanted.count }

  /// Takes the next samples; returns a line for each chord in them.
  mutating func receive(_ samples: [Float]) -> [String] {
    recognizer.receive(samples).compactMap { change in
      guard let chord = change.chord, wanted.isEmpty || asked != nil else { return nil }
      let line = "\(format(change.startSeconds, 1)) s  \(chord)"
      var row = Row(
        startSeconds: change.startSeconds, knownSeconds: change.knownSeconds, chord: "\(chord)")
      defer { rows.append(row) }
      guard let asked else { return line }
      row.wanted = "\(asked)"
      // Time counts from the question, and a chord that was held before it is there at once.
      let seconds = max(0, change.startSeconds - askedSeconds)
      guard chord.root == asked.root, chord.formula == asked.formula else {
        wrongCount += 1
        row.isRight = false
        return "\(line)  wrong, play \(asked)"
      }
      (row.isRight, row.seconds) = (true, seconds)
      answerSeconds.append(seconds)
      askedSeconds = change.knownSeconds
      let next = self.asked.map { "; play \($0)" } ?? ""
      return "\(line)  right, after \(format(seconds, 1)) s\(next)"
    }
  }

  var json: JSONObject {
    ["schema": "choir.played-chords/1", "wanted": wanted.map(\.description), "chords": rows]
  }

  /// The answers in one line; `nil` if nothing was wanted.
  var summary: String? {
    guard !wanted.isEmpty else { return nil }
    let mean =
      answerSeconds.isEmpty ? nil : answerSeconds.reduce(0, +) / Double(answerSeconds.count)
    return "\(answerSeconds.count) of \(wanted.count) right, \(wrongCount) wrong"
      + (mean.map { ", \(format($0, 1)) s on average" } ?? "")
  }
}
