import Analyzer
import AudioFile

/// Loudness and true peak of a sound, which matching its loudness needs.
package struct SoundLevel: Equatable {
  /// Integrated loudness by ITU-R BS.1770-4; `nil` for silence and sounds shorter than 400 ms.
  var loudnessLufs: Double?
  /// Highest peak between the samples of any channel; `nil` for silence.
  var truePeakDbtp: Double?

  static let unknown = SoundLevel(loudnessLufs: nil, truePeakDbtp: nil)

  init(loudnessLufs: Double?, truePeakDbtp: Double?) {
    (self.loudnessLufs, self.truePeakDbtp) = (loudnessLufs, truePeakDbtp)
  }

  package init(of file: AudioFile) {
    let channels = file.channels.indices.map(file.channel)
    let level = Level.ofChannels(channels).all
    (loudnessLufs, truePeakDbtp) = (level.integratedLufs, level.truePeakDbtp)
  }
}
