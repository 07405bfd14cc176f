import DSP
import Foundation
import Statistics

/// The change of a voice's amplitude from one period to the next, relative to the mean.
///
/// The amplitude of a period is the root mean square around its mark, under a Hann window that
/// reaches a fifth of a period to either side.
///
/// - Domain: steady voiced sound; a crescendo counts as shimmer, least in `apq3`.
/// - Source: see `Jitter`.
public struct Shimmer: Codable, Equatable, Sendable {
  /// Mean distance of neighbouring amplitudes, MDVP's Shim; `nil` for fewer than two.
  public let local: Double?
  /// Mean distance of neighbouring levels in decibels, MDVP's ShdB.
  public let localDb: Double?
  /// Mean distance from the mean of an amplitude and its two neighbours; `nil` for fewer than three
  /// in a run.
  public let apq3: Double?
  public let apq5: Double?
  public let apq11: Double?
  /// Mean distance of neighbouring differences, three times `apq3`.
  public var dda: Double? { apq3.map { 3 * $0 } }

  /// Maximum ratio of neighbours; a larger one is taken for an error and splits the run.
  public static let largestFactor = 1.6

  /// - Parameter amplitudes: amplitudes in runs without a gap.
  public init(amplitudes: [[Double]]) {
    let runs = amplitudes.flatMap { run in
      run.reduce(into: [[Double]]()) { runs, amplitude in
        guard let before = runs.last?.last, amplitude > 0,
          max(amplitude / before, before / amplitude) <= Self.largestFactor
        else { return runs.append(amplitude > 0 ? [amplitude] : []) }
        runs[runs.count - 1].append(amplitude)
      }
    }
    let mean = Statistics.mean(runs.flatMap { $0 })
    func share(_ value: Double?) -> Double? {
      value.flatMap { value in mean.map { value / $0 } }
    }
    local = share(Perturbation.meanStep(runs))
    localDb = Perturbation.meanStep(runs.map { run in run.map { 20 * log10($0) } })
    apq3 = share(Perturbation.meanDistance(runs, width: 3))
    apq5 = share(Perturbation.meanDistance(runs, width: 5))
    apq11 = share(Perturbation.meanDistance(runs, width: 11))
  }

  public init(of signal: Signal, at marks: PeriodMarks) {
    self.init(amplitudes: Self.amplitudes(of: signal, at: marks))
  }

  /// Amplitudes of the periods in each run.
  static func amplitudes(of signal: Signal, at marks: PeriodMarks) -> [[Double]] {
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
