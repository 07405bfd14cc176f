import Corpus
import Harmonizer
import Platform

/// The theoretical latency of an engine's settings.
public struct LatencyLaw {

  private let engine: Engine

  /// - Parameter subject: `reference`, or one of its engines by name.
  public init(subject: String, settings: SubjectSettings) throws(Refusal) {
    var settings = settings
    if ChoirEngine.names.contains(subject) {
      settings["engine"] = .text(subject)
    } else if subject != "reference" {
      throw Refusal("only engines of the reference harmonizer have a law")
    }
    guard settings["effects", default: .text("dry")] == .text("dry") else {
      throw Refusal("the law holds for an engine without effects")
    }
    let chosen = try? ChoirEngine.chosen(by: settings).engine
    guard case .live(let engine) = chosen else {
      throw Refusal("the offline engine has no latency")
    }
    self.engine = engine
  }

  /// True for the law of the delay line: half of window and crossfade.
  public var isOfDelayLine: Bool { if case .delayLine = engine { true } else { false } }

  /// True if the latency depends on the note and the shift.
  public var followsTheNote: Bool { if case .psola = engine { true } else { false } }

  /// Returns the mean latency over the voices of a score.
  ///
  /// - Parameter noteHz: the lead's approximate pitch; `nil` for sound without pitch.
  public func predictedMs(score: Score, noteHz: Double?) throws(Refusal) -> Double {
    switch engine {
    case .delayLine(let settings):
      // The mean depends on neither the shift nor the rate.
      return DelayLineLaw(
        shiftSemitones: 0, settings: settings, sampleRateHz: 48_000, noteHz: noteHz
      ).meanDelayMs
    case .vocoder(let settings):
      return Vocoder.Law(settings).delayMs
    case .psola(let settings):
      let law = PSOLA.Law(settings)
      guard let noteHz else { return law.delayMs(noteHz: nil, shiftSemitones: 0) }
      guard case .intervals(let intervals) = score.form, !intervals.isEmpty else {
        throw Refusal("the delay depends on the shift, which the score changes")
      }
      let delays = intervals.map { law.delayMs(noteHz: noteHz, shiftSemitones: $0) }
      return delays.reduce(0, +) / Double(delays.count)
    }
  }
}
