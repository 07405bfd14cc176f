import Analyzer
import DSP
import Foundation
import Metrics
import Singer
import Statistics
import Subjects

/// Behaviour of the formants under a shift, on vowels of the synthetic tenor: they stay, or move with
/// the pitch.
public struct FormantBehaviour: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, Sendable { case kept, partly, moved }

  /// The formants of one shift.
  public struct Trial: Codable, Equatable, Sendable {
    public var semitones: Double
    /// Frequency of the output's formants over the input's.
    public var ratio: Double
  }

  public var trials: [Trial]
  /// Share of the pitch's shift that formants make: 0 if they stay, 1 if they move with the pitch.
  /// It is fitted to the logarithms of all ratios.
  public var movedShare: Double

  /// A tenth of a shift of seven semitones is 4 %, less than the 5 % that listeners notice.
  public var kind: Kind {
    movedShare < 0.1 ? .kept : movedShare > 0.9 ? .moved : .partly
  }

  static let shiftsSemitones = [-5.0, 4, 7]
  static let seconds = 3.0
  private static let rateHz = 48_000.0

  /// - Throws: the subject's error, or why no shift shows formants.
  init(_ bench: ProbeBench) throws {
    guard bench.takesShifts else {
      throw Undefined(.notRequested, "the subject follows the lead; nothing shifts the pitch")
    }
    let sung = try Songbook.performance(id: "vowels-tenor").render(sampleRateHz: Self.rateHz)
    let input = Signal(
      Array(sung.signal.samples.prefix(Int(Self.seconds * Self.rateHz))),
      sampleRateHz: Self.rateHz)
    let tracker = PitchTracker.standard
    let lead = tracker.track(input)
    let leadHz = Statistics.median(lead.f0Hz.filter { $0 > 0 }) ?? 0
    var reason: (any Error)?
    trials = Self.shiftsSemitones.compactMap { semitones in
      do {
        let output = try bench.render(
          input, bench.score(noteHz: leadHz, semitones: semitones)
        ).mix
        let delay = try OnsetDelay(of: output, from: input, leastCorrelation: 0.5).delayMs
        let found = try FormantRatio(
          of: output, tracker.track(output), from: input, lead, delaySeconds: delay / 1000)
        return Trial(semitones: semitones, ratio: found.ratio)
      } catch {
        reason = error
        return nil
      }
    }
    guard !trials.isEmpty else { throw reason! }
    let products = trials.map { ($0.semitones * 12 * log2($0.ratio), $0.semitones * $0.semitones) }
    movedShare = products.reduce(0) { $0 + $1.0 } / products.reduce(0) { $0 + $1.1 }
  }

  /// Returns the ratio of formants that a shift leads to.
  public func ratio(semitones: Double) -> Double { exp2(movedShare * semitones / 12) }
}
