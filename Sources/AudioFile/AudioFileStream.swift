import Foundation

/// A sound file that is written while its sound is made, such as a recording.
///
/// The file appears with `finish`; one that is not finished leaves nothing. Samples beyond full scale are clipped and counted, as by
/// `AudioFile.write`; samples that are not finite become 0.
///
/// - Allocates: with every call; write from a thread of its own.
public final class AudioFileStream {
  public let path: String
  public let channelCount: Int
  public let sampleRateHz: Double
  public private(set) var frameCount = 0
  private var writer: SoundFileWriter?

  /// - Parameters:
  ///   - path: its ending chooses the format.
  ///   - encoding: defaults to `AudioEncoding(default:)` for the name's ending.
  public init(
    to path: String, channelCount: Int, sampleRateHz: Double, encoding: AudioEncoding? = nil
  ) throws(AudioFileError) {
    // The checks of a whole file, on one frame of silence.
    let frame = AudioFile(
      channels: Array(repeating: [0], count: channelCount), sampleRateHz: sampleRateHz)
    let encoding = try frame.checkedEncoding(encoding, for: path)
    do {
      writer = try SoundFileWriter(
        to: FileSink(path), encoding: encoding, channelCount: channelCount,
        sampleRateHz: sampleRateHz)
    } catch { throw .writeRefused(path, reason: error.reason) }
    self.path = path
    (self.channelCount, self.sampleRateHz) = (channelCount, sampleRateHz)
  }

  public var durationSeconds: Double { Double(frameCount) / sampleRateHz }

  /// Appends whole interleaved frames.
  public func write(interleaved samples: [Float]) throws(AudioFileError) {
    do {
      try writer?.write(samples.map { $0.isFinite ? $0 : 0 })
      frameCount += samples.count / channelCount
    } catch { throw .writeRefused(path, reason: error.reason) }
  }

  /// Completes the file and moves it to its place.
  ///
  /// - Returns: the number of clipped samples.
  /// - Throws: `noFrames` if nothing was written; then there is no file.
  @discardableResult
  public func finish() throws(AudioFileError) -> Int {
    guard frameCount > 0 else { throw .noFrames(path) }
    let clipped = writer?.clippedSamples ?? 0
    do { try writer?.close() } catch { throw .writeRefused(path, reason: error.reason) }
    writer = nil
    return clipped
  }
}
