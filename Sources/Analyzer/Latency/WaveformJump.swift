import DSP
import Foundation

/// Tests whether the delay of a sound with an unchanged waveform jumps, as where a buffer was lost.
///
/// Each of several parts correlates at some lags: at one, or at each of its periods. Consecutive parts
/// that share a lag form a group. Between two groups of two parts or more whose nearest parts share no
/// lag, the delay jumps. A voice a little out of tune slides from lag to lag instead.
///
/// Lags are searched near the delay of the whole only: farther away a part of a steady note fits what lies
/// beyond the jump.
///
/// - Cost: 24 Fourier transforms of an eighth of the sound. Allocates.
public struct WaveformJump {
  private static let maxParts = 8
  private static let minPartSeconds = 0.15
  /// Distance from the delay of the whole that is searched: three periods of the lowest voice.
  private static let reachMs = 50.0
  /// Correlation of a part whose waveform is unchanged, and what it may lose at a lag that fits too.
  private static let (minCorrelation, maxLoss) = (0.9, 0.1)
  /// Distances of lags that count as the same, within a group and between two.
  private static let (sharedMs, apartMs) = (0.05, 0.15)
  /// Power of a part, over the mean, from which it counts.
  private static let minPower = 0.05

  /// True if the delay jumps.
  public let isFound: Bool

  /// - Parameter aboutMs: delay of the whole.
  public init(of output: Signal, from input: Signal, aboutMs: Double) {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    let rateHz = input.sampleRateHz
    let reach = Int(Self.reachMs / 1000 * rateHz)
    let late = Int((aboutMs / 1000 * rateHz).rounded())
    let parts = max(1, min(Self.maxParts, Int(Double(input.count) / rateHz / Self.minPartSeconds)))
    let length = input.count / parts
    let minEnergy = Self.minPower * Double(length) * input.rms * input.rms

    func fits(_ part: Int) -> [Bool]? {
      let start = part * length
      let own = Signal(Array(input.samples[start..<start + length]), sampleRateHz: rateHz)
      let place = start + late - reach
      let near = Signal(
        (place..<place + length + 2 * reach).map {
          output.samples.indices.contains($0) ? output.samples[$0] : 0
        }, sampleRateHz: rateHz)
      let energy = Double(length) * own.rms * own.rms
      guard energy > minEnergy else { return nil }
      let sums = near.runningEnergy
      let products = WaveformDelay.correlation(of: near, from: own, longest: 2 * reach)
        .suffix(2 * reach + 1)
      let values = products.enumerated().map { lag, product -> Double in
        let other = sums[lag + length] - sums[lag]
        return other > minEnergy * 1e-3 ? abs(product) / (energy * other).squareRoot() : 0
      }
      guard let top = values.max(), top >= Self.minCorrelation else { return nil }
      return values.map { $0 >= top - Self.maxLoss }
    }

    func widened(_ lags: [Bool], byMs ms: Double) -> [Bool] {
      let reach = Int(ms / 1000 * rateHz)
      var (last, wide) = (-reach - 1, lags)
      for i in lags.indices {
        if lags[i] { last = i }
        if i - last <= reach { wide[i] = true }
      }
      last = lags.count + reach + 1
      for i in lags.indices.reversed() {
        if lags[i] { last = i }
        if last - i <= reach { wide[i] = true }
      }
      return wide
    }

    func common(_ a: [Bool], _ b: [Bool]) -> [Bool] { zip(a, b).map { $0 && $1 } }

    var groups: [(shared: [Bool], first: [Bool], last: [Bool], count: Int)] = []
    for part in 0..<parts {
      guard let lags = fits(part).map({ widened($0, byMs: Self.sharedMs) }) else { continue }
      if let last = groups.last, case let shared = common(last.shared, lags), shared.contains(true)
      {
        groups[groups.count - 1] = (shared, last.first, lags, last.count + 1)
      } else {
        groups.append((lags, lags, lags, 1))
      }
    }
    let steady = groups.filter { $0.count > 1 }
    isFound = zip(steady, steady.dropFirst()).contains { before, after in
      let lags = [before.last, after.first].map { widened($0, byMs: Self.apartMs) }
      return !common(lags[0], lags[1]).contains(true)
    }
  }
}
