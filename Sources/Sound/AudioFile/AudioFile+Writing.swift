import DSP
import Foundation

extension AudioFile {
  /// Writes the sound to a file, replacing an existing one.
  ///
  /// The file appears once it is complete; a failed write or a killed process leaves none. WAV, AIFF, FLAC and
  /// MP3 files have the same bytes every time; Ogg streams have a random serial number.
  ///
  /// Integer encodings round each sample to the nearest step without dither. Samples beyond full
  /// scale, ±1, are clipped and counted. (Exactly +1 becomes the largest integer, one step lower,
  /// and is not counted.) Floating-point and lossy encodings receive the samples unchanged.
  ///
  /// - Parameter encoding: defaults to `AudioEncoding(default:)` for the name's ending.
  /// - Returns: the number of clipped samples; 0 for a faithful file.
  @discardableResult
  public func write(to path: String, encoding: AudioEncoding? = nil) throws(AudioFileError) -> Int {
    let encoding = try checkedEncoding(encoding, for: path)
    do { return try fill(FileSink(path), encoding: encoding) } catch {
      throw .writeRefused(path, reason: error.reason)
    }
  }

  /// Encodes all frames into `sink` and finishes it; returns the number of clipped samples.
  private func fill(_ sink: FileSink, encoding: AudioEncoding) throws(FileSink.Refusal) -> Int {
    let bytes = frameCount * channels.count * (encoding.sampleType?.bytes ?? 0)
    var writer = try SoundFileWriter(
      to: sink, encoding: encoding, channelCount: channels.count, sampleRateHz: sampleRateHz,
      isShort: bytes < Int(UInt32.max) - 4096)  // room for the header
    var chunk: [Float] = []
    chunk.reserveCapacity(Self.chunkFrames * channels.count)
    for start in stride(from: 0, to: frameCount, by: Self.chunkFrames) {
      chunk.removeAll(keepingCapacity: true)
      for frame in start..<min(start + Self.chunkFrames, frameCount) {
        for channel in channels { chunk.append(channel[frame]) }
      }
      try writer.write(chunk)
    }
    try writer.close()
    return writer.clippedSamples
  }

  /// The encoding to use, after all checks of it, the sound and `path`.
  func checkedEncoding(
    _ encoding: AudioEncoding?, for path: String
  ) throws(AudioFileError) -> AudioEncoding {
    guard let named = AudioFormat(extensionOf: path) else {
      throw .unknownExtension(path, content: nil)
    }
    guard let encoding = encoding ?? AudioEncoding(default: named) else {
      throw .unsupportedEncoding(path, nil)
    }
    let format = encoding.format
    guard format.extensions.contains(fileExtension(of: path)) else {
      throw .wrongExtension(path, content: format)
    }
    let storable =
      encoding.sampleType.map { AudioEncoding.sampleTypes(of: format).contains($0) }
      ?? (0...1).contains(encoding.quality ?? -1)
    guard storable else { throw .unsupportedEncoding(path, encoding) }
    guard (1...format.maxChannelCount).contains(channels.count) else {
      throw .unsupportedChannelCount(path, channelCount: channels.count, format: format)
    }
    guard format.allows(rateHz: sampleRateHz) else {
      throw .unsupportedRate(path, rateHz: sampleRateHz, format: format)
    }
    guard channels.allSatisfy({ $0.count == frameCount }) else {
      throw .channelsDiffer(path, frameCounts: channels.map(\.count))
    }
    if frameCount == 0 { throw .noFrames(path) }
    guard encoding.holds(frames: frameCount, channelCount: channels.count) else {
      throw .tooLong(path, format: format)
    }
    for (index, samples) in channels.enumerated() {
      if let frame = samples.firstIndex(where: { !$0.isFinite }) {
        throw .nonFinite(path, frame: frame, channel: index)
      }
    }
    return encoding
  }
}

extension Signal {
  /// Writes the signal to a file with one channel; see `AudioFile.write(to:encoding:)`.
  @discardableResult
  public func write(to path: String, encoding: AudioEncoding? = nil) throws(AudioFileError) -> Int {
    try AudioFile(self).write(to: path, encoding: encoding)
  }
}
