import DSP
import Foundation

/// Estimates the pitches of several voices in one sound, given their approximate pitches.
///
/// All harmonics of all voices are fitted together by least squares, each voice with a pitch, a
/// slope and a curvature. Each voice is taken from the window that gives it the least uncertainty:
/// long windows separate voices, short ones follow vibrato.
///
/// A partial that coincides with one of another voice carries no information about either pitch. A
/// voice without a separate partial, as in unisons and the upper voice of an octave, is reported as
/// `hidden`.
///
/// - Cost: see docs/notes/pitch.md#in-a-mix; grows with the number of partials below 3.9 kHz.
///   Allocates.
/// - Source: Christensen and Jakobsson, "Multi-Pitch Estimation", 2009, chapter 2; slope, curvature
///   and the choice of window are ours.
public struct JointHarmonicFit: Sendable {
  static let ceilingHz = 3900.0
  /// Standard deviation of a pitch from its expected value.
  static let deviationCents = 60.0
  /// Maximum distance of a pitch from its expected value.
  static let maxDistanceCents = 120.0
  /// Standard deviation of a voice's slope and, below, of its curvature.
  static let slopeCentsPerSecond = 4000.0
  static let curvatureCentsPerSecond2 = 40_000.0
  /// Level relative to the whole sound below which a voice counts as absent.
  static let minLevelDb = -40.0
  /// Maximum uncertainty of a reported pitch.
  static let maxUncertainCents = 20.0

  /// A reason why a voice has no pitch at an instant.
  public enum NoPitch: String, Error, Codable, Sendable {
    /// No window around the instant lies within the sound.
    case outside
    /// The sound has samples that are not finite.
    case broken
    case silent
    /// The sound around the instant is too short for this many voices at these pitches.
    case crowded
    /// The voice explains too little of what the others leave: it is silent, or moves too fast.
    case absent
    /// All partials coincide with those of other voices: unison, or an octave above.
    case hidden
    /// The voice sounds, but its pitch is too uncertain.
    case uncertain
    /// The best pitch is too far from the expected one.
    case astray
    /// No pitch was expected, or none between 40 Hz and half the ceiling.
    case unexpected
  }

  public typealias Outcome = Result<HarmonicFit.Fit, NoPitch>

  /// Maximum number of harmonics of a voice.
  let maxHarmonics: Int
  /// Minimum share that a voice must explain of what the others leave.
  let minExplained: Double
  private let signal: Signal
  /// Half lengths of the windows in samples, ascending.
  private let halves: [Int]
  private static let rateHz = 8000.0

  /// Pitches that can be expected.
  let rangeHz = 40...JointHarmonicFit.ceilingHz / 2

  public init(of signal: Signal) { self.init(of: signal, minExplained: 0.5) }

  /// - Parameter windowsMs: window lengths to choose from, ascending.
  init(
    of signal: Signal, minExplained: Double, windowsMs: [Double] = [24, 32, 48, 64, 96, 128],
    maxHarmonics: Int = 48
  ) {
    (self.minExplained, self.maxHarmonics) = (minExplained, maxHarmonics)
    self.signal = signal.withoutInfrasound().resampled(to: Self.rateHz)
    halves = windowsMs.map { Int($0 / 2000 * Self.rateHz) }
  }

  /// Returns the pitch of each voice, around its expected one, at an instant.
  ///
  /// - Parameter expectedHz: one pitch for each voice known to sound, and no others; at most about
  ///   eight.
  public func fits(atSeconds time: Double, expectedHz: [Double]) -> [Outcome] {
    let sane = expectedHz.map { rangeHz.contains($0) }
    guard !sane.contains(false) else {
      // One invalid prior must not spoil the other voices.
      var rest = fits(atSeconds: time, expectedHz: zip(expectedHz, sane).filter(\.1).map(\.0))[...]
      return sane.map { $0 ? rest.removeFirst() : .failure(.unexpected) }
    }
    return search(atSeconds: time, expected: expectedHz.map(VoicePath.init(f0Hz:))).outcomes
  }

  /// Returns the whole search of pitches that lie between 40 Hz and half the ceiling.
  func search(
    atSeconds time: Double, expected: [VoicePath]
  ) -> (outcomes: [Outcome], search: JointHarmonicSearch) {
    var search = JointHarmonicSearch(self, expected: expected)
    guard !expected.isEmpty, time.isFinite, abs(time) < 1e9 else {
      return (expected.map { _ in .failure(.outside) }, search)
    }
    let centre = Int((time * Self.rateHz).rounded())
    for half in halves where search.isWide(enough: Double(2 * half) / Self.rateHz) {
      guard let frame = HarmonicFrame(signal, centre: centre, half: half),
        search.look(at: frame)
      else { break }
    }
    let isInside = centre >= halves[0] && centre + halves[0] < signal.count
    return (search.outcomes(otherwise: isInside ? .crowded : .outside), search)
  }
}
