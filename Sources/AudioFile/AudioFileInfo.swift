/// What a sound file says about itself, learnt without decoding it.
public struct AudioFileInfo: Equatable, Sendable {
  public var format: AudioFormat
  /// The type of the stored samples; nil where the format is lossy or companded.
  public var sampleType: AudioEncoding.SampleType?
  public var channelCount: Int
  public var sampleRateHz: Double
  /// As announced by the file; reading counts for itself, and throws where this was a lie. Nil
  /// where the file does not say: FLAC written to a pipe, and MP3 without a Xing header.
  public var frameCount: Int?

  /// Nil where the number of frames is.
  public var durationSeconds: Double? { frameCount.map { Double($0) / sampleRateHz } }

  /// Reads the header of a file.
  ///
  /// - Throws: every error of reading except those that only decoding finds: samples that are not
  ///   finite, and damage or cuts inside the sound of FLAC and MP3 files.
  public init(probing path: String) throws(AudioFileError) {
    self = try SoundFileReader(opening: path).info
  }

  init(
    format: AudioFormat, sampleType: AudioEncoding.SampleType?, channelCount: Int,
    sampleRateHz: Double, frameCount: Int?
  ) {
    self.format = format
    self.sampleType = sampleType
    self.channelCount = channelCount
    self.sampleRateHz = sampleRateHz
    self.frameCount = frameCount
  }
}
