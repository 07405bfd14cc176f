/// The properties of a sound file, read without decoding it.
public struct AudioFileInfo: Equatable, Sendable {
  public var format: AudioFormat
  /// Type of the stored samples; nil if the format is lossy or companded.
  public var sampleType: AudioEncoding.SampleType?
  public var channelCount: Int
  public var sampleRateHz: Double
  /// Number of frames that the file announces. Reading counts them and throws if there are fewer.
  /// Nil if the file does not say: FLAC written to a pipe, and MP3 without a Xing header.
  public var frameCount: Int?
  /// Deviations of the file from its format that leave the sound whole, such as a header that a
  /// crashed recorder did not complete.
  public var remarks: [String]

  /// Duration; nil if the number of frames is unknown.
  public var durationSeconds: Double? { frameCount.map { Double($0) / sampleRateHz } }
}

extension AudioFileInfo {
  /// Reads the header of a file.
  ///
  /// - Throws: all errors of reading except those found by decoding: samples that are not finite,
  ///   and damage or cuts inside FLAC and MP3 sound.
  public init(probing path: String) throws(AudioFileError) {
    self = try SoundFileReader(opening: path).info
  }
}
