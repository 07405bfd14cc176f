import DSP
import Foundation
import Platform
import Subjects

/// A fixed piece of signal processing that measures the current speed of a machine. A subject's cost
/// over this workload's varies less between machines than either cost.
///
/// Half of its time is Fourier transforms of 1024 samples. The other half is a delay line that is read
/// between samples at two moving taps, followed by a filter, as in shifters. It uses no code of this
/// library, so it stays the same. Raise `version` with any change; it is stored with every cost that
/// is relative to the workload.
///
/// - Cost: about 1 ms for each repetition; 100 kB.
public final class CalibrationWorkload: CostRounds {
  /// Version of the workload. Raise it with any change.
  public static let version = 1

  private static let size = 1024
  private static let transforms = 24
  private static let delayedSamples = 48_000

  private var noise: [Float] = []
  private var real: [Float] = []
  private var imaginary: [Float] = []
  private var turns: [(cosine: Float, sine: Float)] = []
  private var line: [Float] = []
  /// A sum of the results, so that a compiler can't remove the work.
  public private(set) var sum: Float = 0

  public init() { renew() }

  public func renew() {
    var random = SeededGenerator(seed: 1)
    noise = (0..<Self.size).map { _ in Float(random.uniform() - 0.5) }
    real = noise
    imaginary = [Float](repeating: 0, count: Self.size)
    turns = (0..<Self.size / 2).map { k in
      let angle = -2 * Double.pi * Double(k) / Double(Self.size)
      return (Float(cos(angle)), Float(sin(angle)))
    }
    line = [Float](repeating: 0, count: 8192)
  }

  public func seconds(times: Int) -> Double {
    let before = ThreadClock.seconds
    for _ in 0..<times {
      transformAgain()
      delay()
    }
    return ThreadClock.seconds - before
  }

  /// Transforms by radix 2 with decimation in frequency; the output stays in bit-reversed order.
  private func transformAgain() {
    var re = real.mutableSpan
    var im = imaginary.mutableSpan
    let (turns, noise) = (turns, noise)
    for _ in 0..<Self.transforms {
      for i in 0..<Self.size {
        re[i] = noise[i]
        im[i] = 0
      }
      var half = Self.size / 2
      var stride = 1
      while half >= 1 {
        for start in Swift.stride(from: 0, to: Self.size, by: 2 * half) {
          for k in 0..<half {
            let (a, b) = (start + k, start + k + half)
            let turn = turns[k * stride]
            let (x, y) = (re[a] - re[b], im[a] - im[b])
            re[a] += re[b]
            im[a] += im[b]
            re[b] = x * turn.cosine - y * turn.sine
            im[b] = x * turn.sine + y * turn.cosine
          }
        }
        half /= 2
        stride *= 2
      }
      sum += re[1]
    }
  }

  private func delay() {
    var line = line.mutableSpan
    let noise = noise
    let mask = line.count - 1
    var (late, low, last) = (Float(200), Float(0), Float(0))
    for now in 0..<Self.delayedSamples {
      line[now & mask] = noise[now & (Self.size - 1)]
      late += 0.26
      if late >= 2200 { late -= 2000 }
      var heard: Float = 0
      for tap in [late, late + 1000] {
        let whole = Int(tap)
        let newer = line[(now - whole) & mask]
        heard += newer + (tap - Float(whole)) * (line[(now - whole - 1) & mask] - newer)
      }
      low += 0.2 * (heard - low)
      last = low + 0.1 * last
    }
    sum += last
  }
}
