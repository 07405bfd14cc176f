import Corpus
import Harmonizer

/// What theory says of the latency of a setting, where an engine has a law.
public struct LatencyLaw {
  /// Why there is none.
  public struct Unknown: Error, Equatable, CustomStringConvertible {
    public var description: String
  }

  private let engine: Engine

  public init(subject: String, settings: SubjectSettings) throws(Unknown) {
    guard subject == "reference" else {
      throw Unknown(description: "only the engines of the reference harmonizer have laws")
    }
    guard settings["effects", default: .text("dry")] == .text("dry") else {
      throw Unknown(description: "the law is of the engine, and effects come after it")
    }
    let chosen = try? ChoirEngine.chosen(by: settings).engine
    guard case .live(let engine) = chosen else {
      throw Unknown(description: "the offline engine has no latency")
    }
    self.engine = engine
  }

  /// Whether it is the law of the delay line, half of window and crossfade.
  public var isOfDelayLine: Bool { if case .delayLine = engine { true } else { false } }

  /// Mean over the voices of a score.
  ///
  /// - Parameter noteHz: what the lead sings, about; `nil` is sound without pitch.
  public func predictedMs(score: Score, noteHz: Double?) throws(Unknown) -> Double {
    switch engine {
    case .delayLine(let settings):
      // Neither the shift nor the rate moves the mean.
      return DelayLineLaw(
        shiftSemitones: 0, settings: settings, sampleRateHz: 48_000, noteHz: noteHz
      ).meanDelayMs
    case .vocoder(let settings):
      return Vocoder.Law(settings).delayMs
    case .psola(let settings):
      let law = PSOLA.Law(settings)
      guard let noteHz else { return law.delayMs(noteHz: nil, shiftSemitones: 0) }
      guard case .intervals(let intervals) = score.form, !intervals.isEmpty else {
        throw Unknown(description: "the delay follows the shift, and the score moves its voices")
      }
      let delays = intervals.map { law.delayMs(noteHz: noteHz, shiftSemitones: $0) }
      return delays.reduce(0, +) / Double(delays.count)
    }
  }
}
