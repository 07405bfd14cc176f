import Foundation
import Metrics
import Statistics
import Subjects

/// The behaviour of a subject on a small fixed set of plain performances, beside which findings are
/// judged.
public struct PlainBehaviour: Sendable {
  /// The fate of formants.
  public enum Formants: String, Sendable { case kept, moved, unclear }

  /// Median delay of the output.
  public var delayMs: Double
  /// `nil` for a hunt that does not judge formants.
  public var formants: Formants?
  /// Largest mel-cepstral distortion against the ideal; 0 if formants are not judged.
  public var distortionDb: Double
  /// Median processor time per second of sound; `nil` if the subject states none.
  public var cost: Double?
  /// The law of the formants in a sentence, if they are not kept; `nil` otherwise.
  public var formantsInWords: String? {
    formants == .moved
      ? "Its formants move with the pitch on every voice; only what departs from that is a fault here"
      : nil
  }

  /// Severity of the worst fault of each kind.
  public var severities: [FaultKind: Double] = [:]

  /// The plain performances: a vowel in each register, up and down.
  static let points: [HuntPoint] = [
    (2, 60, 4), (0, 43, 4), (5, 64, -5), (3, 55, 7), (9, 72, -3), (1, 52, 3),
  ].map { voice, note, interval in
    var point = HuntPoint.plain
    point[.voice] = Double(voice)
    point[.note] = Double(note)
    point[.interval] = Double(interval)
    return point.normalized
  }
}

extension PlainBehaviour {
  /// Distance from a law up to which a formant ratio follows it.
  private static let nearLaw = 0.06

  init(of plain: [Observation], judgesFormants: Bool) {
    let measured = plain.compactMap(\.delay.ms)
    let reported = plain.compactMap(\.rendering.reportedLatencyMs)
    delayMs = Statistics.median(measured) ?? Statistics.median(reported) ?? 0
    let costs = plain.compactMap { observation in
      observation.rendering.cpuSeconds.map { $0 / observation.heard.durationSeconds }
    }
    // Where a clock reads nothing, there is no cost to exceed.
    cost = Statistics.median(costs).flatMap { $0 > 1e-4 ? $0 : nil }
    distortionDb =
      judgesFormants
      ? plain.compactMap { FormantFaults.distortionDb(of: $0, voice: 0) }.max() ?? 0 : 0
    formants = judgesFormants ? Self.law(of: plain) : nil
  }

  private static func law(of plain: [Observation]) -> Formants {
    let found = plain.compactMap { observation -> (ratio: Double, shift: Double)? in
      guard case .interval(let semitones)? = observation.score.voices[0].first?.target,
        let ratio = FormantFaults.ratios(of: observation).first?.value
      else { return nil }
      return (ratio, exp2(semitones / 12))
    }
    func follows(_ law: (Double) -> Double) -> Bool {
      let near = found.filter { abs($0.ratio / law($0.shift) - 1) <= nearLaw }
      return found.count >= 3 && near.count * 3 >= found.count * 2
    }
    return follows { _ in 1 } ? .kept : follows { $0 } ? .moved : .unclear
  }
}
