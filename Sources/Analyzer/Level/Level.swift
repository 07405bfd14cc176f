import DSP
import Foundation

/// The level of a sound by several measures, and the defects that would falsify them.
///
/// 0 dBFS is an amplitude of 1: a square wave between -1 and 1 has an RMS of 0 dBFS, a full-scale
/// sine -3.01. Levels are `nil` in silence.
///
/// - Cost: about 0.0015 of real time at 48 kHz. Allocates.
public struct Level: Codable, Equatable, Sendable {
  public var rmsDbfs: Double?
  public var samplePeakDbfs: Double?
  /// Peak of the wave between the samples; see `PeakMeter`.
  public var truePeakDbtp: Double?
  /// Integrated loudness: the mean power of the gated blocks, K-weighted for the head and ear. Also
  /// `nil` under 400 ms.
  ///
  /// Blocks of 400 ms start every 100 ms. Blocks at -70 LUFS or less are excluded, then those 10 LU
  /// or more below the mean of the rest.
  ///
  /// - Source: ITU-R BS.1770-4, Annex 1.
  public var integratedLufs: Double?
  /// Mean of the samples.
  public var dcOffset: Double
  /// Number of samples at 16-bit full scale, 32767 / 32768, or beyond.
  public var clippedSamples: Int
  /// Number of NaN or infinite samples. All measures count them as 0.
  public var nonFiniteSamples: Int

  /// Measures the sound in one pass, in order.
  public init<Sound: SoundSource>(of sound: Sound) throws(Sound.Failure) {
    self.init(of: [try LevelMeter(of: sound)])
  }

  /// Measures the channels of one recording, and all of them together: the largest peak and offset, the
  /// mean power, the sum of the counts, and the loudness of BS.1770, which sums the channels' powers.
  public static func ofChannels<Sound: SoundSource>(
    _ channels: [Sound]
  ) throws(Sound.Failure) -> (all: Level, each: [Level]) {
    var meters: [LevelMeter] = []
    for channel in channels { meters.append(try LevelMeter(of: channel)) }
    return (Level(of: meters), meters.map { Level(of: [$0]) })
  }

  private init(of channels: [LevelMeter]) {
    nonFiniteSamples = channels.reduce(0) { $0 + $1.nonFinite }
    clippedSamples = channels.reduce(0) { $0 + $1.clipped }
    let count = Double(max(1, channels.map(\.count).max() ?? 0))
    dcOffset = channels.map { $0.sum / count }.max { abs($0) < abs($1) } ?? 0
    let power = channels.reduce(0) { $0 + $1.energy } / count / Double(max(1, channels.count))
    rmsDbfs = Self.decibels(power.squareRoot())
    samplePeakDbfs = Self.decibels(channels.map(\.peak.ofSamples).max() ?? 0)
    truePeakDbtp = Self.decibels(channels.map(\.peak.ofWave).max() ?? 0)
    integratedLufs = Self.integratedLufs(
      ofSteps: Self.summed(
        channels.map(\.loudness.powers), gains: Self.gains(ofChannels: channels.count)))
  }

  private static func decibels(_ amplitude: Double) -> Double? {
    amplitude > 0 ? 20 * log10(amplitude) : nil
  }
}

/// The sums over one channel from which its level follows.
private struct LevelMeter {
  var count = 0
  var clipped = 0
  var nonFinite = 0
  var sum = 0.0
  var energy = 0.0
  var peak = PeakMeter()
  var loudness: LoudnessSteps

  init<Sound: SoundSource>(of sound: Sound) throws(Sound.Failure) {
    loudness = LoudnessSteps(sampleRateHz: sound.sampleRateHz)
    try sound.forEachBlock { samples in
      let intact = samples.map { $0.isFinite ? $0 : 0 }
      count += intact.count
      nonFinite += samples.count { !$0.isFinite }
      clipped += intact.count { abs($0) >= 32767.0 / 32768 }
      for sample in intact {
        sum += Double(sample)
        energy += Double(sample) * Double(sample)
      }
      peak.take(intact)
      loudness.take(intact)
    }
    peak.end()
  }
}
