import DSP
import Foundation
import Statistics

/// How irregular a voice is from one period to the next.
///
/// - Domain: steady voiced sound; vibrato and glides count as jitter, a crescendo as shimmer.
/// - Source: Baken and Orlikoff, "Clinical Measurement of Speech and Voice", 2000, chapter 6; rules
///   as in Praat and MDVP.
public enum Perturbation {
  /// Plausible periods, in seconds.
  private static let range = 0.0001...0.02
  /// Maximum ratio of neighbouring periods and of neighbouring amplitudes; a larger one is taken for an
  /// error of the marks and splits the run.
  private static let (maxPeriodFactor, maxAmplitudeFactor) = (1.3, 1.6)

  /// Returns the mean distance of neighbouring periods relative to the mean period, MDVP's Jitt; `nil`
  /// for fewer than two in a run.
  ///
  /// - Parameter periods: periods in seconds, in runs without a gap.
  public static func jitter(periods: [[Double]]) -> Double? {
    let runs = periods.flatMap {
      trusted($0, maxFactor: maxPeriodFactor, where: range.contains)
    }
    guard let mean = Statistics.mean(runs.flatMap { $0 }) else { return nil }
    return meanStep(runs).map { $0 / mean }
  }

  /// Returns the mean distance of neighbouring levels in decibels, MDVP's ShdB; `nil` for fewer than two
  /// in a run.
  ///
  /// - Parameter amplitudes: amplitudes in runs without a gap.
  public static func shimmerDb(amplitudes: [[Double]]) -> Double? {
    let runs = amplitudes.flatMap {
      trusted($0, maxFactor: maxAmplitudeFactor) { $0 > 0 }
    }
    return meanStep(runs.map { run in run.map { 20 * log10($0) } })
  }

  private static func meanStep(_ runs: [[Double]]) -> Double? {
    Statistics.mean(runs.flatMap { run in zip(run, run.dropFirst()).map { abs($1 - $0) } })
  }

  /// Splits a run where a value is not plausible or too far from the one before.
  private static func trusted(
    _ run: [Double], maxFactor: Double, where isPlausible: (Double) -> Bool
  ) -> [[Double]] {
    var runs: [[Double]] = [[]]
    for value in run {
      guard isPlausible(value) else {
        runs.append([])
        continue
      }
      if let before = runs[runs.count - 1].last, max(value / before, before / value) > maxFactor {
        runs.append([])
      }
      runs[runs.count - 1].append(value)
    }
    return runs.filter { !$0.isEmpty }
  }

  /// Returns the amplitude of each period in each run: the root mean square around its mark, under a Hann
  /// window that reaches a fifth of a period to either side.
  public static func amplitudes(of signal: Signal, at marks: PeriodMarks) -> [[Double]] {
    marks.runs.map { run in
      // A mark at the end of a run has a period on one side only and is skipped.
      (1..<max(run.count - 1, 1)).compactMap { index -> Double? in
        let mark = run[index]
        return amplitude(
          signal, from: mark - (mark - run[index - 1]) / 5, at: mark,
          to: mark + (run[index + 1] - mark) / 5)
      }
    }
  }

  /// The root mean square under a Hann window with its peak at `centre`; times in seconds.
  private static func amplitude(
    _ signal: Signal, from start: Double, at centre: Double, to end: Double
  ) -> Double? {
    let rate = signal.sampleRateHz
    let first = max(0, Int((start * rate).rounded(.up)))
    let last = min(signal.count - 1, Int(end * rate))
    guard first <= last else { return nil }
    var (energy, total) = (0.0, 0.0)
    for index in first...last {
      let time = Double(index) / rate
      let place =
        time < centre ? (time - centre) / (centre - start) : (time - centre) / (end - centre)
      let weight = Window.hann.value(at: place)
      energy += weight * Double(signal.samples[index]) * Double(signal.samples[index])
      total += weight
    }
    return total > 0 ? (energy / total).squareRoot() : nil
  }
}
