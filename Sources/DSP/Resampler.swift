import Foundation

extension Signal {
  /// The same sound at another rate.
  ///
  /// A polyphase windowed sinc (Kaiser): images and aliases lie 100 dB down or more beyond half
  /// the lower rate; the pass band is flat within 0.001 dB up to 0.9 of it. It delays nothing:
  /// time 0 stays time 0. Offline; about 150 multiplications a sample.
  ///
  /// - Source: Crochiere and Rabiner, "Multirate Digital Signal Processing", 1983.
  public func resampled(to rateHz: Double) -> Signal {
    guard rateHz != sampleRateHz, !samples.isEmpty else {
      return Signal(samples, sampleRateHz: rateHz)
    }
    return Signal(
      PolyphaseFilter(from: sampleRateHz, to: rateHz).apply(samples), sampleRateHz: rateHz)
  }
}

/// A low-pass filter tabulated at the fractions of a sample that a change of rate needs.
private struct PolyphaseFilter {
  /// Positions of output samples advance by `down / up` input samples.
  let up: Int
  let down: Int
  /// Coefficients reach from `-reach` to `reach` input samples around an output sample.
  let reach: Int
  /// One row of `2 * reach + 1` coefficients per phase.
  let rows: [[Float]]

  init(from: Double, to: Double) {
    (up, down) = Self.ratio(to / from)
    let narrowing = min(1, to / from)
    // The transition runs from 0.9 to 1 of the lower Nyquist frequency. Kaiser's formulas for a
    // ripple of -100 dB give beta and the half length, in input samples.
    let attenuationDb = 105.0
    let beta = 0.1102 * (attenuationDb - 8.7)
    let transition = 0.1 * narrowing * Double.pi
    let halfLength = (attenuationDb - 7.95) / (2.285 * transition) / 2
    let cutoff = 0.95 * narrowing
    reach = Int(halfLength.rounded(.up)) + 1
    rows = (0..<up).map { [up, reach] phase in
      let fraction = Double(phase) / Double(up)
      let taps = (-reach...reach).map { offset in
        let x = Double(offset) - fraction
        let sinc = x == 0 ? cutoff : sin(.pi * cutoff * x) / (.pi * x)
        return sinc * Window.kaiser(beta: beta).value(at: x / halfLength)
      }
      let sum = taps.reduce(0, +)
      return taps.map { Float($0 / sum) }
    }
  }

  func apply(_ input: [Float]) -> [Float] {
    let count = (input.count * up + down - 1) / down
    let padding = [Float](repeating: 0, count: reach)
    let padded = padding + input + padding + [0]
    let width = 2 * reach + 1
    return (0..<count).map { index in
      let (whole, phase) = (index * down).quotientAndRemainder(dividingBy: up)
      let row = rows[phase]
      var (even, odd): (Float, Float) = (0, 0)
      for j in stride(from: 0, to: width - 1, by: 2) {
        even += row[j] * padded[whole + j]
        odd += row[j + 1] * padded[whole + j + 1]
      }
      return even + odd + row[width - 1] * padded[whole + width - 1]
    }
  }

  /// `ratio` as a fraction: exact for the usual rates, otherwise within one part in 10⁹.
  static func ratio(_ ratio: Double) -> (Int, Int) {
    var (previous, current) = ((0, 1), (1, 0))
    var rest = ratio
    while true {
      let whole = Int(rest.rounded(.down))
      (previous, current) = (
        current, (whole * current.0 + previous.0, whole * current.1 + previous.1)
      )
      let error = abs(Double(current.0) / Double(current.1) / ratio - 1)
      if error < 1e-9 || current.0 > 20_000 { return current }
      rest = 1 / (rest - Double(whole))
    }
  }
}
