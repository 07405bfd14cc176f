import DSP
import Foundation
import Statistics

/// The harmonics-to-noise ratio of a voice over time, in dB: the power that repeats one period
/// later over the power that does not.
///
/// It is `10 lg(r / (1 - r))`, where `r` is the highest normalized correlation of one period of the
/// floor with the same stretch a period later. Jitter and fast glides lower it like noise. Values are
/// limited to 60 dB.
///
/// - Domain: one voice, without hum or echo; undefined in silence.
/// - Cost: about 0.01 of real time. Allocates.
/// - Source: Boersma, "Accurate short-term analysis of the fundamental frequency and the
///   harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17, 1993; its range of pitch and
///   its threshold of silence are Praat's.
public struct Harmonicity: Equatable, Sendable {
  private static let hopMs = 10.0
  /// Lowest pitch, which sets the length of the frame.
  static let floorHz = 75.0
  private static let ceilingHz = 1200.0

  /// Centre of the first frame; the others follow every `hopSeconds`.
  public let firstSeconds: Double
  public let hopSeconds: Double
  /// Ratio in each frame; `nil` in silence and in unvoiced frames of the track.
  public let decibels: [Double?]

  /// Mean over the frames that have a value; `nil` if none has.
  public var meanDecibels: Double? { Statistics.mean(decibels.compactMap { $0 }) }

  /// - Parameters:
  ///   - track: pitch near which the period is searched, within 15 %; unvoiced frames are skipped.
  ///     Without it, the strongest period of the range counts.
  ///   - silenceThreshold: peak of a frame relative to that of the sound below which it counts as
  ///     silent.
  ///   - peak: peak of the whole sound, if `signal` is a stretch of it; defaults to the signal's
  ///     own.
  public init(
    of signal: Signal, following track: PitchTrack? = nil, silenceThreshold: Double = 0.1,
    peak: Double? = nil
  ) {
    let frames = LagCorrelation(signal)
    hopSeconds = Self.hopMs / 1000
    let (hop, rate) = (hopSeconds, signal.sampleRateHz)
    let slack = signal.durationSeconds - frames.spanSeconds
    let count = signal.firstNonFinite == nil && slack >= 0 ? Int(slack / hop + 1e-9) + 1 : 0
    let first = (signal.durationSeconds - Double(count - 1) * hop) / 2
    firstSeconds = first
    let peak = peak ?? frames.peak
    guard count > 0, peak > 0 else {
      decibels = Array(repeating: nil, count: count)
      return
    }
    let longest = Int(rate / Self.floorHz)
    let range = max(2, Int(rate / Self.ceilingHz))...max(2, longest)
    let threshold = max(silenceThreshold, 1e-9)
    // Frames half as loud as the threshold would need a correlation of 1.5.
    let least = 0.5 * threshold * peak
    decibels = (0..<count).map { frame -> Double? in
      let time = first + Double(frame) * hop
      var lags = range
      if let track {
        guard let f0 = track.f0Hz(atSeconds: time) else { return nil }
        let (shortest, longest) = (Int(rate / f0 / 1.15), Int((rate / f0 * 1.15).rounded(.up)))
        guard shortest >= 2, rate / f0 <= Double(range.upperBound) else { return nil }
        lags = shortest...min(longest, range.upperBound)
      }
      let (correlation, loudness) = frames.correlation(atSeconds: time, louderThan: least)
      guard let r = Self.highest(correlation, lags) else { return nil }
      guard r > 2 - loudness / peak / threshold else { return nil }
      return Self.decibels(r)
    }
  }

  /// The height of the highest peak between samples; `nil` if nothing rises above 0.
  private static func highest(_ correlation: [Double], _ lags: ClosedRange<Int>) -> Double? {
    let peaks = lags.filter { lag in
      lag + 1 < correlation.count && correlation[lag] > 0
        && correlation[lag] >= correlation[lag - 1] && correlation[lag] > correlation[lag + 1]
    }.sorted { correlation[$0] > correlation[$1] }
    // The highest peak may lie between samples that are lower than another peak's.
    return peaks.prefix(4).map { SincPeak(of: correlation, near: $0, isEven: true).height }.max()
  }

  static func decibels(_ correlation: Double) -> Double? {
    // A peak above 1 comes from noise in the division; its mirror image is as likely.
    let r = correlation > 1 ? 1 / correlation : correlation
    return r > 1e-6 ? 10 * log10(r / max(1 - r, 1e-6)) : nil
  }
}
