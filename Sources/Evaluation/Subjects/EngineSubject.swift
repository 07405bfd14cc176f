import Corpus
import DSP
import Harmonizer

/// An engine of the reference harmonizer as a subject: `psola` is `reference` with `engine: psola`.
///
/// Settings: those of `ReferenceSubject` and `ThroughEffects`, without `engine`.
public struct EngineSubject: Subject {
  /// The engines by name.
  public static let all = ChoirEngine.names.map { EngineSubject(id: $0) }

  /// The engine's name.
  public let id: String

  private static let choir = ThroughEffects(ReferenceSubject())

  public var version: String { Self.choir.version }

  public func settingNames(beside settings: SubjectSettings) -> [String]? {
    guard let own = try? own(settings) else { return nil }
    return Self.choir.settingNames(beside: own)?.filter { $0 != Self.setting }
  }

  /// The setting that the name stands for.
  private static let setting = "engine"

  public func validate(_ settings: SubjectSettings, for score: Score) throws {
    try named { try Self.choir.validate(own(settings), for: score) }
  }

  public func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    try named { try Self.choir.render(signal, score: score, settings: own(settings)) }
  }

  /// Gives the errors of `work` this subject's name.
  fileprivate func named<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as SubjectError {
      switch error {
      case .settings(_, let problem): throw SubjectError.settings(subject: id, problem: problem)
      case .failed(_, let cause): throw SubjectError.failed(subject: id, cause: cause)
      }
    }
  }

  /// Returns the reference harmonizer's settings.
  ///
  /// - Throws: `SubjectError` if they ask for another engine.
  private func own(_ settings: SubjectSettings) throws -> SubjectSettings {
    if let other = settings[Self.setting], "\(other)" != id {
      throw SubjectError.settings(
        subject: id,
        problem: "is an engine, but the setting engine asks for '\(other)'; leave the setting out, "
          + "or name the subject 'reference'")
    }
    return settings.merging([Self.setting: .text(id)]) { $1 }
  }
}

extension EngineSubject: LiveSubject {
  public func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    try named { try Self.choir.start(score, settings: own(settings), sampleRateHz: sampleRateHz) }
  }
}
