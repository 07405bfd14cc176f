import DSP

/// One channel of a file, or the mean of all, decoded on demand.
///
/// The last samples read are kept, with one second before them, so that ascending ranges decode
/// each sample once. A range further back decodes from the start again. At its end the file is checked like
/// in `AudioFile(reading:)`.
///
/// - Not thread-safe.
public final class MonoFile: SoundSource {
  public let path: String
  public let sampleRateHz: Double
  public let count: Int
  /// Deviations of the file from its format; see `AudioFileInfo`.
  public let remarks: [String]

  public let channelCount: Int

  private var reader: SoundFileReader
  /// Channel that is read; `nil` for the mean of all.
  private let channel: Int?
  private var chunk: [Float]
  /// Decoded samples, beginning with frame `keptStart`.
  private var kept: [Float] = []
  private var keptStart = 0
  private var isChecked = false

  /// - Parameter channel: channel from 0, which the file has; the mean of all by default.
  public init(opening path: String, channel: Int? = nil) throws(AudioFileError) {
    self.path = path
    self.channel = channel
    var reader = try SoundFileReader(opening: path)
    sampleRateHz = reader.info.sampleRateHz
    channelCount = reader.info.channelCount
    remarks = reader.info.remarks
    chunk = [Float](repeating: 0, count: AudioFile.chunkFrames * channelCount)
    if let announced = reader.info.frameCount, reader.info.format.properties.countsItsFrames {
      count = announced
    } else {
      var frames = 0
      while true {
        let read = reader.read(into: &chunk)
        if read == 0 { break }
        frames += read
      }
      try reader.finish()
      count = frames
      try reader.rewind()
    }
    self.reader = reader
  }

  public func samples(_ range: Range<Int>) throws(AudioFileError) -> [Float] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "beyond the sound")
    if range.lowerBound < keptStart { try beginAgain() }
    forget(before: range.lowerBound)
    while keptStart + kept.count < range.upperBound {
      try decode()
      forget(before: range.lowerBound)
    }
    if keptStart + kept.count == count, !isChecked {
      try reader.finish()
      isChecked = true
    }
    return Array(kept[range.lowerBound - keptStart..<range.upperBound - keptStart])
  }

  private func forget(before frame: Int) {
    let passed = min(frame - Int(sampleRateHz) - keptStart, kept.count)
    // Moving the kept samples costs as much as their number, so do it rarely.
    guard passed > kept.count / 2 else { return }
    kept.removeFirst(passed)
    keptStart += passed
  }

  private func beginAgain() throws(AudioFileError) {
    try reader.rewind()
    kept = []
    keptStart = 0
  }

  private func decode() throws(AudioFileError) {
    let begin = keptStart + kept.count
    let read = min(reader.read(into: &chunk), count - begin)
    guard read > 0 else {
      try reader.finish()
      throw .truncated(path, detail: "\(begin) of \(count) frames could be read")
    }
    let channels = channel.map { $0..<$0 + 1 } ?? 0..<channelCount
    let share = 1 / Float(channels.count)
    for frame in 0..<read {
      var sum: Float = 0
      for channel in channels {
        let sample = chunk[frame * channelCount + channel]
        guard sample.isFinite else {
          throw .nonFinite(path, frame: begin + frame, channel: channel)
        }
        sum += sample
      }
      kept.append(channels.count > 1 ? sum * share : sum)
    }
  }
}
