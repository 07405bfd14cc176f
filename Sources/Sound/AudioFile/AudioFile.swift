import DSP
import Foundation
import Platform

/// The decoded sound of a file, as samples by channel.
///
/// Samples are nominally ±1. Integers are divided by their full scale, 2^(bits-1), so that negative
/// full scale is exactly -1. Floating-point files keep their values, also above 1.
public struct AudioFile: Equatable, Sendable {
  /// Samples as `channels[c][frame]`, all of one length.
  public var channels: [[Float]]
  public var sampleRateHz: Double
  /// Deviations of the file from its format that leave the sound whole; see `AudioFileInfo`.
  public var remarks: [String] = []

  /// Range of sample rates for reading and writing.
  public static let ratesHz = 8_000.0...192_000.0

  /// Creates sound from samples. The lengths of the channels are checked when it is written.
  public init(channels: [[Float]], sampleRateHz: Double) {
    precondition(sampleRateHz > 0, "a sample rate is positive")
    self.channels = channels
    self.sampleRateHz = sampleRateHz
  }

  /// Creates sound with one channel.
  public init(_ signal: Signal) {
    self.init(channels: [signal.samples], sampleRateHz: signal.sampleRateHz)
  }

  public var frameCount: Int { channels.first?.count ?? 0 }
  public var durationSeconds: Double { Double(frameCount) / sampleRateHz }

  /// Returns one channel, counted from 0.
  public func channel(_ index: Int) -> Signal {
    Signal(channels[index], sampleRateHz: sampleRateHz)
  }

  /// Mean of all channels, the output of a mono loudspeaker, never louder than the loudest channel.
  public var mono: Signal {
    guard channels.count > 1 else {
      return Signal(channels.first ?? [], sampleRateHz: sampleRateHz)
    }
    precondition(channels.allSatisfy { $0.count == frameCount }, "channels of different lengths")
    let share = 1 / Float(channels.count)
    let samples = (0..<frameCount).map { frame in
      channels.reduce(0) { $0 + $1[frame] } * share
    }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }
}

extension AudioFile {
  /// Power of the mean of channels, against that of as loud ones without anything in common, below which they
  /// cancel each other. Of a channel and silence it is 0 dB, of two equal ones 3; of a voice and itself 2.3 ms later
  /// it was -2.5, and its pitch in the mean an octave too high.
  private static let cancelledDb = -1.0

  /// The channel, from 0, that stands for a voice where the mean does not, because channels cancel each other: the
  /// loudest. `nil` for the mean.
  public static func voiceChannel(meanPower: Double, powers: [Double]) -> Int? {
    guard powers.count > 1, let loudest = powers.max(), loudest > 0 else { return nil }
    let unrelated = powers.reduce(0, +) / Double(powers.count * powers.count)
    return 10 * log10(meanPower / unrelated) < cancelledDb ? powers.firstIndex(of: loudest) : nil
  }

  public var voiceChannel: Int? {
    func power(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }
    return Self.voiceChannel(meanPower: power(mono.samples), powers: channels.map(power))
  }
}

extension AudioFile {
  /// Decodes a whole file, in the known format of its content.
  ///
  /// A file that announces more sound than it holds is an error and never returned in part. Changed
  /// bytes in FLAC and Vorbis files are detected by checksums, in Opus files mostly. WAV, AIFF and
  /// MP3 have no checksums.
  ///
  /// - Throws: `AudioFileError`, which names the file.
  public init(reading path: String) throws(AudioFileError) {
    var reader = try SoundFileReader(opening: path)
    let channelCount = reader.info.channelCount
    var channels = [[Float]](repeating: [], count: channelCount)
    // Don't allocate by the announced length: a damaged file may announce 2^63.
    var chunk = [Float](repeating: 0, count: Self.chunkFrames * channelCount)
    while true {
      let count = reader.read(into: &chunk)
      if count == 0 { break }
      for channel in 0..<channelCount {
        for frame in 0..<count {
          let sample = chunk[frame * channelCount + channel]
          guard sample.isFinite else {
            throw .nonFinite(path, frame: channels[channel].count, channel: channel)
          }
          channels[channel].append(sample)
        }
      }
    }
    try reader.finish()
    self.init(channels: channels, sampleRateHz: reader.info.sampleRateHz)
    remarks = reader.info.remarks
  }

  /// Number of frames exchanged with libsndfile at a time.
  static let chunkFrames = 4096

  // MARK: Writing

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
    let bytes = frameCount * channels.count * (encoding.sampleType?.bytes ?? 0)
    do throws(FileSink.Failure) {
      var writer = try SoundFileWriter(
        to: FileSink(path), encoding: encoding, channelCount: channels.count,
        sampleRateHz: sampleRateHz, isShort: bytes < Int(UInt32.max) - 4096)  // room for the header
      var chunk: [Float] = []
      for start in stride(from: 0, to: frameCount, by: Self.chunkFrames) {
        chunk.removeAll(keepingCapacity: true)
        for frame in start..<min(start + Self.chunkFrames, frameCount) {
          for channel in channels { chunk.append(channel[frame]) }
        }
        try writer.write(chunk)
      }
      try writer.close()
      return writer.clippedSamples
    } catch { throw .writeRefused(path, reason: error.reason) }
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
    guard encoding.isStorable else { throw .unsupportedEncoding(path, encoding) }
    guard (1...format.properties.maxChannelCount).contains(channels.count) else {
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

extension AudioFile: CustomStringConvertible {
  /// The size of the sound instead of its samples, which may be millions.
  public var description: String {
    "channels: \(channels.count), each of \(frameCount) frames at \(sampleRateHz) Hz"
  }
}

extension Signal {
  /// The same sound, scaled down where a sample exceeds full scale.
  public var withoutClipping: Signal {
    let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
    guard peak > 1 else { return self }
    let gain = 0.999 / peak
    return Signal(samples.map { $0 * gain }, sampleRateHz: sampleRateHz)
  }

  /// Writes the signal to a file with one channel; see `AudioFile.write(to:encoding:)`.
  @discardableResult
  public func write(to path: String, encoding: AudioEncoding? = nil) throws(AudioFileError) -> Int {
    try AudioFile(self).write(to: path, encoding: encoding)
  }
}

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
