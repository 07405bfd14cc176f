import Analyzer
import AudioFile
import DSP
import Sweep

/// Measurements of the sound that a run kept of a cell's input.
extension ResultStore {
  /// Returns a function that tells whether the lead has a pitch at a time of the cell's output; `nil`
  /// if the sound of its input was not kept.
  public func leadVoicing(of cell: CellResult) throws -> ((Double) -> Bool)? {
    guard let sound = try inputSound(of: cell) else { return nil }
    let track = PitchTracker.standard.track(sound)
    let lateS = (cell.latencyMs ?? 0) / 1000
    return { seconds in
      let frame = Int(((seconds - lateS) / track.hopSeconds).rounded())
      return track.f0Hz.indices.contains(frame) && track.f0Hz[frame] > 0
    }
  }

  /// Measures everything about a cell's input; `nil` if its sound was not kept.
  public func inputOutline(of cell: CellResult) throws -> VoiceOutline? {
    guard let signal = try inputSound(of: cell) else { return nil }
    let track = PitchTracker.standard.track(signal)
    return try VoiceOutline(of: signal, VoiceProfile(of: signal, track: track))
  }

  private func inputSound(of cell: CellResult) throws -> Signal? {
    try inputFile(of: cell).map { try AudioFile(reading: $0.path).mono }
  }
}
