import DSP
import Foundation

/// The sound by which a test tape is found again in a recording of it: bursts at unequal distances.
///
/// The bursts begin on a Golomb ruler, on which no two distances are equal, so their envelope fits
/// itself at one place only. Pitch shifters, filters, gain and codecs leave the envelope. A burst is
/// half noise, half a buzz: some systems drop what has no pitch, and noise suppressors drop steady noise.
///
/// - Source: Golomb ruler of order 5, Dimitromanolakis, "Analysis of the Golomb ruler and the Sidon set
///   problems", 2002, table 1.1.
package enum TapeMark {
  /// Beginnings of the bursts in units of `unitSeconds`.
  private static let ruler = [0, 1, 4, 9, 11]
  /// Beside shifters that smear by 50 ms, gaps of 40 ms and more remain.
  private static let unitSeconds = 0.11
  static let burstSeconds = 0.07
  /// The burst before the longest pause, from the mark's beginning.
  static let burstBeforePause = 4 * unitSeconds...4 * unitSeconds + burstSeconds
  private static let rampSeconds = 0.003
  package static let seconds = Double(ruler.last!) * unitSeconds + burstSeconds

  /// True while a burst sounds.
  package static func isOn(atSeconds time: Double) -> Bool {
    ruler.contains { start in
      let within = time - Double(start) * unitSeconds
      return 0..<burstSeconds ~= within
    }
  }

  private static let designRateHz = 48_000.0
  private static let buzzHz = 140.0
  /// Root mean square within a burst, -20 dBFS, like that of a voice at a sound level.
  private static let rms = 0.1

  /// The mark at a sample rate; the same sound at every rate.
  package static func sound(rateHz: Double) -> Signal { standard.resampled(to: rateHz) }

  private static let standard: Signal = burst(seconds: seconds) { time in
    let within = ruler.map { time - Double($0) * unitSeconds }.first { 0..<burstSeconds ~= $0 }
    return within.map { min(1, $0 / rampSeconds, (burstSeconds - $0) / rampSeconds) } ?? 0
  }

  /// Returns noise and buzz in equal parts under an envelope.
  package static func burst(seconds: Double, envelope: (Double) -> Double) -> Signal {
    var random = SeededGenerator(seed: 50)
    var (low, turns) = (0.0, 0.0)
    // The noise falls by 6 dB an octave above 1.2 kHz, about as voices do.
    let pole = 0.85
    let noiseRMS = (1.0 / 12 / (1 - pole * pole)).squareRoot()
    let buzzRMS = Double.pi / 12.0.squareRoot()  // of a full sawtooth, whose partials fall as 1 / n
    let partials = 1...Int(8000 / buzzHz)
    let samples = (0..<Int(seconds * designRateHz)).map { n -> Double in
      low = pole * low + random.uniform() - 0.5
      turns += buzzHz / designRateHz
      let buzz = partials.reduce(0.0) { $0 + sin(2 * .pi * turns * Double($1)) / Double($1) }
      let gain = envelope(Double(n) / designRateHz)
      return gain == 0 ? 0 : gain * rms * (low / noiseRMS + buzz / buzzRMS) * 0.5.squareRoot()
    }
    return Signal(samples.map { Float($0) }, sampleRateHz: designRateHz)
  }
}

/// Sound of known levels, one step below the other, which shows limiters, compressors and gates.
package enum TapeSteps {
  /// Levels relative to a mark; the first has crests near full scale.
  package static let stepsDb = [6.0, 0, -10, -20, -30, -40]
  package static let stepSeconds = 0.4
  package static let seconds = Double(stepsDb.count) * stepSeconds

  package static func sound(rateHz: Double) -> Signal {
    TapeMark.burst(seconds: seconds) { time in
      let step = min(stepsDb.count - 1, Int(time / stepSeconds))
      return pow(10, stepsDb[step] / 20)
    }.resampled(to: rateHz)
  }
}
