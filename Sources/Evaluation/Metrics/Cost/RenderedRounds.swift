import Corpus
import Platform
import Subjects

/// Rounds of any subject, also an external program, that renders one phrase; the time is that of its
/// rendering.
public final class RenderedRounds: CostRounds {
  private let subject: any Subject
  private let request: RenderRequest

  public init(_ subject: any Subject, _ request: RenderRequest) {
    (self.subject, self.request) = (subject, request)
  }

  /// Does nothing: each rendering is a new instance.
  public func renew() {}

  public func seconds(times: Int) throws -> Double {
    try (0..<times).reduce(0) { sum, _ in
      guard let seconds = try subject.render(request).cpuSeconds else {
        throw Refusal(
          subject.id,
          "its sounds were rendered elsewhere, so it has no cost; choose another subject")
      }
      return sum + seconds
    }
  }
}

extension ProbeBench {
  /// Returns rounds of this subject on a phrase of a synthetic voice: blocks of a live subject, whole
  /// renderings of any other.
  public func costRounds() throws -> any CostRounds {
    if live != nil, let rounds = try? LiveRounds(of: self) { return rounds }
    return RenderedRounds(
      subject,
      RenderRequest(
        signal: try ProbeSounds.phrase(seconds: LiveRounds.phraseSeconds), score: defaultScore,
        settings: settings, recording: "probe", condition: Condition.clean.canonical))
  }
}
