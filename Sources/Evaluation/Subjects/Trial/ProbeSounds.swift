import DSP
import Foundation
import Singer

/// The sounds that probe subjects. They are deterministic.
package enum ProbeSounds {
  /// Returns notes of 0.3 s with rests of 0.2 s; their harmonics fall as 1 over the harmonic's number.
  package static func beats(hz: Double, count: Int = 5, sampleRateHz: Double) -> Signal {
    let (on, rest, ramp) = (0.3, 0.2, 0.005)
    return tone(seconds: 0.3 + Double(count) * (on + rest), sampleRateHz: sampleRateHz) { _ in
      hz
    } gain: { time in
      let within = (time - rest).truncatingRemainder(dividingBy: on + rest)
      guard time >= rest, within < on else { return 0 }
      return min(1, within / ramp, (on - within) / ramp)
    }
  }

  /// Returns a note that steps by `semitones`, or back, at each of the times.
  package static func steps(
    hz: Double, semitones: Double, atSeconds times: [Double], seconds: Double,
    sampleRateHz: Double
  ) -> Signal {
    tone(seconds: seconds, sampleRateHz: sampleRateHz) { time in
      times.count { $0 <= time } % 2 == 0 ? hz : hz * exp2(semitones / 12)
    } gain: {
      min(1, $0 / 0.02)
    }
  }

  /// Returns a note of 3 s whose level swings without repetition.
  package static func swell(hz: Double, sampleRateHz: Double) -> Signal {
    tone(seconds: 3, sampleRateHz: sampleRateHz) { _ in
      hz
    } gain: { time in
      let swings = [2.3, 3.7, 5.9].reduce(0) { $0 + sin(2 * .pi * $1 * time + $1) }
      return (0.55 + 0.15 * swings) * min(1, time / 0.2, (3 - time) / 0.2)
    }
  }

  package static func steady(hz: Double, seconds: Double, sampleRateHz: Double) -> Signal {
    tone(seconds: seconds, sampleRateHz: sampleRateHz) { _ in
      hz
    } gain: {
      min(1, $0 / 0.02)
    }
  }

  /// Returns impulses at distances that don't repeat, for delays up to 150 ms.
  package static func impulses(count: Int = 48, sampleRateHz: Double) -> Signal {
    let apart = 0.2
    var samples = [Float](repeating: 0, count: Int((Double(count) + 1.5) * apart * sampleRateHz))
    for n in 0..<count {
      let golden = (Double(n) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
      samples[Int((0.1 + Double(n) * apart + 0.04 * golden) * sampleRateHz)] = 0.9
    }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }

  /// Returns a phrase of the synthetic singer.
  package static func voice(sampleRateHz: Double) throws -> Signal {
    guard let entry = Songbook.entries.first else { return Signal([], sampleRateHz: sampleRateHz) }
    return try Songbook.performance(id: entry.id).render(sampleRateHz: sampleRateHz).signal
  }

  /// Returns the start of that phrase, after 0.5 s of lead-in.
  package static func phrase(seconds: Double, sampleRateHz: Double = 48_000) throws -> Signal {
    let voice = try voice(sampleRateHz: sampleRateHz)
    let samples = voice.samples.dropFirst(Int(0.5 * sampleRateHz))
    return Signal(Array(samples.prefix(Int(seconds * sampleRateHz))), sampleRateHz: sampleRateHz)
  }

  package static func noise(seconds: Double, sampleRateHz: Double) -> Signal {
    var random = SeededGenerator(seed: 1)
    return Signal(
      (0..<Int(seconds * sampleRateHz)).map { _ in Float(0.5 * (random.uniform() - 0.5)) },
      sampleRateHz: sampleRateHz)
  }

  package static func constant(_ value: Float, seconds: Double, sampleRateHz: Double) -> Signal {
    Signal(
      [Float](repeating: value, count: Int(seconds * sampleRateHz)), sampleRateHz: sampleRateHz)
  }

  /// A square wave at full scale with a period of 218 samples.
  package static func square(seconds: Double, sampleRateHz: Double) -> Signal {
    Signal(
      (0..<Int(seconds * sampleRateHz)).map { $0 / 109 % 2 == 0 ? 1 : -1 },
      sampleRateHz: sampleRateHz)
  }

  /// Returns a tone with harmonics up to 8 kHz, and none above 0.45 of the rate.
  package static func tone(
    seconds: Double, sampleRateHz: Double, hz: (Double) -> Double, gain: (Double) -> Double
  ) -> Signal {
    var turns = 0.0
    let samples = (0..<Int(seconds * sampleRateHz)).map { n -> Float in
      let time = Double(n) / sampleRateHz
      let f0 = hz(time)
      let harmonics = max(1, Int(min(8000, 0.45 * sampleRateHz) / f0))
      let (c, s) = (cos(2 * .pi * turns), sin(2 * .pi * turns))
      var (real, imaginary, sum) = (1.0, 0.0, 0.0)
      for harmonic in 1...harmonics {
        (real, imaginary) = (real * c - imaginary * s, imaginary * c + real * s)
        sum += imaginary / Double(harmonic)
      }
      turns += f0 / sampleRateHz
      turns -= turns.rounded(.down)
      return Float(0.2 * sum * gain(time))
    }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }
}
