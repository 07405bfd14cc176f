import DSP
import Harmonizer

/// A system under test: something that makes a choir of a voice.
public protocol Subject: Sendable {
  var id: String { get }
  /// Raised whenever the same input and settings give another output.
  var version: String { get }
  /// Throws where the settings can't be honoured, before anything runs.
  func validate(_ settings: SubjectSettings, for score: Score) throws
  /// - Parameter score: what each voice is to sing, against the pitch of this very signal.
  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering
}

/// What a subject made of a recording.
public struct Rendering: Sendable {
  /// As long as the input and at its rate.
  public var mix: Signal
  /// The voices by themselves, in the order of the score.
  public var stems: [Signal]
  /// What the subject says of its own delay.
  public var reportedLatencyMs: Double?
  /// Time on a core, without the making of the subject.
  public var cpuSeconds: Double
  public var truthLog: TruthLog?
  public var tuningLog: TuningLog?
}

/// The subjects that this version knows.
public enum Subjects {
  public static let all: [any Subject] = [ReferenceSubject(), AutoTunerSubject()]

  public static func subject(id: String) throws -> any Subject {
    guard let subject = all.first(where: { $0.id == id }) else {
      throw EvaluationError.settings(
        subject: id, problem: "no such subject; there is \(all.map(\.id).joined(separator: ", "))")
    }
    return subject
  }
}
