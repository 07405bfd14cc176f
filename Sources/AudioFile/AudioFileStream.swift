import Foundation

/// A sound file that is written while its sound is made, such as a recording.
///
/// The bytes go to a hidden file beside the target, which is renamed by `finish`. A file that is not
/// finished is removed with its owner. Samples beyond full scale are clipped and counted, as by
/// `AudioFile.write`; samples that are not finite become 0.
///
/// - Allocates: with every call; write from a thread of its own.
public final class AudioFileStream {
  public let path: String
  public let channelCount: Int
  public let sampleRateHz: Double
  public private(set) var frameCount = 0
  private var writer: SoundFileWriter?
  private let temporary: String
  private let target: String

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
    let target = AudioFile.target(of: path)
    let temporary = target.deletingLastPathComponent()
      .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString).partial").path
    do {
      writer = try SoundFileWriter(
        to: FileSink(creating: temporary), encoding: encoding, channelCount: channelCount,
        sampleRateHz: sampleRateHz)
    } catch {
      unlink(temporary)
      throw .writeRefused(path, reason: error.reason)
    }
    (self.path, self.target, self.temporary) = (path, target.path, temporary)
    (self.channelCount, self.sampleRateHz) = (channelCount, sampleRateHz)
  }

  deinit { if writer != nil { unlink(temporary) } }

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
    do {
      try writer?.close()
      let clipped = writer?.clippedSamples ?? 0
      writer = nil
      guard rename(temporary, target) == 0 else { throw FileSink.Refusal(errno: errno) }
      return clipped
    } catch {
      writer = nil
      unlink(temporary)
      throw .writeRefused(path, reason: (error as! FileSink.Refusal).reason)
    }
  }
}
