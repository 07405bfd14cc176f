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
}
