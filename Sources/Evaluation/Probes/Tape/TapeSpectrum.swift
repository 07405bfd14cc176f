import DSP
import Foundation
import Statistics

/// The mean spectrum of a tape's marks in some channels of a recording, beside that of the tape.
///
/// Shifters leave it as it is between 0.6 and 5 kHz, because a mark's noise falls steadily; loudspeakers,
/// codecs and telephones don't.
struct TapeSpectrum {
  /// Frequency above which nothing comes out, as behind a codec or a converter of a low rate; `nil` if the
  /// sound reaches 20 kHz or falls off gently.
  let cutoffHz: Double?
  /// Range of the gain of third octaves from 0.63 to 5 kHz.
  let rangeDb: Double

  private static let frame = 2048
  private static let bandHz = 1000.0
  /// Fall from one band to the next but one that no loudspeaker makes: 24 dB an octave above 10 kHz is 7 dB.
  private static let minFallDb = 15.0
  /// Highest frequency that every good recorder has.
  private static let fullHz = 20_000.0
  /// Third octaves relative to 1 kHz.
  private static let thirds = -2...7

  /// - Parameter fit: the clock of these channels, with their delay.
  init(_ channels: [Signal], fit: MarkFit) {
    let rateHz = channels[0].sampleRateHz
    let found = Self.power(channels, fit.found.map(\.atSeconds))
    let sent = Self.power([TapeMark.sound(rateHz: rateHz)], [0])
    func levelDb(_ power: [Double], _ band: ClosedRange<Double>) -> Double {
      let step = rateHz / Double(Self.frame)
      let bins = Int(band.lowerBound / step)...Int(band.upperBound / step)
      return 10 * log10((Statistics.mean(Array(power[bins])) ?? 0) + 1e-20)
    }
    let highest = min(Self.fullHz, 0.45 * rateHz)
    let levels = (0..<Int(highest / Self.bandHz)).map { band in
      levelDb(found, Double(band) * Self.bandHz...Double(band + 1) * Self.bandHz)
    }
    let edge = levels.indices.dropFirst(2).dropLast(2).first {
      levels[$0] - levels[$0 + 2] > Self.minFallDb
    }
    cutoffHz =
      edge.map { Double($0 + 2) * Self.bandHz } ?? (highest < 0.9 * Self.fullHz ? rateHz / 2 : nil)
    let gains = Self.thirds.compactMap { third -> Double? in
      let centre = 1000 * exp2(Double(third) / 3)
      let (low, high) = (centre * exp2(-1.0 / 6), min(centre * exp2(1.0 / 6), highest))
      return low < high ? levelDb(found, low...high) - levelDb(sent, low...high) : nil
    }
    rangeDb = gains.max()! - gains.min()!
  }

  /// Returns the mean power of the bins during marks that begin at some times.
  private static func power(_ channels: [Signal], _ times: [Double]) -> [Double] {
    var transform = FourierTransform(count: frame)
    let window = Window.hann.samples(frame).map { Float($0) }
    var power = [Double](repeating: 0, count: transform.binCount)
    for channel in channels {
      for time in times {
        let first = max(0, Int(time * channel.sampleRateHz))
        let last = min(
          channel.count, first + Int(TapeMark.seconds * channel.sampleRateHz))
        for start in stride(from: first, through: last - frame, by: frame / 2) {
          let samples = window.indices.map { window[$0] * channel.samples[start + $0] }
          transform.forward(samples.span)
          for bin in power.indices { power[bin] += Double(transform[bin].power) }
        }
      }
    }
    return power
  }
}
