import Foundation
import Platform
import Statistics

/// The result of a listening test: scores of the systems with intervals, who was left out, how small a
/// difference the test could find, and which metrics agree with the listeners.
package struct PooledAnswers: Codable, Equatable, Sendable {
  /// Version of the JSON form.
  package static let schema = "choir-eval.pooled-answers/1"

  /// The score of one system.
  package struct Score: Codable, Equatable, Sendable {
    /// A setting's label, or `hidden reference` and `anchor`.
    package var label: String
    /// Index among the test's systems; `nil` for reference and anchor.
    var system: Int?
    /// Points from 0 to 100; of pairs the share of choirs of the test to which it is preferred, in
    /// percent.
    package var score: Double
    /// Holds the score for all listeners with 95 %; of MUSHRA and ratings also for all such clips.
    package var interval: ClosedRange<Double>
    /// Place among the systems from the best, 1; those that can't be told from the first of a place
    /// share it. `nil` for reference and anchor.
    package var place: Int?
  }

  /// The difference of two systems, the better one first.
  package struct Difference: Codable, Equatable, Sendable {
    package var better: Int
    package var worse: Int
    package var difference: Double
    package var interval: ClosedRange<Double>
    /// Two-sided, corrected for all pairs by Holm's method.
    package var pValue: Double
  }

  /// A listener who was left out.
  package struct Excluded: Codable, Equatable, Sendable {
    package var listener: String
    package var reason: String
  }

  package var schema = Self.schema
  package var test: String
  package var method: ListeningTest.Method
  package var listeners: [String]
  package var excluded: [Excluded]
  /// Number of answered trials that count.
  package var answers: Int
  /// Scores of all systems, the best first.
  package var scores: [Score]
  package var differences: [Difference]
  /// Smallest difference of two systems that such a test finds with a probability of 80 %.
  package var smallestDifference: Double
  /// Number of listeners who would find a difference of 10 points so; `nil` if no number would.
  package var listenersForTenPoints: Int?
  /// Mean score of each system on each clip; `nil` where nobody answered.
  var byClip: [[Double?]]
  /// Agreement with each metric; empty without the run.
  package var metrics: [MetricAgreement] = []

  /// - Throws: a `Refusal`.
  package init(_ answers: [(file: String, ListeningAnswers)], to test: ListeningTest) throws {
    for (listener, own) in Dictionary(grouping: answers, by: \.1.listener).sorted(by: {
      $0.key < $1.key
    })
    where own.count > 1 {
      throw Refusal(
        "'\(listener)' answered twice (\(own.map(\.file).joined(separator: ", "))); leave out one "
          + "of the files"
      )
    }
    let screening = ListenerScreening(test: test)
    var (kept, excluded): ([ListeningAnswers], [Excluded]) = ([], [])
    for (_, own) in answers {
      if let reason = screening.reason(against: own) {
        excluded.append(Excluded(listener: own.listener, reason: reason))
      } else {
        kept.append(own)
      }
    }
    guard kept.count > 1 else {
      throw Refusal(
        "\(kept.count) listener\(kept.count == 1 ? "" : "s") can be pooled"
          + (excluded.count > 0 ? ", \(excluded.count) screened out" : "")
          + "; an interval needs at least two")
    }
    let sheet = AnswerSheet(kept, of: test)
    let result = test.method == .pairs ? sheet.preferences() : sheet.ratings()
    self.test = test.title
    method = test.method
    listeners = kept.map(\.listener)
    self.excluded = excluded
    self.answers = kept.reduce(0) { $0 + $1.answers.count }
    differences = result.differences
    smallestDifference = result.smallestDifference
    listenersForTenPoints = result.listenersForTenPoints
    byClip = sheet.byClip
    scores = Self.placed(result.scores, result.differences)
  }

  /// Sorts the scores and gives systems that can't be told from the first of a place the same place;
  /// reference and anchor have none.
  private static func placed(_ scores: [Score], _ differences: [Difference]) -> [Score] {
    var sorted = scores.sorted { $0.score > $1.score }
    var (first, count): ((system: Int, place: Int)?, Int) = (nil, 0)
    for index in sorted.indices {
      guard let system = sorted[index].system else { continue }
      count += 1
      let isTied =
        first.map { head in
          !differences.contains {
            $0.better == head.system && $0.worse == system && $0.pValue < 0.05
          }
        } ?? false
      if !isTied { first = (system, count) }
      sorted[index].place = first!.place
    }
    return sorted
  }
}
