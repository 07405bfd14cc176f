import DSP

extension EpochFinder {
  /// Marks a sound while reading it half a minute at a time.
  ///
  /// At the border of two stretches, a mark closer than half a step to the previous one is dropped.
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
