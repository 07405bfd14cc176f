import DSP

extension EpochFinder {
  /// The marks of a sound that is read half a minute at a time.
  ///
  /// Where a stretch ends, a mark of the next that comes sooner than half a step is left out.
  public func epochs(of sound: some SoundSource, track: PitchTrack) throws -> [Epoch] {
    var marks: [Epoch] = []
    try sound.forEachStretch(of: track) { stretch in
      let start = (stretch.startSeconds * sound.sampleRateHz).rounded()
      for var mark in epochs(in: stretch.signal, track: stretch.track)
      where stretch.isOwn(mark.timeSamples / sound.sampleRateHz) {
        mark.timeSamples += start
        let spacing = mark.timeSamples - (marks.last?.timeSamples ?? 0)
        let least = settings.unvoicedMs / 2000 * sound.sampleRateHz
        if !marks.isEmpty, spacing < (mark.isVoiced ? min(least, mark.spacingSamples / 2) : least) {
          continue
        }
        mark.spacingSamples = spacing
        marks.append(mark)
      }
    }
    return marks
  }
}
