import Foundation
import Platform

/// The answers of one listener, as the page of a test saves them.
package struct ListeningAnswers: Codable, Equatable, Sendable {
  package static let schema = "choir-eval.listening-answers/1"

  package struct Answer: Codable, Equatable, Sendable {
    package var trial: String
    /// Scores by stimulus, 0 to 100; empty for pairs.
    package var scores: [String: Double]?
    /// The better stimulus of a pair; `nil` if there is no difference.
    package var preferred: String?
    /// Time from the first sound of the trial to the answer.
    package var seconds: Double
  }

  package var schema = Self.schema
  /// `ListeningTest.id`.
  package var test: String
  package var listener: String
  package var answers: [Answer]

  package init(test: String, listener: String, answers: [Answer]) {
    (self.test, self.listener, self.answers) = (test, listener, answers)
  }

  /// Reads a file of answers and checks that they are answers to `test`.
  package init(reading url: URL, of test: ListeningTest) throws {
    let answers: ListeningAnswers
    do {
      answers = try JSONDecoder().decode(Self.self, from: GivenFile.data(at: url))
    } catch let error as DecodingError {
      throw Refusal("\(url.path) is not a file of answers: \(error.words)")
    }
    guard answers.schema == Self.schema else {
      throw Refusal("\(url.path) is not a file of answers: its form is '\(answers.schema)'")
    }
    guard answers.test == test.id else {
      throw Refusal(
        "\(url.path) holds answers to another test; pool it with the key of its own test")
    }
    func refuse(_ problem: String) -> Refusal {
      Refusal(url.path, "\(problem); the file was changed, or the test was made again")
    }
    for answer in answers.answers {
      if let problem = answer.problem(in: test) { throw refuse(problem) }
    }
    guard Set(answers.answers.map(\.trial)).count == answers.answers.count else {
      throw refuse("a trial has two answers")
    }
    self = answers
  }
}

extension ListeningAnswers.Answer {
  /// Returns the mistake in the answer; `nil` if there is none.
  fileprivate func problem(in test: ListeningTest) -> String? {
    guard let trial = test.trials.first(where: { $0.id == self.trial }) else {
      return "the test has no trial '\(self.trial)'"
    }
    guard seconds >= 0 else { return "trial \(trial.id) took \(seconds) seconds" }
    if test.method == .pairs {
      return preferred.map { trial.stimuli.contains($0) } ?? true
        ? nil : "trial \(trial.id) has no sound '\(preferred!)'"
    }
    guard let scores, Set(scores.keys) == Set(trial.stimuli) else {
      return "trial \(trial.id) has not one score for each of its sounds"
    }
    return scores.values.allSatisfy { (0...100).contains($0) }
      ? nil : "trial \(trial.id) has a score outside of 0 to 100"
  }
}
