import Analyzer
import AudioFile
import Corpus
import DSP
import Metrics
import Subjects
import Sweep

/// Measurements of the sound that a run kept of a cell's input.
extension ResultStore {
  /// Tracks the pitch of a cell's input; `nil` if its sound was not kept.
  public func inputPitch(of cell: CellResult) throws -> PitchTrack? {
    try inputSound(of: cell).map { PitchTracker.standard.track($0) }
  }

  /// Measures everything about a cell's input; `nil` if its sound was not kept.
  public func inputProfile(
    of cell: CellResult
  ) throws -> (signal: Signal, profile: VoiceProfile)? {
    guard let signal = try inputSound(of: cell) else { return nil }
    let track = PitchTracker.standard.track(signal)
    return (signal, try VoiceProfile(of: signal, track: track))
  }

  private func inputSound(of cell: CellResult) throws -> Signal? {
    try inputFile(of: cell).map { try AudioFile(reading: $0.path).mono }
  }
}

extension CellReplay {
  /// Spectral envelopes of the input, of one voice, and of its ideal, which may be empty.
  public struct Envelopes: Sendable {
    public let input, voice, ideal: [EnvelopeAnalyzer.Frame]
  }

  /// Measures the envelopes of one voice; `nil` if the subject gave no stem of it.
  public func envelopes(ofVoice voice: Int) throws -> Envelopes? {
    guard observation.rendering.stems.indices.contains(voice) else { return nil }
    let analyzer = try EnvelopeAnalyzer()
    var ideal: [EnvelopeAnalyzer.Frame] = []
    if hasIdeal {
      let target = target(ofVoice: voice)
      ideal = analyzer.frames(of: target, PitchTracker.standard.track(target))
    }
    return Envelopes(
      input: analyzer.frames(of: observation.heard, observation.lead),
      voice: analyzer.frames(
        of: observation.rendering.stems[voice], observation.voices[voice].heard),
      ideal: ideal)
  }
}
