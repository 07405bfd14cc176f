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
