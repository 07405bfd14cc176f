import Foundation

/// The sine of a given frequency that fits a sound best, with the residual.
public struct SineFit {
  public let amplitude: Double
  /// Level of the residual relative to the sine, in decibels.
  public let residualDb: Double

  public init(_ samples: some Collection<Float>, hz: Double, sampleRateHz: Double) {
    var (cc, ss, cs, xc, xs, xx) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for (i, sample) in samples.enumerated() {
      let (x, turn) = (Double(sample), 2 * .pi * hz * Double(i) / sampleRateHz)
      let (c, s) = (cos(turn), sin(turn))
      cc += c * c
      ss += s * s
      cs += c * s
      xc += x * c
      xs += x * s
      xx += x * x
    }
    let determinant = cc * ss - cs * cs
    let a = (xc * ss - xs * cs) / determinant
    let b = (xs * cc - xc * cs) / determinant
    let explained = a * xc + b * xs
    amplitude = (a * a + b * b).squareRoot()
    residualDb = 10 * log10(max(xx - explained, 1e-300) / explained)
  }
}
