import Corpus
import Foundation
import Platform
import Subjects

/// The sheet of a test tape: what is where on it. Times are in seconds from its beginning.
public struct TapeSheet: Codable, Equatable, Sendable {
  public static let currentSchema = "choir-eval.tape/1"

  public var schema = TapeSheet.currentSchema
  /// Name of the plan or tier that it was made from.
  public var plan: String
  /// SHA-256 of the tape's file.
  public var sha256: String
  public var sampleRateHz: Double
  public var durationSeconds: Double
  /// Gain of everything on the tape, so that nothing clips.
  public var gainDb: Double
  /// Beginnings of the marks.
  public var marks: [Double]
  /// Beginning of the steps of level.
  public var stepsAtSeconds: Double
  public var tests: [Test]
  public var parts: [Part]
  /// The plan's scores.
  public var scores: [Score]

  /// A recording on the tape.
  public struct Part: Codable, Equatable, Sendable {
    public var recording: String
    /// Digest of the recording in the corpus.
    public var digest: String
    public var atSeconds: Double
    /// Number of samples at the recording's own rate.
    public var samples: Int
    public var sampleRateHz: Double

    public var seconds: Double { Double(samples) / sampleRateHz }
  }

  /// A test signal on the tape.
  public struct Test: Codable, Equatable, Sendable {
    public var name: TapeTest
    public var atSeconds: Double
  }

  package init(
    plan: String, sampleRateHz: Double, marks: [Double], stepsAtSeconds: Double, tests: [Test],
    parts: [Part], scores: [Score]
  ) {
    (self.plan, self.sampleRateHz) = (plan, sampleRateHz)
    (self.marks, self.stepsAtSeconds, self.tests) = (marks, stepsAtSeconds, tests)
    (self.parts, self.scores) = (parts, scores)
    (sha256, durationSeconds, gainDb) = ("", 0, 0)
  }

  // MARK: File

  public init(reading url: URL) throws {
    func fail(_ problem: String) -> Refusal {
      Refusal("\(url.relativePath): \(problem)")
    }
    do {
      let root = try YAMLFile.mapping(
        of: YAMLFile.text(of: url),
        content: "the sheet of a tape is written by choir-eval tape make")
      self = try YAMLFile.decoded(root) { _ in
      } checking: { (sheet: TapeSheet) in
        if sheet.schema != Self.currentSchema {
          throw YAMLProblem(
            text:
              "is of schema '\(sheet.schema)', and this build reads \(Self.currentSchema); name "
              + "the sheet that was written with the tape")
        }
        if sheet.marks.count < 2 || sheet.parts.isEmpty {
          throw YAMLProblem(text: "has fewer than two marks or no parts; make the tape again")
        }
      }
    } catch let problem as YAMLProblem { throw fail(problem.text) }
  }

  /// The sheet as JSON, which is YAML, below a comment.
  public func text() throws -> String {
    "# What is where on a test tape, in seconds. choir-eval tape read needs this file.\n"
      + (try JSONEncoder.readable.text(self)) + "\n"
  }

  // MARK: Corpus

  /// Checks that the corpus still has the recordings of the tape.
  public func check(against corpus: Corpus) throws {
    for part in parts {
      guard let entry = corpus.entries.first(where: { $0.id == part.recording }) else {
        throw Refusal(
          "the tape has '\(part.recording)', which is not in the corpus \(corpus.folder.relativePath); "
            + "name the corpus that it was made from with --corpus")
      }
      guard try corpus.digest(of: entry) == part.digest else {
        throw Refusal(
          "the recording '\(part.recording)' has changed since the tape was made; make the tape again, "
            + "or restore the recording")
      }
    }
  }
}
