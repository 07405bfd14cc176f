import DSP
import Foundation

/// Level of each harmonic of a voice at one instant.
public struct HarmonicLevels: Equatable, Sendable {
  public var timeSeconds: Double
  public var f0Hz: Double
  /// Amplitudes of harmonics 1, 2, ... in decibels of full scale, noise included.
  public var levelsDb: [Double]
  /// Level that the noise around each harmonic would measure on its own.
  public var noiseDb: [Double]

  public func frequencyHz(ofHarmonic number: Int) -> Double { Double(number) * f0Hz }

  /// The stretch of sound that was measured.
  var windowSeconds: ClosedRange<Double> {
    let reach = HarmonicSampler.cycles / f0Hz / 2
    return timeSeconds - reach...timeSeconds + reach
  }

  /// Indices of the harmonics that stand 6 dB out of the noise.
  var clear: [Int] { levelsDb.indices.filter { levelsDb[$0] > noiseDb[$0] + 6 } }

  /// Returns the level between the two clear harmonics around a frequency, on a logarithmic scale of
  /// frequency; `nil` outside of them.
  func levelDb(atHz hz: Double) -> Double? {
    let clear = clear
    guard let above = clear.firstIndex(where: { frequencyHz(ofHarmonic: $0 + 1) >= hz }) else {
      return nil
    }
    let (a, b) = (clear[max(0, above - 1)], clear[above])
    let (low, high) = (frequencyHz(ofHarmonic: a + 1), frequencyHz(ofHarmonic: b + 1))
    guard hz >= low else { return nil }
    let share = high > low ? log2(hz / low) / log2(high / low) : 0
    return levelsDb[a] + share * (levelsDb[b] - levelsDb[a])
  }
}

/// Measures harmonics over four periods while following a gliding pitch.
///
/// The frame is tapered and correlated in cycles, not in seconds. On that scale the harmonics of a
/// gliding voice stand still, and under a Hann taper of four cycles each falls on the zeros of all
/// others. Half way between two harmonics both vanish, so the power there is noise.
///
/// - Cost: for each instant a `HarmonicFit`, and 2.4 multiplications for each sample of the frame
///   and multiple of half the pitch. Allocates.
/// - Source: the synchrony of window and period as in Dubnov and Rodet, "Investigation of phase
///   coupling phenomena in sustained portion of musical instruments sound", J. Acoust. Soc. Am.
///   113(1), 2003; the zeros of Hann's window as in Harris, 1978.
public struct HarmonicSampler: Sendable {
  fileprivate static let cycles = 4.0

  private let signal: Signal
  private let pitch: HarmonicFit
  private let ceilingHz: Double

  /// - Parameter ceilingHz: maximum frequency of a measured harmonic.
  public init(of signal: Signal, ceilingHz: Double) {
    self.init(ofAudible: signal.withoutNonFinite.withoutInfrasound(), ceilingHz: ceilingHz)
  }

  /// - Parameter finite: finite samples of sound without infrasound.
  init(ofAudible finite: Signal, ceilingHz: Double) {
    // At least the rate of the fit, so that most analyses share one resampled sound.
    let rateHz = min(max(2.5 * ceilingHz, HarmonicFit.rateHz), finite.sampleRateHz)
    self.signal = finite.resampled(to: rateHz)
    self.ceilingHz = min(ceilingHz, 0.46 * rateHz)
    pitch = HarmonicFit(heard: finite)
  }

  /// Measures every `hopSeconds` between two instants, wherever `track` is voiced.
  public func levels(
    along track: PitchTrack, from start: Double, to end: Double, hopSeconds: Double
  ) -> [HarmonicLevels] {
    guard end >= start else { return [] }
    return (0...Int((end - start) / hopSeconds)).compactMap { index in
      let time = start + Double(index) * hopSeconds
      return track.f0Hz(atSeconds: time).flatMap { levels(atSeconds: time, expectedHz: $0) }
    }
  }

  /// Measures at one instant; `nil` if no pitch near `expectedHz` explains the sound.
  public func levels(atSeconds time: Double, expectedHz: Double) -> HarmonicLevels? {
    guard let fit = pitch.fit(atSeconds: time, expectedHz: expectedHz) else { return nil }
    let rateHz = signal.sampleRateHz
    let half = Self.cycles / 2
    // A glide moves the ends of the frame; 5 % more is enough for an octave in 0.2 s.
    let reach = Int((half / fit.f0Hz * rateHz * 1.05).rounded(.up))
    let middle = Int((time * rateHz).rounded())
    guard middle - reach >= 0, middle + reach < signal.count else { return nil }
    let highest = Int(ceilingHz / fit.f0Hz - 0.5)
    guard highest >= 2 else { return nil }

    var halves = HalfHarmonics(
      signal, around: time, f0Hz: fit.f0Hz, slopeHzPerSecond: fit.slopeHzPerSecond, reach: reach)
    let weightSum = halves.weightSum
    guard weightSum > 0 else { return nil }
    let powers = halves.powers(2 * highest + 1)
    let scale = 4 / (weightSum * weightSum)
    func decibels(_ power: Double) -> Double { 10 * log10(power * scale + 1e-18) }
    let levels = (1...highest).map { decibels(powers[2 * $0]) }
    let noise = (1...highest).map { h -> Double in
      var (sum, count) = (0.0, 0.0)
      for half in stride(from: max(2 * h - 3, 1), through: min(2 * h + 3, 2 * highest + 1), by: 2) {
        sum += powers[half]
        count += 1
      }
      return decibels(sum / count)
    }
    guard levels.max()! > -120 else { return nil }
    return HarmonicLevels(timeSeconds: time, f0Hz: fit.f0Hz, levelsDb: levels, noiseDb: noise)
  }
}
