import DSP
import Foundation

/// How much the loudness of a voice changes from one period to the next, as shares of the mean.
///
/// The amplitude of a period is the root mean square around its mark, under a Hann window that
/// reaches a fifth of a period to either side.
///
/// - Domain: steady voiced sound; a swell counts as shimmer, least of all in `apq3`.
/// - Source: as `Jitter`.
public struct Shimmer: Codable, Equatable, Sendable {
  /// The mean distance between neighbouring amplitudes; MDVP's Shim. `nil` of fewer than two.
  public let local: Double?
  /// The mean distance between neighbouring levels, in decibels; MDVP's ShdB.
  public let localDb: Double?
  /// From the mean of the amplitude and its two neighbours; `nil` of fewer than three in a run.
  public let apq3: Double?
  public let apq5: Double?
  public let apq11: Double?
  /// The mean distance between neighbouring differences, three times `apq3`.
  public var dda: Double? { apq3.map { 3 * $0 } }

  /// Neighbours further apart than this are taken for a mistake, and the run is parted there.
  public static let largestFactor = 1.6

  /// - Parameter amplitudes: positive; within a run without a gap.
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

  /// Of the periods of each run.
  static func amplitudes(of signal: Signal, at marks: PeriodMarks) -> [[Double]] {
    marks.runs.map { run in
      // A mark at the end of a run has a period on one side only.
      (1..<max(run.count - 1, 1)).compactMap { index in
        amplitude(
          signal, from: run[index] - (run[index] - run[index - 1]) / 5, at: run[index],
          to: run[index] + (run[index + 1] - run[index]) / 5)
      }
    }
  }

  /// Under half a Hann window on either side of `centre`; times in seconds.
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
