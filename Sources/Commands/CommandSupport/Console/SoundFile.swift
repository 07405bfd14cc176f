import AudioFile

extension AudioFile {
  /// Decodes a file that the user named, and warns of its deviations from its format.
  package init(named path: String) throws(AudioFileError) {
    try self.init(reading: path)
    Terminal.warn(remarks, about: path)
  }
}
