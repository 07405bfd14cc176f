import Foundation
import Platform

/// A sound file that is written while its sound is made, such as a recording.
///
/// The bytes go to a hidden file beside the target, which is renamed by `finish`. A file that is not
/// finished is removed with its owner; a killed process leaves it. A WAV file that passes 4 GiB becomes
/// RF64. Samples beyond full scale are clipped and counted, as by
/// `AudioFile.write`; samples that are not finite become 0.
///
/// - Allocates: with every call; write from a thread of its own.
public final class AudioFileStream {
  public let path: String
  public let channelCount: Int
  public let sampleRateHz: Double
  public internal(set) var frameCount = 0
  private var writer: SoundFileWriter?
  private let encoding: AudioEncoding
  private var isFull = false

  /// - Parameters:
  ///   - path: its ending chooses the format.
  ///   - encoding: defaults to `AudioEncoding(default:)` for the name's ending.
  public convenience init(
    to path: String, channelCount: Int, sampleRateHz: Double, encoding: AudioEncoding? = nil
  ) throws(AudioFileError) {
    try self.init(
      to: path, channelCount: channelCount, sampleRateHz: sampleRateHz, encoding: encoding,
      through: FileSink.init(recordingTo:))
  }

  /// Writes through a sink of the caller, so that a test can simulate a full disk.
  init(
    to path: String, channelCount: Int, sampleRateHz: Double, encoding: AudioEncoding? = nil,
    through makeSink: (String) throws(FileSink.Failure) -> FileSink
  ) throws(AudioFileError) {
    // The checks of a whole file, on one frame of silence.
    let frame = AudioFile(
      channels: Array(repeating: [0], count: channelCount), sampleRateHz: sampleRateHz)
    let encoding = try frame.checkedEncoding(encoding, for: path)
    do {
      writer = try SoundFileWriter(
        to: makeSink(path), encoding: encoding, channelCount: channelCount,
        sampleRateHz: sampleRateHz, isShort: false)
    } catch { throw .writeRefused(path, reason: error.reason) }
    (self.path, self.encoding) = (path, encoding)
    (self.channelCount, self.sampleRateHz) = (channelCount, sampleRateHz)
  }

  public var durationSeconds: Double { Double(frameCount) / sampleRateHz }

  /// Appends whole interleaved frames.
  ///
  /// - Throws: `tooLong` or `endedEarly`, once. What was written before stays, to be completed by
  ///   `finish`; later frames are dropped.
  public func write(interleaved samples: [Float]) throws(AudioFileError) {
    guard !isFull else { return }
    let frames = samples.count / channelCount
    isFull = true
    guard encoding.holds(frames: frameCount + frames, channelCount: channelCount) else {
      throw .tooLong(path, format: encoding.format)
    }
    do { try writer?.write(samples.map { $0.isFinite ? $0 : 0 }) } catch {
      frameCount = writer?.frameCount ?? 0
      throw .endedEarly(path, reason: error.reason)
    }
    frameCount += frames
    isFull = false
  }

  /// Completes the file and moves it to its place.
  ///
  /// - Returns: the number of clipped samples.
  /// - Throws: `noFrames` if nothing was written; then there is no file.
  @discardableResult
  public func finish() throws(AudioFileError) -> Int {
    guard frameCount > 0 else { throw .noFrames(path) }
    let clipped = writer?.clippedSamples ?? 0
    do { try writer?.close() } catch {
      guard let kept = error.keptAt else { throw .writeRefused(path, reason: error.reason) }
      throw .notMoved(path, reason: error.reason, keptAt: kept)
    }
    writer = nil
    return clipped
  }
}
