import Foundation

/// A window function for a frame of sound.
///
/// Source: Harris, "On the use of windows for harmonic analysis with the discrete Fourier
/// transform", Proc. IEEE 66(1), 1978; Kaiser as in Oppenheim and Schafer, 7.5.3.
public enum Window: Equatable, Sendable {
  /// Side lobes from -31 dB, falling by 18 dB an octave.
  case hann
  /// A larger `beta` gives lower side lobes and a wider main lobe.
  case kaiser(beta: Double)

  /// The window as `count` samples, symmetric about the middle, which is 1 if a sample falls on it.
  public func samples(_ count: Int) -> [Double] {
    guard count > 1 else { return Array(repeating: 1, count: count) }
    return (0..<count).map { value(at: 2 * Double($0) / Double(count - 1) - 1) }
  }

  /// The share of a copy that falls under the same Hann window, later by a share of its length: the
  /// window's autocorrelation, in closed form.
  package static func hannOverlap(_ share: Double) -> Double {
    let turn = 2 * Double.pi * share
    return (1 - share) * (2 + cos(turn)) / 3 + sin(turn) / (2 * .pi)
  }

  /// The window at `x`, from -1 at its start through 0 in the middle to 1 at its end; 0 outside.
  public func value(at x: Double) -> Double {
    guard abs(x) <= 1 else { return 0 }
    switch self {
    case .hann: return 0.5 + 0.5 * cos(.pi * x)
    case .kaiser(let beta):
      return besselI0(beta * max(0, 1 - x * x).squareRoot()) / besselI0(beta)
    }
  }
}

/// The modified Bessel function of the first kind and order zero, by its power series.
private func besselI0(_ x: Double) -> Double {
  let quarter = x * x / 4
  var (sum, term, k) = (1.0, 1.0, 1.0)
  while term > sum * 1e-17 {
    term *= quarter / (k * k)
    sum += term
    k += 1
  }
  return sum
}
