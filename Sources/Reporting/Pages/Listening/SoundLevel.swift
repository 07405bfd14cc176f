import Analyzer
import AudioFile
import Foundation

/// Loudness and true peak of a sound, which matching its loudness needs.
struct SoundLevel: Equatable {
  /// Integrated loudness by ITU-R BS.1770-4; `nil` for silence and sounds shorter than 400 ms.
  var loudnessLufs: Double?
  /// Highest peak between the samples of any channel; `nil` for silence.
  var truePeakDbtp: Double?

  static let unknown = SoundLevel(loudnessLufs: nil, truePeakDbtp: nil)

  init(loudnessLufs: Double?, truePeakDbtp: Double?) {
    (self.loudnessLufs, self.truePeakDbtp) = (loudnessLufs, truePeakDbtp)
  }

  init(of file: AudioFile) {
    let channels = file.channels.indices.map(file.channel)
    loudnessLufs = Level.integratedLufs(of: channels)
    let peak = channels.map(Level.truePeak).max() ?? 0
    truePeakDbtp = peak > 0 ? 20 * log10(peak) : nil
  }
}
