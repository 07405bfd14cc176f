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

extension HuntRecipe: Recipe {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case recipe, subject, settings, fault, sound, found, input, output
  }

  package static let keys = CodingKeys.allCases.map(\.rawValue)

  package var sentence: String {
    "\(found.words.capitalizedFirst): \(sound.words)."
  }

  package var problem: String? { nil }
}
