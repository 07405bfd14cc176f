import CSndFile
import Foundation

extension AudioFormat {
  /// The reason why this machine's libsndfile can't write the format; `nil` if it can.
  ///
  /// libsndfile can be built without MP3, Ogg Vorbis and Opus, and then has no other sign of it.
  public var encoderProblem: String? {
    guard let encoding = AudioEncoding(default: self) else { return "\(self) is only read here" }
    do throws(FileSink.Refusal) {
      _ = try SoundFileWriter(
        to: FileSink("/dev/null"), encoding: encoding, channelCount: 1, sampleRateHz: 48_000,
        isShort: true)
      return nil
    } catch { return "this machine's libsndfile can't write \(self): \(error.reason)" }
  }
}
