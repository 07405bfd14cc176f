import Corpus
import Cost
import Foundation
import Subjects

/// One side of a comparison of costs: whose work it is, by the clock and by count.
public protocol CostSide {
  /// For a sentence: `the program old/choir-eval`.
  var words: String { get }
  /// - Returns: a second of a synthetic voice, as often as is asked.
  func rounds(_ settings: SubjectSettings) throws -> any CostRounds
  func instructions(_ settings: SubjectSettings) throws -> InstructionCount
}

/// A subject in this process, whatever its kind.
public struct SubjectSide: CostSide {
  private let id: String
  private let subject: any Subject
  private let corpus: URL

  /// - Parameters:
  ///   - id: of a subject of this package or of the corpus, or a subject's file.
  ///   - corpus: its folder; it need not have recordings.
  public init(_ id: String, in corpus: URL) throws {
    (self.id, self.corpus) = (id, corpus)
    subject = try Subjects.subject(id: id, in: corpus.appendingPathComponent("subjects"))
  }

  public var words: String { "the subject \(id) \(subject.version)" }

  public func rounds(_ settings: SubjectSettings) throws -> any CostRounds {
    try ProbeBench(subject, settings: settings).costRounds()
  }

  /// - Throws: of a program of somebody else's, which valgrind would not be told of.
  public func instructions(_ settings: SubjectSettings) throws -> InstructionCount {
    try requireOwn()
    return try ProgramSide(SelfProcess.path, running: id, in: corpus).instructions(settings)
  }

  /// - Throws: where the subject is no part of this program.
  public func requireOwn() throws {
    guard subject is any LiveSubject else { throw GateError.notOfThisProgram(subject: id) }
  }
}

/// A subject of another build of this program, or of this one in a process of its own.
public struct ProgramSide: CostSide {
  private let path: String
  private let subject: String
  private let corpus: URL

  public init(_ path: String, running subject: String, in corpus: URL) {
    (self.path, self.subject, self.corpus) = (path, subject, corpus)
  }

  public var words: String { "the program \(path)" }

  public func rounds(_ settings: SubjectSettings) -> any CostRounds {
    ProgramRounds(running: [path, "cost", "rounds"] + arguments(settings))
  }

  public func instructions(_ settings: SubjectSettings) throws -> InstructionCount {
    try InstructionCount(
      of: path, running: ["probe"] + arguments(settings) + ["--run-seconds"])
  }

  private func arguments(_ settings: SubjectSettings) -> [String] {
    [subject, "--corpus", corpus.path] + settings.asOptions()
  }
}

extension SubjectSettings {
  /// For a command line: `--set engine=psola`.
  func asOptions(_ option: String = "--set") -> [String] {
    sorted { $0.key < $1.key }.flatMap { [option, "\($0.key)=\($0.value)"] }
  }
}
