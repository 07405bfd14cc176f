import DSP
import Foundation

extension Signal {
  /// Delays the sound by an exact, possibly varying time, with a windowed sinc of 64 samples. Whole
  /// samples of delay pass unchanged.
  ///
  /// - Parameter seconds: returns the delay at a time of the result; may be negative and may change
  ///   slowly.
  /// - Cost: 64 multiplications a sample.
  package func delayed(by seconds: (Double) -> Double) -> Signal {
    let sinc = SincTable.shared
    var result = [Float](repeating: 0, count: count)
    for i in 0..<count {
      let place = Double(i) - seconds(Double(i) / sampleRateHz) * sampleRateHz
      let whole = place.rounded(.down)
      let row = sinc.row(place - whole)
      let first = Int(whole) - SincTable.half + 1
      var sum: Float = 0
      for tap in max(0, -first)..<max(max(0, -first), min(SincTable.taps, count - first)) {
        sum += samples[first + tap] * sinc.values[row + tap]
      }
      result[i] = sum
    }
    return Signal(result, sampleRateHz: sampleRateHz)
  }
}

/// A table of a windowed sinc between samples, in 4096 steps.
private struct SincTable {
  static let shared = SincTable()
  static let half = 32
  static let taps = 2 * half
  private static let steps = 4096

  let values: [Float]

  private init() {
    values = (0...Self.steps).flatMap { step in
      let fraction = Double(step) / Double(Self.steps)
      let row = (0..<Self.taps).map { tap -> Double in
        let x = Double(tap - Self.half + 1) - fraction
        let sinc = abs(x) < 1e-12 ? 1 : sin(.pi * x) / (.pi * x)
        return sinc * Window.kaiser(beta: 9).value(at: x / Double(Self.half))
      }
      return row.map { Float($0) }
    }
  }

  /// Index of the first value of the row for a fraction of a sample.
  func row(_ fraction: Double) -> Int {
    Int((fraction * Double(Self.steps)).rounded()) * Self.taps
  }
}
