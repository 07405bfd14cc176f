import Foundation
import Testing

@testable import Analyzer

/// Compares with mir_eval's rules and scores, written by `scripts/vectors/chord.py`.
@Suite struct ChordScoreTests {
  struct Vectors: Decodable {
    struct Sequences: Decodable {
      var referenceSeconds: [[Double]]
      var reference: [String]
      var estimateSeconds: [[Double]]
      var estimate: [String]
      var scores: [String: Double]
    }
    /// Pairs of reference and estimate.
    var pairs: [[String]]
    /// Results by rule and pair: 1 equal, 0 different, -1 not comparable.
    var compared: [String: [Int]]
    var refused: [String]
    var sequences: [Sequences]
  }

  private let vectors = try! golden("chord.json", as: Vectors.self)

  private static func spans(_ seconds: [[Double]], _ labels: [String]) throws -> [ChordSpan] {
    try zip(seconds, labels).map {
      ChordSpan(startSeconds: $0[0], endSeconds: $0[1], chord: try ChordLabel($1))
    }
  }

  @Test(arguments: ChordRule.allCases) func rulesAreThoseOfMirEval(rule: ChordRule) throws {
    let expected = try #require(vectors.compared[rule.rawValue])
    #expect(vectors.pairs.count == 400)
    for (pair, expected) in zip(vectors.pairs, expected) {
      let agree = rule.agree(try ChordLabel(pair[0]), try ChordLabel(pair[1]))
      #expect(agree.map { $0 ? 1 : 0 } ?? -1 == expected, "\(rule.rawValue) of \(pair)")
    }
  }

  /// Both programs sum the same durations, so only the last bits may differ.
  @Test func scoresAreThoseOfMirEval() throws {
    #expect(vectors.sequences.count == 24)
    for (index, vector) in vectors.sequences.enumerated() {
      let score = try ChordScore(
        of: Self.spans(vector.estimateSeconds, vector.estimate),
        against: Self.spans(vector.referenceSeconds, vector.reference))
      for rule in ChordRule.allCases {
        let expected = try #require(vector.scores[rule.rawValue])
        #expect(
          abs((score.accuracy[rule] ?? 0) - expected) < 1e-12, "\(rule.rawValue), case \(index)")
      }
      #expect(abs(score.overSegmentation - vector.scores["overseg"]!) < 1e-12, "case \(index)")
      #expect(abs(score.underSegmentation - vector.scores["underseg"]!) < 1e-12, "case \(index)")
      #expect(abs(score.segmentation - vector.scores["seg"]!) < 1e-12, "case \(index)")
    }
  }

  @Test func labelsInvalidInMirEvalThrow() {
    #expect(vectors.refused.count > 20)
    for text in vectors.refused {
      #expect(throws: ChordLabel.Failure.self, "\(text)") { _ = try ChordLabel(text) }
    }
  }

  @Test func emptySequencesHaveNoScore() throws {
    let chord = ChordSpan(startSeconds: 0, endSeconds: 1, chord: try ChordLabel("C"))
    #expect(throws: ChordScore.Failure.empty) { _ = try ChordScore(of: [chord], against: []) }
    let missed = try ChordScore(of: [], against: [chord])
    #expect(missed.accuracy[.root] == 0 && missed.segmentation == 1)
    let unknown = ChordSpan(startSeconds: 0, endSeconds: 1, chord: .unknown)
    #expect(try ChordScore(of: [chord], against: [unknown]).accuracy.isEmpty)
  }

  @Test func invalidSpansThrow() throws {
    let good = ChordSpan(startSeconds: 0, endSeconds: 1, chord: .noChord)
    for (start, end) in [(0.5, 2.0), (1, 1), (-1, 1), (2, .nan), (1, .infinity)] {
      let bad = ChordSpan(startSeconds: start, endSeconds: end, chord: .noChord)
      #expect(throws: ChordScore.Failure.time(index: 1)) {
        _ = try ChordScore(of: [good, bad], against: [good])
      }
    }
  }

  @Test func labelsSurviveJSON() throws {
    let labels = try ["N", "X", "Bb:sus4(b7)/5"].map { try ChordLabel($0) }
    let data = try JSONEncoder().encode(labels)
    #expect(String(decoding: data, as: UTF8.self) == #"["N","X","Bb:sus4(b7)\/5"]"#)
    #expect(try JSONDecoder().decode([ChordLabel].self, from: data) == labels)
    #expect(throws: DecodingError.self) {
      _ = try JSONDecoder().decode([ChordLabel].self, from: Data(#"["H"]"#.utf8))
    }
  }
}
