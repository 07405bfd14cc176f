import Analyzer
import AudioFile
import DSP
import Sweep

/// Measurements of the sound that a run kept of a cell's input.
extension ResultStore {
  /// Returns a function that tells whether the lead has a pitch at a time of the cell's output; `nil`
  /// if the sound of its input was not kept.
  public func leadVoicing(of cell: CellResult) throws -> ((Double) -> Bool)? {
    guard let file = inputFile(of: cell) else { return nil }
    let track = PitchTracker.standard.track(try AudioFile(reading: file.path).mono)
    let lateS = (cell.latencyMs ?? 0) / 1000
    return { seconds in
      let frame = Int(((seconds - lateS) / track.hopSeconds).rounded())
      return track.f0Hz.indices.contains(frame) && track.f0Hz[frame] > 0
    }
  }

}
