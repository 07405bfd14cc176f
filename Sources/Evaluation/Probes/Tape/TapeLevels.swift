import DSP
import Foundation
import Statistics

/// The levels of a tape's marks and steps in some channels of a recording.
struct TapeLevels {
  /// Level of each mark that was found, relative to the tape, by its number.
  let marksDb: [(mark: Int, gainDb: Double)]
  /// Levels of the steps relative to the step that is as loud as a mark.
  let stepsDb: [Double]
  /// Loss of the loudest step, 6 dB above a mark, by its noise above 3 kHz.
  ///
  /// A compressor turns the loudest sound down as a whole. A shifter moves the partials, which then add up to
  /// another level, at any step; the noise keeps its own.
  let loudestLossDb: Double
  /// Level of what rings after a burst, relative to the burst: the median over marks.
  let ringDb: Double
  /// Level of the quietest tenth of the tape.
  let noiseDbfs: Double

  /// The same relative to a mark.
  var noiseDb: Double { noiseDbfs - markDbfs }
  private let markDbfs: Double

  /// Gain of the marks: their median.
  var gainDb: Double { Statistics.median(marksDb.map(\.gainDb)) ?? 0 }

  /// Level below which nothing is told apart.
  private static let floorDb = -120.0
  /// Part of a step that is measured: its second half, when gain has followed and delays have passed.
  private static let measuredShare = 0.5...0.95

  /// Frequency above which a burst's noise is louder than its buzz.
  private static let noiseHz = 3000.0

  /// - Parameter fit: the clock of these channels, with their delay.
  init(_ channels: [Signal], of sheet: TapeSheet, fit: MarkFit) {
    let sent = 20 * log10(Self.rms([TapeMark.sound(rateHz: 48_000)], 0..<TapeMark.seconds))
    marksDb = fit.found.map { mark in
      let level = Self.rms(channels, mark.atSeconds..<mark.atSeconds + TapeMark.seconds)
      return (mark.mark, Self.db(level) - sent - sheet.gainDb)
    }
    markDbfs = sent + sheet.gainDb + (Statistics.median(marksDb.map(\.gainDb)) ?? 0)
    let seconds =
      (Self.measuredShare.upperBound - Self.measuredShare.lowerBound) * TapeSteps.stepSeconds
    let starts = TapeSteps.stepsDb.indices.map { step in
      fit.recordedSeconds(
        ofTape: sheet.stepsAtSeconds + (Double(step) + Self.measuredShare.lowerBound)
          * TapeSteps.stepSeconds)
    }
    let steps = starts.map { Self.db(Self.rms(channels, $0..<$0 + seconds)) }
    let reference = TapeSteps.stepsDb.firstIndex(of: 0)!
    stepsDb = steps.map { $0 - steps[reference] }
    let noises = [0, reference].map { step in
      let power = TapeSpectrum.power(channels, [starts[step]], seconds: seconds)
      let first = Int(Self.noiseHz * Double(TapeSpectrum.frame) / channels[0].sampleRateHz)
      return 10 * log10(power.dropFirst(first).reduce(0, +) + 1e-20)
    }
    loudestLossDb = TapeSteps.stepsDb[0] - (noises[0] - noises[1])
    let window = 0.05
    let times = stride(
      from: max(0, fit.startSeconds), to: fit.startSeconds + sheet.durationSeconds, by: window)
    let levels = times.map { Self.rms(channels, $0..<$0 + window) }
    let noise = Statistics.quantile(levels, 0.1) ?? 0
    noiseDbfs = Self.db(noise)
    let rings = fit.found.map { mark in
      let (burst, pause) = (TapeMark.burstBeforePause, Self.ringSeconds)
      let loud = Self.rms(
        channels, mark.atSeconds + burst.lowerBound..<mark.atSeconds + burst.upperBound)
      let end = mark.atSeconds + burst.upperBound
      let ring = Self.rms(channels, end + pause.lowerBound..<end + pause.upperBound)
      // Noise is no ring. It is as loud as its softest moments within 1 dB.
      guard ring * ring > 2 * noise * noise else { return Self.floorDb }
      return Self.db((ring * ring - noise * noise).squareRoot()) - Self.db(loud)
    }
    ringDb = Statistics.median(rings) ?? Self.floorDb
  }

  /// Time after a burst in which a shifter is silent, whose grains last up to 0.1 s, and a room is not.
  private static let ringSeconds = 0.12...0.3

  private static func db(_ rms: Double) -> Double { max(floorDb, 20 * log10(max(rms, 1e-9))) }

  /// Returns the root mean square of a stretch; of several channels, that of the mean power.
  static func rms(_ channels: [Signal], _ seconds: Range<Double>) -> Double {
    let powers = channels.map { channel in
      let first = max(0, Int(seconds.lowerBound * channel.sampleRateHz))
      let last = min(channel.count, Int(seconds.upperBound * channel.sampleRateHz))
      guard first < last else { return 0.0 }
      let sum = channel.samples[first..<last].reduce(0.0) { $0 + Double($1) * Double($1) }
      return sum / Double(last - first)
    }
    return (powers.reduce(0, +) / Double(max(1, powers.count))).squareRoot()
  }
}
