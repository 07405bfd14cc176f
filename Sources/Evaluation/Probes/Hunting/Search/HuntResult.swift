import Corpus
import Foundation
import Platform
import Statistics

/// The outcome of a hunt, ready to be shown.
public struct HuntResult: Sendable {
  public let subject: String
  public let version: String
  public let settings: SubjectSettings
  public let seed: UInt64
  /// Number of sounds judged.
  public let sounds: Int
  /// Number of those that are ordinary singing, and their duration.
  public let ordinary: Int
  public let ordinaryMinutes: Double
  public let plain: PlainBehaviour
  /// Failures that a second rendering of the same sound did not repeat.
  public let lapses: [String]
  public let findings: [Finding]
  /// Command line that repeats the hunt.
  public let command: String
  public let bench: HuntBench

  /// One finding with its recipe.
  public struct Finding: Sendable {
    public let finding: HuntFinding
    public let recipe: HuntRecipe

    public var kind: FaultKind { finding.kind }
    /// The sound as it was found.
    public var before: Side { Side(finding.before.point, finding.first, finding.before.seconds) }
    /// The simplest sound.
    public var after: Side { Side(finding.after.point, finding.fault, finding.after.seconds) }

    /// Its rate in ordinary singing, in words.
    public var rateInWords: String {
      guard let rate = finding.rate else { return "no ordinary singing was judged" }
      let range = rate.wilson()
      func percent(_ share: Double) -> String { fixed(share * 100, 1) }
      return "\(rate.successes) of \(rate.trials) ordinary performances: \(percent(rate.share)) % "
        + "(95 %: \(percent(range.lowerBound)) to \(percent(range.upperBound)) %), "
        + "\(fixed(finding.perMinute ?? 0, 1)) per minute of singing"
    }
  }

  /// A sound with its fault.
  public struct Side: Sendable {
    /// The differences of the sound from a plain vowel, in words.
    public let sound: String
    public let away: Int
    public let soundSeconds: Double
    public let words: String
    public let amount: Double
    public let severity: Double
    public let atSeconds: Double
    public let confidence: Double
    public let stretch: ClosedRange<Double>?

    init(_ point: HuntPoint, _ fault: HuntFault, _ seconds: Double) {
      (sound, away, soundSeconds) = (point.words, point.awayCount, seconds)
      (words, amount, severity) = (fault.words, fault.amount, fault.severity)
      (atSeconds, confidence, stretch) = (fault.atSeconds, fault.confidence, fault.stretch)
    }
  }

  /// The number of lapses, with the first one, in a sentence; `nil` without any.
  public var lapsesInWords: String? {
    lapses.first.map { first in
      "It failed on \(counted(lapses.count, "sound")) and not when the same was rendered again: \(first)"
    }
  }

  /// - Throws: an error of the subject when it renders a recipe.
  public init(
    subject: String, bench: HuntBench, seed: UInt64, caught: JudgedSounds, findings: [HuntFinding],
    command: String
  ) throws {
    (self.subject, version, settings) = (subject, bench.subject.version, bench.settings)
    (self.seed, self.command, self.bench) = (seed, command, bench)
    (sounds, ordinary) = (caught.judged.count, caught.ordinary.count)
    (ordinaryMinutes, plain) = (caught.ordinaryMinutes, bench.plain)
    lapses = bench.plainLapses + caught.judged.compactMap(\.lapse)
    self.findings = try findings.map {
      Finding(finding: $0, recipe: try HuntRecipe($0, subject: subject, on: bench))
    }
  }
}

extension HuntResult: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let object: JSONObject = [
      "schema": "choir-eval.hunt/1", "subject": subject, "version": version, "settings": settings,
      "seed": seed, "sounds": sounds, "ordinary": ordinary, "ordinaryMinutes": ordinaryMinutes,
      "lapses": lapses, "findings": findings, "command": command,
    ]
    try object.encode(to: encoder)
  }
}

extension HuntResult.Side: Encodable {}

extension HuntResult.Finding: Encodable {
  public func encode(to encoder: any Encoder) throws {
    let range = finding.rate?.wilson()
    let object: JSONObject = [
      "kind": kind, "threshold": kind.threshold, "unit": kind.unit,
      "secondJudge": kind.secondJudge, "found": before, "simplest": after,
      "worstSeverity": finding.worstSeverity, "plainSeverity": finding.plainSeverity,
      "share": JSONObject.orNull(finding.rate?.share),
      "shareFrom": JSONObject.orNull(range?.lowerBound),
      "shareTo": JSONObject.orNull(range?.upperBound),
      "perMinute": JSONObject.orNull(finding.perMinute), "recipe": recipe,
    ]
    try object.encode(to: encoder)
  }
}
