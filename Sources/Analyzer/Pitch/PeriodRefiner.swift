import DSP
import Foundation

/// Measures a roughly known period again over four periods, and at least 24 ms, around an instant.
///
/// It correlates the sound before with the sound after the instant, one period apart, so that a
/// steady glide cancels out: the result is the pitch at the instant, not a mean over a frame.
struct PeriodRefiner {
  /// Four times the rate at which periods are proposed: a parabola through three lags then lies
  /// within a few hundredths of a cent of the true peak.
  private let rateHz = PeriodFinder.sampleRateHz * 4
  private let samples: [Float]

  init(_ coarse: Signal) { samples = coarse.resampled(to: rateHz).samples }

  /// `f0Hz` made precise, or as it is where the sound doesn't repeat itself within 6 % of it.
  func refined(_ f0Hz: Double, atSeconds time: Double) -> Double {
    let period = rateHz / f0Hz
    let centre = Int((time * rateHz).rounded())
    let reach = Int(max(2 * period, 0.012 * rateHz))
    let widest = Int(period * 1.06) + 2
    guard centre - reach - widest >= 0, centre + reach + widest < samples.count else { return f0Hz }

    var lag = Int(period.rounded())
    var middle = correlation(lag, centre, reach)
    var (below, above) = (
      correlation(lag - 1, centre, reach), correlation(lag + 1, centre, reach)
    )
    while below > middle || above > middle {
      let step = below > above ? -1 : 1
      lag += step
      guard abs(Double(lag) - period) < 0.06 * period + 1 else { return f0Hz }
      let next = correlation(lag + step, centre, reach)
      (below, middle, above) = step < 0 ? (next, below, middle) : (middle, above, next)
    }
    let curvature = below - 2 * middle + above
    guard curvature < 0 else { return f0Hz }
    return rateHz / (Double(lag) + (below - above) / (2 * curvature))
  }

  /// Of the sound half a `lag` before with that half a `lag` after each instant near `centre`.
  private func correlation(_ lag: Int, _ centre: Int, _ reach: Int) -> Double {
    let (before, after) = (centre - lag / 2, centre - lag / 2 + lag)
    var (product, early, late) = (0.0, 0.0, 0.0)
    for n in -reach...reach {
      let weight = 1 - abs(Double(n)) / Double(reach + 1)
      let (a, b) = (Double(samples[before + n]), Double(samples[after + n]))
      product += weight * a * b
      early += weight * a * a
      late += weight * b * b
    }
    return product / max((early * late).squareRoot(), 1e-30)
  }
}
