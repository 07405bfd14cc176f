import AudioFile

extension SubjectFile {
  /// The format of the WAV files that a command reads. Some programs misread floats as integers.
  public enum InputFormat: String, Codable, CaseIterable, Sendable {
    case float, pcm16, pcm24

    var encoding: AudioEncoding {
      switch self {
      case .float: .wav(.float32)
      case .pcm16: .wav(.int16)
      case .pcm24: .wav(.int24)
      }
    }
  }
}
