import DSP
import Foundation

/// The vibrato of a note: a sine on a slow trend, fitted to the pitch in semitones by least
/// squares.
///
/// The trend is a parabola. The rate with the least error is searched over the range of rates and
/// then refined.
///
/// - Domain: stretches of at least two cycles of the slowest rate. A modulation below
///   `minExtentCents`, or one that explains less than `minRegularity` of the variance about the
///   trend, is not vibrato. If vibrato grows or stops within the note, the extent is a mean.
/// - Cost: some 0.7 ms for a note of a second. Allocates.
/// - Source: Sundberg, "Acoustic and psychoacoustic aspects of vocal vibrato", STL-QPSR 35(2-3),
///   1994: rate, extent, regularity.
public struct VibratoFit: Codable, Equatable, Sendable {
  /// Range of the rates searched.
  private static let rangeHz = (slowest: 3.0, fastest: 9.0)
  private static let minExtentCents = 8.0
  private static let minRegularity = 0.3

  public let rateHz: Double
  /// Half of the distance from the lowest to the highest pitch of a cycle.
  public let extentCents: Double
  /// Share of the variance about the trend that the sine explains, 0 to 1.
  public let regularity: Double

  /// - Parameters:
  ///   - track: pitch of the voice.
  ///   - seconds: time range to analyze, without the slides at its ends.
  public init(of track: PitchTrack, inSeconds seconds: Range<Double>) throws(Unmeasurable) {
    let points = track.f0Hz.indices.compactMap { frame -> (Double, Double)? in
      let time = Double(frame) * track.hopSeconds
      guard seconds.contains(time), track.f0Hz[frame] > 0 else { return nil }
      return (time, cents(track.f0Hz[frame], over: 440))
    }
    let voiced = Double(points.count) * track.hopSeconds
    let needed = 2 / Self.rangeHz.slowest
    guard voiced >= needed, let first = points.first, let last = points.last else {
      throw Unmeasurable(
        .tooLittleVoice,
        "the voice lasts \(voiced) s; vibrato needs at least \(needed) s")
    }
    let middle = (first.0 + last.0) / 2
    let wave = Wave(
      seconds: points.map { $0.0 - middle }, cents: points.map(\.1), halfSpan: last.0 - middle)
    let best = wave.best(from: Self.rangeHz.slowest, to: Self.rangeHz.fastest)
    guard best.extentCents >= Self.minExtentCents else {
      throw Unmeasurable(
        .noVibrato,
        "the largest modulation of the pitch is only ±\(best.extentCents) cents")
    }
    guard best.explained >= Self.minRegularity else {
      throw Unmeasurable(
        .noVibrato, "a sine explains only \(best.explained) of the variance of the pitch")
    }
    (rateHz, extentCents, regularity) = (best.rateHz, best.extentCents, best.explained)
  }

  /// Fits the vibrato of a note, without the slide into it; of a longer one of the ten seconds in the middle,
  /// because the cost grows with the square of the length.
  public init(of track: PitchTrack, in note: Note) throws(Unmeasurable) {
    let settled = note.onsetSeconds + (note.glide?.seconds ?? 0)
    let rest = max(0, note.offsetSeconds - settled - 10) / 2
    let start = settled + rest
    try self.init(of: track, inSeconds: start..<max(start, note.offsetSeconds - rest))
  }

  /// The points of a pitch curve, relative to their centre, and sines fitted to them.
  private struct Wave {
    let seconds: [Double]
    let halfSpan: Double
    /// The trend alone, a parabola, to which the sines are added.
    let trend: LeastSquares
    /// Remainder that the trend leaves; `nil` if there are too few points for one.
    let remaining: Double?

    init(seconds: [Double], cents: [Double], halfSpan: Double) {
      (self.seconds, self.halfSpan) = (seconds, halfSpan)
      var trend = LeastSquares(target: cents)
      for power in 0...2 { trend.add(column: seconds.map { pow($0 / halfSpan, Double(power)) }) }
      self.trend = trend
      let solution = trend.solved()
      remaining = solution.map { [trend] in trend.residual($0) }
    }

    struct Fit {
      var rateHz: Double
      var extentCents: Double
      /// Share of the variance about the trend.
      var explained: Double
    }

    func best(from slowest: Double, to fastest: Double) -> Fit {
      // Two sines can be separated if half a cycle apart over the span; a quarter of that can't
      // miss the best rate.
      let step = min(0.1, 1 / (16 * halfSpan))
      let rates = Array(stride(from: slowest, through: fastest, by: step))
      let fits = rates.map(fit)
      let peak = fits.indices.max { fits[$0].explained < fits[$1].explained }!
      var (low, high) = (max(slowest, rates[peak] - step), min(fastest, rates[peak] + step))
      for _ in 0..<30 {
        let (a, b) = (low + (high - low) * 0.382, low + (high - low) * 0.618)
        if fit(a).explained > fit(b).explained { high = b } else { low = a }
      }
      return fit((low + high) / 2)
    }

    private func fit(_ rateHz: Double) -> Fit {
      var problem = trend
      problem.add(column: seconds.map { cos(2 * .pi * rateHz * $0) })
      problem.add(column: seconds.map { sin(2 * .pi * rateHz * $0) })
      guard let remaining, remaining > 1e-9, let solution = problem.solved() else {
        return Fit(rateHz: rateHz, extentCents: 0, explained: 0)
      }
      let left = max(0, problem.residual(solution))
      return Fit(
        rateHz: rateHz, extentCents: hypot(solution[3], solution[4]),
        explained: max(0, 1 - left / remaining))
    }
  }
}
