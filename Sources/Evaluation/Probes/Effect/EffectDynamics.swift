import DSP
import Foundation
import Platform
import Statistics
import Subjects

/// Attack and release of a compressor, limiter, expander or gate: the times in which its gain goes 63 % of the way,
/// in dB, after the level of a tone steps.
///
/// The tone has a quarter of the sample rate, so that each two samples hold its amplitude.
///
/// - Source: Giannoulis, Massberg and Reiss, "Digital dynamic range compressor design", J. Audio Eng. Soc. 60(6), 2012:
///   the definition of time constants.
enum EffectDynamics {
  private static let rateHz = EffectProbe.rateHz
  private static let levelsDb = [-30.0, -6, -30]
  private static let seconds = [2, 3, 5]
  private static let minChangeDb = 0.5

  static var sound: [Float] {
    // An eighth of a turn, at which all samples have one magnitude: peaks are not missed.
    let tone = EffectProbe.tone(hz: rateHz / 4, levelDb: 0, seconds: 10, turns: 0.125)
    let amplitudes = zip(levelsDb, seconds).flatMap { levelDb, seconds -> [Float] in
      [Float](repeating: Float(pow(10, levelDb / 20)), count: seconds * Int(rateHz))
    }
    return zip(tone, amplitudes).map { $0 * $1 }
  }

  /// - Parameter delaySamples: the delay of the effect.
  static func findings(_ output: [Float], delaySamples: Int) throws -> [ProbeFinding] {
    func amplitude(_ samples: [Float], _ n: Int) -> Double {
      hypot(Double(samples[n]), Double(samples[n + 1]))
    }
    let input = sound
    guard delaySamples < 4 * Int(rateHz) else {
      throw Refusal(
        "its delay of \(fixed(Double(delaySamples) / rateHz, 1)) s leaves too little of the tone")
    }
    let gainsDb = (0..<input.count - delaySamples - 1).map { n in
      20
        * log10(
          max(amplitude(output, n + delaySamples), 1e-9) / max(amplitude(input, n), 1e-9))
    }
    let second = Int(rateHz)
    let (up, down) = (seconds[0] * second, (seconds[0] + seconds[1]) * second)
    func mean(before end: Int) throws -> Double {
      let values = gainsDb[max(0, end - 480)..<min(end, gainsDb.count)]
      return Statistics.mean(Array(values)) ?? 0
    }
    let ends = [up, down, gainsDb.count]
    let (rest, loud, again) = try (mean(before: up), mean(before: down), mean(before: ends[2]))
    guard rest > -100, loud > -100 else { throw Refusal("no tone of 12 kHz comes out") }
    guard abs(loud - rest) > minChangeDb else {
      return ["attack", "release"].map {
        .undefined(
          .effect, $0,
          "its gain does not depend on the level: \(fixed(loud - rest, 2)) dB of change between "
            + "\(fixed(levelsDb[0], 0)) and \(fixed(levelsDb[1], 0)) dBFS")
      }
    }
    func finding(
      _ name: String, _ start: Int, from: Double, to: Double, end: Int
    ) throws -> ProbeFinding {
      // 1 % of the way in the last tenth of the time would be 10 % of an exponential's.
      let isSettled = try abs(to - mean(before: end - (end - start) / 10)) < 0.01 * abs(to - from)
      guard isSettled else {
        return .undefined(
          .effect, name, "its gain has not settled after \((end - start) / second) s")
      }
      let way = (1 - exp(-1)) * (to - from)
      let reached = (start..<end).first { abs(gainsDb[$0] - from) >= abs(way) } ?? end
      return .effect(
        name, Double(reached - start) / rateHz * 1000, "ms",
        "the gain goes 63 % of the way from \(fixed(from)) to \(fixed(to)) dB when a tone of 12 kHz "
          + (start == up ? "rises to -6 dBFS" : "falls to -30 dBFS"))
    }
    return try [
      finding("attack", up, from: rest, to: loud, end: down),
      finding("release", down, from: loud, to: again, end: ends[2]),
    ]
  }
}
