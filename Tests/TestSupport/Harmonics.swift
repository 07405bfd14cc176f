import DSP
import Foundation

/// A sum of sines at one instant: harmonic `k` has the amplitude `levels[k - 1]` and has made
/// `k * turns` turns.
public func sines(_ levels: [Double], atTurns turns: Double) -> Double {
  var sum = 0.0
  for k in levels.indices { sum += levels[k] * sin(2 * .pi * Double(k + 1) * turns) }
  return sum
}

/// A sum of cosines at one instant: harmonic `k` has the amplitude `levels[k - 1]` and has made
/// `k * turns` turns.
public func cosines(_ levels: [Double], atTurns turns: Double) -> Double {
  var sum = 0.0
  for k in levels.indices { sum += levels[k] * cos(2 * .pi * Double(k + 1) * turns) }
  return sum
}

/// Amplitudes that fall as those of a sawtooth, by 6 dB an octave from `first`.
public func sawtooth(_ count: Int, first: Double = 1) -> [Double] {
  (1...count).map { first / Double($0) }
}

extension Signal {
  /// A steady sine that starts at 0.
  public static func sine(
    _ hz: Double, amplitude: Double = 1, seconds: Double = 1, sampleRateHz: Double = 48_000
  ) -> Signal {
    harmonics([amplitude], of: hz, seconds: seconds, sampleRateHz: sampleRateHz)
  }

  /// Steady sines at multiples of one frequency, which all start at 0.
  public static func harmonics(
    _ levels: [Double], of hz: Double, seconds: Double = 1, sampleRateHz: Double = 48_000
  ) -> Signal {
    let samples = (0..<Int((seconds * sampleRateHz).rounded())).map {
      Float(sines(levels, atTurns: hz * Double($0) / sampleRateHz))
    }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }

  /// Sines at multiples of one frequency, which is a function of the time in seconds.
  public static func harmonics(
    _ levels: [Double], seconds: Double = 1, sampleRateHz: Double = 48_000, hz: (Double) -> Double
  ) -> Signal {
    var turns = 0.0
    let samples = (0..<Int((seconds * sampleRateHz).rounded())).map { n in
      turns += hz(Double(n) / sampleRateHz) / sampleRateHz
      return Float(sines(levels, atTurns: turns))
    }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }
}

/// One steady cosine of a sound.
public struct Partial {
  public let hz: Double
  public let level: Double
  /// Phase at time 0, in radians.
  public let phase: Double

  public init(_ hz: Double, level: Double, phase: Double = 0) {
    (self.hz, self.level, self.phase) = (hz, level, phase)
  }
}

extension [Partial] {
  /// Samples of the sum of the partials, from a time on.
  public func sound(
    seconds: Double, from start: Double = 0, scale: Double = 1, sampleRateHz: Double = 48_000
  ) -> [Float] {
    (0..<Int(seconds * sampleRateHz)).map { i in
      let time = start + Double(i) / sampleRateHz
      return Float(scale * reduce(0) { $0 + $1.level * cos(2 * .pi * $1.hz * time + $1.phase) })
    }
  }
}
