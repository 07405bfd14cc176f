import Corpus
import Foundation
import Platform

/// A short text that reproduces a sound and its fault to the bit.
public struct HuntRecipe: Equatable, Sendable {
  /// Format of the file.
  public var recipe = 1
  /// The subject, as commands take it.
  public var subject: String
  /// All settings of the subject.
  public var settings: SubjectSettings
  public var fault: FaultKind
  /// The sound, by its differences from a plain vowel.
  public var sound: HuntPoint
  public var found: Figures
  /// SHA-256 of the subject's input and output, as 32-bit floats.
  public var input: String
  public var output: String

  /// The fault as it was found.
  public struct Figures: Codable, Equatable, Sendable {
    /// Size in the unit of the fault's kind.
    public var amount: Double
    /// Size in thresholds of hearing.
    public var severity: Double
    public var atSeconds: Double
    public var words: String

    init(_ fault: HuntFault) {
      func short(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
      amount = short(fault.amount)
      severity = short(fault.severity)
      atSeconds = short(fault.atSeconds)
      words = fault.words
    }
  }

  /// - Parameter subject: the subject as the user named it.
  public init(_ finding: HuntFinding, subject: String, on bench: HuntBench) throws {
    let point = finding.after.point
    self.subject = subject
    settings = bench.settings.merging(point.settings) { $1 }
    fault = finding.kind
    sound = point
    sound.settings = [:]
    found = Figures(finding.fault)
    (input, output) = try bench.digests(point)
  }
}

extension HuntRecipe: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case recipe, subject, settings, fault, sound, found, input, output
  }

  /// Reads a recipe file.
  ///
  /// - Throws: a `Refusal` with the file, the key and the remedy.
  public init(reading url: URL) throws(Refusal) {
    do {
      let mapping = try YAMLFile.mapping(
        of: YAMLFile.text(of: url),
        content: "a recipe has 'subject', 'fault' and 'sound'; choir-eval hunt writes it")
      self = try YAMLFile.decoded(mapping) {
        try YAMLProblem.refuse(keysOf: $0, except: CodingKeys.allCases.map(\.rawValue), "a recipe")
      } checking: { (read: Self) in
        guard read.recipe == 1 else {
          throw YAMLProblem(
            text: "is of format \(read.recipe), which this version does not read; update choir-eval"
          )
        }
      }
    } catch {
      let problem = (error as? YAMLProblem)?.text ?? "\(error)"
      throw Refusal("\(url.path): \(problem)")
    }
  }

  /// The file: JSON, which is YAML, below comments.
  ///
  /// - Parameter command: replays the recipe.
  package func text(command: String) throws -> String {
    try Self.comment(sentence) + Self.comment(command) + JSONEncoder.readable.text(self) + "\n"
  }

  /// The finding in a sentence.
  var sentence: String { "\(found.words.capitalizedFirst): \(sound.words)." }

  /// A text as a comment of a file, in one line also where a path has several.
  static func comment(_ text: String) -> String {
    "# " + text.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
  }
}
