import DSP
import Foundation

/// How loud a mono sound is, by several measures, and whether it is intact.
///
/// 0 dBFS is an amplitude of 1: a square wave that swings from -1 to 1 has an RMS of 0 dBFS, a full
/// sine -3.01. Levels are `nil` where there is only silence.
///
/// - Cost: about 0.0015 of real time at 48 kHz. Allocates.
public struct Level: Codable, Equatable, Sendable {
  public var rmsDbfs: Double?
  public var samplePeakDbfs: Double?
  /// The peak of the wave between the samples; see `truePeak(of:)`.
  public var truePeakDbtp: Double?
  /// Loudness of the whole; see `integratedLufs(of:gains:)`. Also `nil` under 400 ms.
  public var integratedLufs: Double?
  /// The mean of the samples.
  public var dcOffset: Double
  /// Samples at 16-bit full scale, 32767 / 32768, or beyond.
  public var clippedSamples: Int
  /// Samples that are not a number or infinite. All else is measured with zeros in their place.
  public var nonFiniteSamples: Int

  public init(of signal: Signal) {
    nonFiniteSamples = signal.samples.count { !$0.isFinite }
    let intact = Signal(
      signal.samples.map { $0.isFinite ? $0 : 0 }, sampleRateHz: signal.sampleRateHz)
    clippedSamples = intact.samples.count { abs($0) >= 32767.0 / 32768 }
    dcOffset =
      intact.samples.reduce(0.0) { $0 + Double($1) } / Double(max(1, intact.samples.count))
    rmsDbfs = Self.decibels(intact.rms)
    samplePeakDbfs = Self.decibels(Self.samplePeak(of: intact))
    truePeakDbtp = Self.decibels(Self.truePeak(of: intact))
    integratedLufs = Self.integratedLufs(of: [intact])
  }

  static func samplePeak(of signal: Signal) -> Double {
    signal.samples.reduce(0.0) { max($0, Double(abs($1))) }
  }

  private static func decibels(_ amplitude: Double) -> Double? {
    amplitude > 0 ? 20 * log10(amplitude) : nil
  }
}
