import Corpus
import Subjects

/// Any subject that renders one phrase, a program of somebody else's too: its own account of its time
/// counts.
public final class RenderedRounds: CostRounds {
  private let subject: any Subject
  private let request: RenderRequest

  public init(_ subject: any Subject, _ request: RenderRequest) {
    (self.subject, self.request) = (subject, request)
  }

  /// Each rendering begins anew by itself.
  public func renew() {}

  public func seconds(times: Int) throws -> Double {
    try (0..<times).reduce(0) { sum, _ in
      guard let seconds = try subject.render(request).cpuSeconds else {
        throw SubjectError.settings(
          subject: subject.id, problem: "the sounds were rendered elsewhere: it has no cost here")
      }
      return sum + seconds
    }
  }
}

extension ProbeBench {
  /// Readings of what a second of a synthetic voice costs this subject: block by block where it can
  /// be held at work, of whole renderings otherwise.
  public func costRounds() throws -> any CostRounds {
    if live != nil, let rounds = try? LiveRounds(of: self) { return rounds }
    return RenderedRounds(
      subject,
      RenderRequest(
        signal: try ProbeSounds.phrase(seconds: LiveRounds.phraseSeconds), score: usualScore,
        settings: settings, recording: "probe", condition: Condition.clean.canonical))
  }
}
