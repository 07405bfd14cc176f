import Corpus
import Foundation
import Metrics
import Platform
import Subjects

/// One side of a cost comparison, measured by time.
public protocol CostSide {
  /// Description for a sentence, such as `the program old/choir-eval`.
  var words: String { get }
  /// Returns rounds that each process a second of a synthetic voice.
  func rounds(_ settings: SubjectSettings) throws -> any CostRounds
}

/// A subject that runs in this process.
public struct SubjectSide: CostSide {
  private let id: String
  private let subject: any Subject

  /// - Parameters:
  ///   - id: id of a subject of this package or of the corpus, or a subject's file.
  ///   - corpus: the corpus folder, which may lack recordings.
  public init(_ id: String, in corpus: URL) throws {
    self.id = id
    subject = try Subjects.subject(id: id, in: corpus.appendingPathComponent("subjects"))
  }

  public var words: String { "the subject \(id) \(subject.version)" }

  public func rounds(_ settings: SubjectSettings) throws -> any CostRounds {
    try ProbeBench(subject, settings: settings).costRounds()
  }

  /// - Throws: if the subject is not part of this program.
  public func requireOwn() throws {
    guard subject is any LiveSubject, subject.external == nil else {
      throw Refusal(
        "'\(id)' is an external program, so another build of choir-eval cannot measure it; name a "
          + "subject as --baseline")
    }
  }
}

/// A subject run by another build of this program, or by this one in a separate process.
public struct ProgramSide: CostSide {
  private let path: String
  private let subject: String
  private let corpus: URL

  public init(_ path: String, running subject: String, in corpus: URL) {
    (self.path, self.subject, self.corpus) = (path, subject, corpus)
  }

  public var words: String { "the program \(path)" }

  public func rounds(_ settings: SubjectSettings) -> any CostRounds {
    ProgramRounds(
      running: [path, "probe", subject, "--corpus", corpus.path] + settings.asOptions()
        + ["--cost-rounds"])
  }
}

extension SubjectSettings {
  /// Returns command-line options such as `--set engine=psola`.
  func asOptions(_ option: String = "--set") -> [String] {
    sorted { $0.key < $1.key }.flatMap { [option, "\($0.key)=\($0.value)"] }
  }
}
