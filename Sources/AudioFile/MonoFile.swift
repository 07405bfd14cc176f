import DSP

/// The sound of a file as one channel, the mean of all, decoded as it is read.
///
/// What was read last is kept, and a second before it, so that ranges which go forwards decode each
/// sample once; a range that lies further back opens the file again. Whole files are checked as
/// `AudioFile(reading:)` does, when their end is reached.
///
/// - Not for use by several threads at once.
public final class MonoFile: SoundSource {
  public let path: String
  public let sampleRateHz: Double
  public let count: Int

  private var reader: SoundFileReader
  private let channelCount: Int
  private var chunk: [Float]
  /// Decoded samples, of which the first is that of frame `keptStart`.
  private var kept: [Float] = []
  private var keptStart = 0
  private var isChecked = false

  public init(opening path: String) throws(AudioFileError) {
    self.path = path
    var reader = try SoundFileReader(opening: path)
    sampleRateHz = reader.info.sampleRateHz
    channelCount = reader.info.channelCount
    chunk = [Float](repeating: 0, count: AudioFile.chunkFrames * channelCount)
    if let announced = reader.info.frameCount, reader.info.format.countsItsFrames {
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
      reader = try SoundFileReader(opening: path)
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
    // Moving what is kept costs as much as it is long, so not for every few samples.
    guard passed > kept.count / 2 else { return }
    kept.removeFirst(passed)
    keptStart += passed
  }

  private func beginAgain() throws(AudioFileError) {
    reader = try SoundFileReader(opening: path)
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
    let share = 1 / Float(channelCount)
    for frame in 0..<read {
      var sum: Float = 0
      for channel in 0..<channelCount {
        let sample = chunk[frame * channelCount + channel]
        guard sample.isFinite else {
          throw .nonFinite(path, frame: begin + frame, channel: channel)
        }
        sum += sample
      }
      kept.append(channelCount > 1 ? sum * share : sum)
    }
  }
}
