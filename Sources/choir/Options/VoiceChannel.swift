import AudioFile
import CommandSupport
import DSP

extension AudioFile {
  /// The sound of a recorded voice: the mean of all channels, or with a warning the loudest channel where they
  /// cancel each other.
  ///
  /// - Parameter path: of the recording.
  func voice(of path: String) -> Signal {
    guard let voiceChannel else { return mono }
    Terminal.printError(
      "warning: \(path): the channels cancel each other; channel \(voiceChannel + 1), the loudest, is taken"
    )
    return channel(voiceChannel)
  }
}
