import Metrics
import Platform
import Probes
import Subjects

/// A figure that a check could not give, with what the subject would have to give for it.
package struct CheckGap: Encodable, Equatable, Sendable {
  package let what: String
  package let reason: String
  package let remedy: String

  /// Returns the gaps of a check: first the headline figures, then what the description leaves out.
  ///
  /// - Parameters:
  ///   - undefined: reasons of headline figures without a value.
  ///   - findings: findings on the bench.
  ///   - failedCells: number of cells that might have had the figures.
  static func all(
    of subject: CheckedSubject, undefined: [(CheckFigure, Undefined)], findings: [ProbeFinding],
    failedCells: Int
  ) -> [CheckGap] {
    let figures = undefined.map { figure, reason in
      CheckGap(
        what: figure.title, reason: reason.detail,
        remedy: remedy(figure, reason, subject, failedCells))
    }
    // A plugin states its delay itself, beside what its description says.
    let isStated =
      subject.statedLatencyMs != nil
      || findings.contains { $0.name == LatencyProbe.statement && $0.value != nil }
    return figures + described(subject, statesLatency: isStated)
  }

  private static let stems =
    "give stems: one call for each voice ({semitones} or {ratio} in the command), or one channel for "
    + "each voice (channels: voices)"

  private static func remedy(
    _ figure: CheckFigure, _ reason: Undefined, _ subject: CheckedSubject, _ failedCells: Int
  ) -> String {
    if figure == .cost, subject.isFolder {
      return "describe the program (kind: command or stream) instead of its files"
    }
    return switch reason.code {
    case .noStems: stems
    case .notObservable where subject.isRecorded:
      "record it in another way; for a test tape see docs/guides/tape.md"
    case .noOracle, .noWords, .noVoice, .soundsOnly, .probesOnly, .tooShort:
      (failedCells == 0
        ? "" : "mend the \(counted(failedCells, "cell")) that failed, which may have it, or ")
        + "choose a plan whose recordings have it (--plan)"
    case .notRequested, .notMeasured: "choose a plan that measures it (--plan)"
    // Codes come and go; without stems, they are the most frequent cause.
    default:
      subject.givesStems
        ? "see Missing values on the page, and choir-eval explain" : stems
    }
  }

  /// Gaps that the description alone explains.
  private static func described(_ subject: CheckedSubject, statesLatency: Bool) -> [CheckGap] {
    guard subject.kind != nil else { return [] }
    var gaps: [CheckGap] = []
    if !subject.givesStems {
      gaps.append(
        CheckGap(
          what: "formants, tremolo and swapped voices of each voice",
          reason: "the voices come mixed", remedy: stems))
    }
    if subject.takesWholeFiles {
      gaps.append(
        CheckGap(
          what: "live latency",
          reason: "the latency is that of the file, from which a program may remove its own delay",
          remedy: "describe it as a pipe (kind: stream)"
            + (statesLatency ? "" : ", or state its latency (latencyMs)")))
    }
    if !statesLatency, !subject.isRecorded {
      gaps.append(
        CheckGap(
          what: "whether the stated latency is true", reason: "none is stated",
          remedy: "write latencyMs in \(subject.source)"))
    }
    if subject.isFolder {
      gaps.append(
        CheckGap(
          what: "latency and robustness on the bench",
          reason: "nothing can be sent to files that were rendered before",
          remedy: "describe the program (kind: command or stream) instead of its files"))
    }
    return gaps
  }
}
