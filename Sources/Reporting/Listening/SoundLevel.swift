import Analyzer
import AudioFile
import Foundation

/// How loud a sound is and how near to full scale it comes: what matching it to others takes.
struct SoundLevel: Equatable {
  /// Integrated, by ITU-R BS.1770-4; `nil` in silence and under 400 ms.
  var loudnessLufs: Double?
  /// The highest peak of the wave between the samples of any channel; `nil` in silence.
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
