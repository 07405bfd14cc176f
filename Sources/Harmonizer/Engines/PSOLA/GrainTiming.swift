import Analyzer
import DSP

/// Delay and length of grains for a voice of some period.
///
/// A grain may begin when its mark is known, so the delay follows the period: high voices come out
/// earlier than low ones. All in samples.
struct GrainTiming {
  /// Speed of reading; faster moves the formants up.
  var speed: Double
  private let share: Double  // of the first half of a grain that is waited for
  private let markWait: Double  // until a mark is known, in periods
  private let fixedWait: Double  // in addition
  private let referencePeriod: Double
  /// Largest change a sample of the level of sound without pitch: from 0 to 1 in 11 ms.
  let levelStep: Float
  /// Delay of sound without pitch: whole samples. That of the first speed, whatever becomes of it.
  private(set) var passingDelay = 0

  /// Grains are begun at multiples of this.
  static var stepSamples: Int { @_noLocks get { 8 } }
  /// Samples after an instant that interpolation needs.
  static var ahead: Double { @_noLocks get { 3 } }

  init(_ settings: PSOLA.Settings, tracker: borrowing EpochTracker, sampleRateHz: Double) {
    speed = frequencyRatio(ofSemitones: settings.formantShiftSemitones)
    share = PSOLA.shareWaitedFor(settings)
    fixedWait = tracker.waitSamples(period: 0) + Double(Self.stepSamples)
    markWait = tracker.waitSamples(period: 1) - tracker.waitSamples(period: 0)
    referencePeriod = sampleRateHz / PSOLA.passingHz
    levelStep = Float(1 / (512.0 / 48_000 * sampleRateHz))
    passingDelay = nearestOf(delay(referencePeriod, ratio: 1))
  }

  /// Returns half the length of a grain in the output: a period as it was sung, shorter for shifts
  /// up by the root of their ratio. Whole periods keep the spectrum between harmonics best; grains
  /// of the output's period, as Praat has them, hide best how one period differs from the next.
  @_noLocks func halfWidth(_ period: Double, ratio: Double) -> Double {
    ratio > 1 ? period / (speed * RealtimeMath.root(ratio)) : period / speed
  }

  /// Returns the least delay from a mark to the middle of its grain: no grain reads what is still
  /// to come.
  @_noLocks func least(_ period: Double) -> Double {
    Self.ahead + (1 - 1 / speed).magnitude * period
  }

  /// Returns the delay from sound to the middle of the grain chosen for it.
  @_noLocks func delay(_ period: Double, ratio: Double) -> Double {
    let known = share * halfWidth(period, ratio: ratio) + markWait * period + fixedWait
    return max(known, least(period) + 0.5 * period)
  }
}
