import Foundation

/// The response of one sound's power to another's: what a room, an echo or a delay makes of the
/// input over the next 1.2 s.
///
/// The output's power is modelled as a sum of copies of the input's power, each a number of 5 ms
/// frames later. Their gains are non-negative and minimize the Itakura-Saito distance, under which
/// a soft tail counts as much as a loud sound.
///
/// - Cost: about 0.01 of real time. Allocates.
/// - Source: Fevotte, Bertin and Durrieu, "Nonnegative matrix factorization with the Itakura-Saito
///   divergence", Neural Computation 21(3), 2009, for the multiplicative steps.
struct CausalResponse {
  /// Steps of the power curves in one frame.
  private static let frameSteps = 10
  /// Delays of the copies in frames, relative to the stated delay. The negative ones serve a delay
  /// that sweeps by 10 ms.
  private static let lags = -2..<240
  private static let rounds = 60
  /// Power below this share of the maximum counts as steady noise.
  private static let floor = 1e-8

  /// The gain of each of `lags`.
  private let gains: [Double]
  /// Noise power assumed at each step.
  private let noise: Double
  private let input: [Double]
  private let delay: Int

  /// - Parameters:
  ///   - output, input: power at equal steps of half a millisecond.
  ///   - delay: delay of the output in steps.
  ///   - leavingOut: steps of the output to exclude from the fit.
  init(of output: [Double], from input: [Double], delay: Int, leavingOut: [Range<Int>]) {
    self.input = input
    self.delay = delay
    let heard = Self.frames(output, from: delay)
    let played = Self.frames(input, from: 0)
    let count = min(heard.count, played.count)
    let floor = max(Self.floor * (heard.prefix(count).max() ?? 0), 1e-30)
    var counts = [Bool](repeating: true, count: count)
    for range in leavingOut {
      let first = (range.lowerBound - delay) / Self.frameSteps
      let last = (range.upperBound - delay) / Self.frameSteps
      for frame in max(0, first)..<max(0, first, min(count, last + 1)) { counts[frame] = false }
    }
    var gains = Self.lags.map { $0 == 0 ? 1 : 1e-3 }
    var noise = 1e-3
    var (missing, sensitivity) = (
      [Double](repeating: 0, count: count), [Double](repeating: 0, count: count)
    )
    for _ in 0..<Self.rounds {
      var expected = [Double](repeating: noise * floor, count: count)
      for (place, lag) in Self.lags.enumerated() {
        Self.add(gains[place], of: played, late: lag, to: &expected)
      }
      for frame in 0..<count where counts[frame] {
        missing[frame] = (heard[frame] + floor) / (expected[frame] * expected[frame])
        sensitivity[frame] = 1 / expected[frame]
      }
      for (place, lag) in Self.lags.enumerated() where gains[place] > 0 {
        let up = Self.product(played, missing, late: lag)
        let down = Self.product(played, sensitivity, late: lag)
        gains[place] *= down > 0 ? (up / down).squareRoot() : 0
      }
      let (up, down) = (missing.reduce(0, +), sensitivity.reduce(0, +))
      noise *= down > 0 ? (up / down).squareRoot() : 0
    }
    self.gains = gains
    self.noise = noise * floor
  }

  /// The output energy within `range` that the input before the step `end` explains.
  func energy(in range: Range<Int>, ofSoundBefore end: Int) -> Double {
    let end = min(max(0, end), input.count)
    var sum = noise * Double(range.count)
    for (place, lag) in Self.lags.enumerated() where gains[place] > 0 {
      let late = delay + lag * Self.frameSteps
      let (from, to) = (max(0, range.lowerBound - late), min(end, range.upperBound - late))
      guard from < to else { continue }
      sum += gains[place] * input[from..<to].reduce(0, +)
    }
    return sum
  }

  private static func add(
    _ gain: Double, of input: [Double], late lag: Int, to output: inout [Double]
  ) {
    guard gain > 0 else { return }
    let range = (lag..<output.count + lag).clamped(to: 0..<output.count)
    for frame in range { output[frame] += gain * input[frame - lag] }
  }

  /// The dot product of `later` with the input delayed by `lag` frames.
  private static func product(_ input: [Double], _ later: [Double], late lag: Int) -> Double {
    let range = (lag..<later.count + lag).clamped(to: 0..<later.count)
    guard !range.isEmpty else { return 0 }
    return dot(
      input, from: range.lowerBound - lag, later, from: range.lowerBound, count: range.count)
  }

  /// The mean power of each frame, starting at step `start`.
  private static func frames(_ powers: [Double], from start: Int) -> [Double] {
    stride(from: start, through: powers.count - frameSteps, by: frameSteps).map { first in
      first < 0 ? 0 : powers[first..<first + frameSteps].reduce(0, +) / Double(frameSteps)
    }
  }
}
