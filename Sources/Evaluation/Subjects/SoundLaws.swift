import Corpus
import Foundation
import Harmonizer

/// The theoretical formant ratio of an engine's settings.
public struct FormantLaw {
  private let engine: ChoirEngine

  /// Returns `nil` for settings that no engine has.
  public init?(_ settings: SubjectSettings) {
    guard let engine = try? ChoirEngine.chosen(by: settings).engine else { return nil }
    self.engine = engine
  }

  /// Name of the engine in settings.
  public var engineName: String { engine.name }

  /// Returns the ratio of formants out to formants in, for an interval.
  public func ratio(shiftSemitones: Double) -> Double {
    switch engine {
    case .live(let live):
      live.formantRatio(
        shiftSemitones: shiftSemitones, formantShiftSemitones: live.formantShiftSemitones)
    case .offline(let offline): exp2(offline.formantShiftSemitones / 12)
    }
  }
}

/// The theoretical tremolo of the delay line's settings.
public struct TremoloLaw {
  private let line: DelayLineShifter.Settings

  /// Returns `nil` for settings of another engine, and for splices at periods of the voice.
  public init?(_ settings: SubjectSettings) {
    guard case .live(.delayLine(let line))? = try? ChoirEngine.chosen(by: settings).engine,
      line.spliceToPeriods == 0
    else { return nil }
    self.line = line
  }

  public var windowMs: Double { line.windowMs }
  /// The crossfade's share of the window.
  public var crossfadePercent: Double { 100 * line.crossfadeMs / line.windowMs }

  /// Returns the rate at which the taps cross.
  public func rateHz(shiftSemitones: Double, sampleRateHz: Double) -> Double {
    DelayLineLaw(shiftSemitones: shiftSemitones, settings: line, sampleRateHz: sampleRateHz)
      .sweepRateHz
  }

  /// Returns the depth for a sound of many partials, which depends on neither window nor interval.
  public static func depthDb(crossfadePercent: Double) -> Double {
    let line = DelayLineShifter.Settings {
      ($0.windowMs, $0.crossfadeMs) = (100, max(crossfadePercent, 1e-6))
    }
    return DelayLineLaw(shiftSemitones: 12, settings: line, sampleRateHz: 48_000).tremoloDepthDb
  }
}
