/// A failure to read or write a sound file. Each case carries the path, and each description ends
/// with a remedy.
public enum AudioFileError: Error, Equatable, Sendable, CustomStringConvertible {
  // Reading.
  case missing(String)
  case isDirectory(String)
  /// The file exists but the system does not allow reading it.
  case notReadable(String, reason: String)
  /// The file has 0 bytes.
  case empty(String)
  /// The content is not sound in a known format.
  case notRecognised(String)
  /// The format is known but the content does not decode.
  case damaged(String, reason: String)
  /// The content is whole but can't be read as one sound.
  case notDecodable(String, content: String)
  /// The content is in a format that ffmpeg decodes, which is not installed.
  case needsFFmpeg(String, content: String)
  /// The name's ending belongs to a format of libsndfile, the content to one of ffmpeg.
  case foreignContent(String, content: String)
  /// The sample rate is outside that of any voice recording; the header may be damaged.
  case rateOutOfRange(String, rateHz: Double)
  /// The file holds less sound than it announces: it was cut short, or a part is damaged.
  case truncated(String, detail: String)

  // Reading and writing.
  /// The name's ending is unknown; `content` is the format of the file, if it exists.
  case unknownExtension(String, content: AudioFormat?)
  /// The name's ending belongs to another format than the content.
  case wrongExtension(String, content: AudioFormat)
  /// A well-formed file, or a sound to be written, has no frames.
  case noFrames(String)
  /// A sample is NaN or infinite.
  case nonFinite(String, frame: Int, channel: Int)

  // Writing.
  case unsupportedRate(String, rateHz: Double, format: AudioFormat)
  case unsupportedChannelCount(String, channelCount: Int, format: AudioFormat)
  /// The format can't store the encoding, which is `nil` for a format that is only read.
  case unsupportedEncoding(String, AudioEncoding?)
  /// The channels differ in length, given in frames.
  case channelsDiffer(String, frameCounts: [Int])
  /// The sound has more bytes than the format can count.
  case tooLong(String, format: AudioFormat)
  /// The system refused: no space, no such folder, no permission.
  case writeRefused(String, reason: String)
  /// The system refused more sound of a stream; what was written before is complete.
  case endedEarly(String, reason: String)
  /// A stream is complete, but can't be moved to its name.
  case notMoved(String, reason: String, keptAt: String)

  public var description: String {
    switch self {
    case .missing(let path) where path.unicodeScalars.contains("\u{FFFD}"):
      // The mark in place of bytes that are not UTF-8.
      return "\(path) can't be opened: its name is not UTF-8; rename it"
    case .missing(let path):
      return "\(path) does not exist; check the spelling and the folder"
    case .isDirectory(let path):
      return "\(path) is a folder; name a file in it"
    case .notReadable(let path, let reason):
      return "\(path) cannot be read: \(reason); check its name and its permissions"
    case .empty(let path):
      return "\(path) is empty (0 bytes); copy or record it again"
    case .notRecognised(let path):
      return "\(path) is not sound that this toolkit or ffmpeg, if it is installed, reads; convert "
        + "it to \(Self.known)"
    case .damaged(let path, let reason):
      return "\(path) is damaged: \(reason); copy it again from its source"
    case .notDecodable(let path, let content):
      return "\(path) holds \(content), which cannot be read; convert it to WAV or FLAC"
    case .needsFFmpeg(let path, let content):
      return "\(path) holds \(content), which ffmpeg decodes: install it, or convert the file to "
        + "WAV or FLAC elsewhere"
    case .foreignContent(let path, let content):
      return "\(path) holds \(content) under another format's name; correct the ending of its name"
    case .rateOutOfRange(let path, let rateHz):
      let ends = [AudioFile.ratesHz.lowerBound, AudioFile.ratesHz.upperBound].map { "\(Int($0))" }
      return "\(path) gives its sample rate as \(Int(rateHz)) Hz; this toolkit reads "
        + "\(ends.joined(separator: " to ")) Hz: correct its header, or resample it"
    case .truncated(let path, let detail):
      return "\(path) is incomplete: \(detail); copy it again from its source, or convert what is "
        + "left to WAV or FLAC"
    case .unknownExtension(let path, nil):
      return "\(path) does not say which format to write; end its name with \(Self.endings)"
    case .unknownExtension(let path, let content?):
      return
        "\(path) holds \(content) under an unknown ending; rename it to .\(content.extensions[0])"
    case .wrongExtension(let path, let content):
      return "\(path) holds \(content) under another format's name; "
        + "rename it to .\(content.extensions[0])"
    case .noFrames(let path):
      return "\(path) has no frames of sound; record or make it again"
    case .nonFinite(let path, let frame, let channel):
      return "\(path) has a sample that is not a finite number, at frame \(frame) of channel "
        + "\(channel); find its cause and write the file again"
    case .unsupportedEncoding(let path, nil):
      return "\(path) would have a format that is only read here; end its name with \(Self.endings)"
    case .unsupportedRate(let path, let rateHz, let format):
      return "\(path): \(format) cannot be written at \(rateHz) Hz; resample to "
        + "\(format.allowedRates), or write WAV or FLAC"
    case .unsupportedChannelCount(let path, let channelCount, let format):
      return "\(path): \(format) takes 1 to \(format.properties.maxChannelCount) channels, not "
        + "\(channelCount); write WAV, or one file a channel"
    case .unsupportedEncoding(let path, let encoding?):
      return
        "\(path) cannot be written as \(encoding); choose \(Self.choices(for: encoding.format))"
    case .channelsDiffer(let path, let frameCounts):
      return "\(path): the channels have \(frameCounts) frames; pad or cut them to one length"
    case .tooLong(let path, let format):
      return
        "\(path) would pass the 4 GiB that \(format) can count; write WAV or FLAC, or shorter files"
    case .endedEarly(let path, let reason):
      return "\(path) could not be written to its end: \(reason); what was written before is kept. "
        + "Check the free space"
    case .notMoved(let path, let reason, let keptAt):
      return
        "\(path) could not be written: \(reason); the sound is in \(keptAt). Check the folder, "
        + "and rename that file"
    case .writeRefused(let path, let reason):
      return "\(path) could not be written: \(reason); nothing was left behind. Check the folder, "
        + "its permissions and the free space"
    }
  }

  private static let known = AudioFormat.writable.map(\.description).joined(separator: ", ")
  private static let endings = AudioFormat.writable.map { ".\($0.extensions[0])" }
    .joined(separator: ", ")

  private static func choices(for format: AudioFormat) -> String {
    let types = format.properties.sampleTypes.map(\.rawValue)
    return types.isEmpty ? "a quality from 0 to 1" : types.joined(separator: ", ")
  }
}
