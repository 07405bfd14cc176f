import Analyzer
import Metrics
import Statistics

/// The spectral envelope and the formants of a sound over its voiced stretches.
public struct VoiceTimbre: Sendable {
  public struct Level: Sendable {
    public var hz: Double
    /// Relative to the mean of the envelope, which removes the loudness.
    public var db: Double
  }

  public struct Formant: Sendable {
    public var timeSeconds: Double
    public var hz: Double
  }

  /// The mean envelope in steps of 50 Hz, from 100 Hz to 8 kHz as far as it is known.
  public let envelope: [Level]
  /// The tracks of F1 to F3; a frame without a formant is left out.
  public let formants: [[Formant]]

  /// - Parameter delaySeconds: subtracted from the times of the formants.
  /// - Returns: `nil` without a voiced stretch.
  init?(_ frames: [EnvelopeAnalyzer.Frame], delaySeconds: Double = 0) {
    guard !frames.isEmpty else { return nil }
    let low = frames.map(\.envelope.lowestHz).max() ?? 0
    let high = frames.map(\.envelope.highestHz).min() ?? 0
    let levels = stride(from: 100.0, through: 8000, by: 50).filter { $0 >= low && $0 <= high }
      .map { hz in
        (hz, Statistics.mean(frames.map { $0.envelope.levelDb(atHz: hz) }) ?? 0)
      }
    let middle = Statistics.mean(levels.map(\.1)) ?? 0
    envelope = levels.map { Level(hz: $0.0, db: $0.1 - middle) }
    formants = (0..<3).map { number in
      frames.compactMap { frame in
        guard frame.formants.indices.contains(number) else { return nil }
        return Formant(
          timeSeconds: frame.timeSeconds - delaySeconds, hz: frame.formants[number].frequencyHz)
      }
    }
  }
}

extension CellReplay {
  /// Timbre of the input, of one voice at the input's time, and of its ideal.
  public struct Timbres: Sendable {
    public let input, voice, ideal: VoiceTimbre?
  }

  /// Measures the timbre of one voice; `nil` if the subject gave no stem of it.
  public func timbres(ofVoice voice: Int) throws -> Timbres? {
    guard observation.rendering.stems.indices.contains(voice) else { return nil }
    let analyzer = try EnvelopeAnalyzer()
    var ideal: [EnvelopeAnalyzer.Frame] = []
    if hasIdeal {
      let target = target(ofVoice: voice)
      ideal = analyzer.frames(of: target, PitchTracker.standard.track(target))
    }
    let stem = analyzer.frames(
      of: observation.rendering.stems[voice], observation.voices[voice].heard)
    return Timbres(
      input: VoiceTimbre(analyzer.frames(of: observation.heard, observation.lead)),
      voice: VoiceTimbre(stem, delaySeconds: observation.voices[voice].delay.seconds ?? 0),
      ideal: VoiceTimbre(ideal))
  }
}
