import DSP
import Foundation
import Statistics

/// The mean spectrum of a tape's marks in some channels of a recording, beside that of the tape.
///
/// Between 0.6 and 5 kHz shifters leave it as it is, because a mark's noise falls steadily, or move all of
/// it with the pitch; loudspeakers, codecs and telephones do neither.
struct TapeSpectrum {
  /// Frequency above which nothing comes out, as behind a codec or a converter of a low rate; `nil` if the
  /// sound reaches 20 kHz or falls off gently.
  let cutoffHz: Double?
  /// True if the tape's band, moved by the highest voice's interval, ends there too.
  let endsAsShifted: Bool
  /// Range of the gain of third octaves from 0.63 to 5 kHz, beside the mark or beside the mark moved by the
  /// voices' intervals: the smaller one.
  let rangeDb: Double

  static let frame = 2048
  private static let bandHz = 1000.0
  /// Fall from one band to the next but one that no loudspeaker makes: 24 dB an octave above 10 kHz is 7 dB.
  private static let minFallDb = 15.0
  /// Highest frequency that every good recorder has.
  private static let fullHz = 20_000.0
  /// Third octaves relative to 1 kHz.
  private static let thirds = -2...7

  /// - Parameters:
  ///   - fit: the clock of these channels, with their delay.
  ///   - semitones: intervals of the voices; empty if the channels hold the tape itself, or a tuner's output.
  ///   - tapeRateHz: sample rate of the tape.
  init(_ channels: [Signal], fit: MarkFit, semitones: [Double], tapeRateHz: Double) {
    let rateHz = channels[0].sampleRateHz
    let ratios = semitones.map { exp2($0 / 12) }
    let found = Self.power(channels, fit.found.map(\.atSeconds))
    let sent = Self.power([TapeMark.sound(rateHz: rateHz)], [0])
    /// The level of a band of which each voice moved another there.
    func levelDb(
      _ power: [Double], _ band: ClosedRange<Double>, movedBy ratios: [Double] = [1]
    ) -> Double {
      let step = rateHz / Double(Self.frame)
      let density = ratios.map { ratio -> Double in
        let first = Int(band.lowerBound / ratio / step)
        let last = min(Int(band.upperBound / ratio / step), power.count - 1)
        return first <= last ? Statistics.mean(Array(power[first...last]))! / ratio : 0
      }
      return 10 * log10(density.reduce(0, +) + 1e-20)
    }
    let highest = min(Self.fullHz, 0.45 * rateHz)
    let levels = (0..<Int(highest / Self.bandHz)).map { band in
      levelDb(found, Double(band) * Self.bandHz...Double(band + 1) * Self.bandHz)
    }
    let edge = levels.indices.dropFirst(2).dropLast(2).first {
      levels[$0] - levels[$0 + 2] > Self.minFallDb
    }
    let cutoffHz =
      edge.map { Double($0 + 2) * Self.bandHz } ?? (highest < 0.9 * Self.fullHz ? rateHz / 2 : nil)
    self.cutoffHz = cutoffHz
    let shiftedEnd = ((ratios.max() ?? .infinity) * tapeRateHz / 2 / Self.bandHz).rounded()
    endsAsShifted = abs((cutoffHz ?? 0) - shiftedEnd * Self.bandHz) <= Self.bandHz
    rangeDb =
      (ratios.isEmpty ? [[1]] : [[1], ratios]).map { ratios in
        let gains = Self.thirds.compactMap { third -> Double? in
          let centre = 1000 * exp2(Double(third) / 3)
          let (low, high) = (centre * exp2(-1.0 / 6), min(centre * exp2(1.0 / 6), highest))
          return low < high
            ? levelDb(found, low...high) - levelDb(sent, low...high, movedBy: ratios) : nil
        }
        return gains.max()! - gains.min()!
      }.min()!
  }

  /// Returns the power of the bins during sounds that begin at some times.
  static func power(
    _ channels: [Signal], _ times: [Double], seconds: Double = TapeMark.seconds
  ) -> [Double] {
    var transform = FourierTransform(count: frame)
    let window = Window.hann.samples(frame).map { Float($0) }
    var power = [Double](repeating: 0, count: transform.binCount)
    for channel in channels {
      for time in times {
        let first = max(0, Int(time * channel.sampleRateHz))
        let last = min(channel.count, first + Int(seconds * channel.sampleRateHz))
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
