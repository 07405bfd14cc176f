import Statistics

/// Tells listeners who heard and repeat themselves from those who guessed or hurried.
///
/// Screening never looks at which system a listener prefers.
///
/// - Source: ITU-R BS.1534-3, post-screening, for the hidden reference. It has the same limits for an
///   anchor of 7 kHz; for one of 3.5 kHz, and for repeats and time, the limits are this project's.
struct ListenerScreening {
  /// Score below which the hidden reference is not recognized, and above which the anchor is not.
  private static let limit = 90.0
  /// Largest share of trials in which that may happen.
  private static let maxShare = 0.15
  /// Shortest time in which a trial can be heard, and the largest share of hurried trials.
  private static let shortestSeconds = 2.0
  private static let maxHurried = 0.25
  /// Smallest number of repeated trials that tells anything.
  private static let minRepeats = 4

  let test: ListeningTest

  /// Returns the reason to leave a listener out; `nil` if there is none.
  func reason(against listener: ListeningAnswers) -> String? {
    let answers = listener.answers
    guard !answers.isEmpty else { return "no trial is answered" }
    let hurried = answers.count { $0.seconds < Self.shortestSeconds }
    if Double(hurried) > Self.maxHurried * Double(answers.count) {
      return "\(hurried) of \(answers.count) trials took less than 2 s"
    }
    return test.method == .mushra ? mushra(answers) : repeated(answers)
  }

  private func mushra(_ answers: [ListeningAnswers.Answer]) -> String? {
    func scores(_ role: ListeningTest.Stimulus.Role) -> [Double] {
      answers.flatMap { answer in
        (answer.scores ?? [:]).filter { test.stimulus($0.key)?.role == role }.map(\.value)
      }
    }
    let (references, anchors) = (scores(.reference), scores(.anchor))
    let missed = references.count { $0 < Self.limit }
    if Double(missed) > Self.maxShare * Double(references.count) {
      return
        "the hidden reference has less than 90 points in \(missed) of \(references.count) trials"
    }
    let praised = anchors.count { $0 > Self.limit }
    if Double(praised) > Self.maxShare * Double(anchors.count) {
      return "the anchor has more than 90 points in \(praised) of \(anchors.count) trials"
    }
    return nil
  }

  /// Compares repeated trials with their first answers.
  private func repeated(_ answers: [ListeningAnswers.Answer]) -> String? {
    let byTrial = Dictionary(answers.map { ($0.trial, $0) }) { first, _ in first }
    let pairs = test.trials.compactMap { trial in
      trial.repeats.flatMap { earlier in
        byTrial[earlier].flatMap { first in byTrial[trial.id].map { (first, $0) } }
      }
    }
    guard pairs.count >= Self.minRepeats else { return nil }
    if test.method == .pairs {
      // A turned preference is worse than a difference that was heard once.
      let decided = pairs.filter { $0.preferred != nil && $1.preferred != nil }
      let turned = decided.count { $0.preferred != $1.preferred }
      return decided.count >= Self.minRepeats && 2 * turned >= decided.count
        ? "\(turned) of \(decided.count) repeated preferences are turned" : nil
    }
    let scores = pairs.flatMap { first, second in
      (first.scores ?? [:]).compactMap { id, score in
        second.scores?[id].map { (score, $0) }
      }
    }
    guard let correlation = Statistics.pearson(scores.map(\.0), scores.map(\.1)) else {
      return "all scores of the repeated trials are equal"
    }
    return correlation <= 0 ? "the scores of repeated trials have nothing in common" : nil
  }
}
