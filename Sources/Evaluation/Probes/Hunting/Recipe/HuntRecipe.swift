import Corpus
import DSP
import Foundation
import Platform
import Subjects

/// A short text that reproduces a sound and its fault to the bit.
public struct HuntRecipe: Codable, Equatable, Sendable {
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

extension HuntBench {
  /// Returns the digests of a point's input and output. A subject that fails has no output.
  func digests(_ point: HuntPoint) throws -> (input: String, output: String) {
    let sound = try HeardPoint(point)
    let output = try? subject.render(sound.request(settings)).mix
    return (
      Digest.sha256(sound.heard.samples.data),
      output.map { Digest.sha256($0.samples.data) } ?? "none"
    )
  }
}

/// A recipe that was rendered and judged again.
public struct HuntReplay: Sendable {
  public let recipe: HuntRecipe
  /// The fault now; `nil` if it is gone.
  public let now: HuntFault?
  /// All faults of the sound now.
  public let judgement: Judgement
  /// True if the subject received the same samples as then.
  public let isSameInput: Bool
  /// True if it gave the same samples.
  public let isSameOutput: Bool

  /// - Parameter subject: the subject that the recipe names.
  public init(_ recipe: HuntRecipe, by subject: any Subject) throws {
    let bench = try HuntBench(subject, settings: recipe.settings)
    self.recipe = recipe
    judgement = bench.judge(recipe.sound)
    now = judgement.fault(recipe.fault)
    let (input, output) = try bench.digests(recipe.sound)
    (isSameInput, isSameOutput) = (input == recipe.input, output == recipe.output)
  }
}
