import DSP
import Foundation

/// Transposes a sound with two taps that sweep along a delay line, half a window apart.
///
/// A tap whose delay changes by `1 - ratio` per sample reads at `ratio` times the speed. At the end
/// of the window it jumps back to the start, where it is silent: its gain along the window is a
/// squared sine, and the gains of both taps add up to 1.
///
/// - Allocates: in `init` only.
/// - Input, output: mono samples. An input sample that is not finite counts as 0.
public struct TwoTapShifter: BlockProcessor, ~Copyable {
  /// Middle of the window, about which the gains are symmetric.
  public let latencySamples: Int
  private let window: Double  // samples
  private let step: Double  // change of `delay` per sample
  private var delay = 0.0  // of the first tap: samples, 0..<window
  private var past: HistoryBuffer

  /// - Parameter semitones: positive is up.
  public init(semitones: Double, windowMs: Double, sampleRateHz: Double) {
    window = windowMs / 1000 * sampleRateHz
    step = 1 - exp2(semitones / 12)
    latencySamples = Int((window / 2).rounded())
    past = HistoryBuffer(longest: Int(window) + 2)
  }

  public mutating func reset() {
    past.reset()
    delay = 0
  }

  public mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    precondition(input.count == output.count, "counts differ")
    for i in input.indices {
      past.push(input[i].isFinite ? input[i] : 0)
      let root = sin(.pi * delay / window)
      let gain = Float(root * root)
      let first = past.interpolated(delay: delay)
      let second = past.interpolated(delay: wrapped(delay + window / 2))
      output[i] = gain * first + (1 - gain) * second
      delay = wrapped(delay + step)
    }
  }

  /// The delay within the window.
  private func wrapped(_ delay: Double) -> Double {
    delay < 0 ? delay + window : delay < window ? delay : delay - window
  }
}
