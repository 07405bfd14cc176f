import DSP

/// Tables that the networks of `PitchTracker` are fitted on (scripts/train-pitch).
package enum PitchTraining {
  /// Time between the frames of a table.
  package static let hopSeconds = 0.010

  /// Returns a row per candidate period of each frame: number of the frame, pitch in hertz, and the values
  /// of `CandidateEvidence`.
  package static func periods(of sound: Signal) -> [[Float]] {
    var search = search(sound, hopSeconds)
    var rows: [[Float]] = []
    search.forEachFrame { index, frame in
      rows += frame.candidates.map { [Float(index), Float($0.f0Hz)] + $0.evidence }
    }
    return rows
  }

  /// Returns a row per frame: the log odds of `VoicingDecision.basicLogOdds`, and the values of
  /// `VoicingEvidence`.
  package static func voicing(of sound: Signal) -> [[Float]] {
    let hop = hopSeconds / 2  // as in `PitchTracker.Settings`
    var search = search(sound, hop)
    let (frames, measured) = search.frames()
    let rows = VoicingEvidence.all(frames, measured, hopSeconds: hop)
    return stride(from: 0, to: rows.count, by: 2).map {
      [Float(VoicingDecision.basicLogOdds(rows[$0]))] + rows[$0].values
    }
  }

  private static func search(_ sound: Signal, _ hopSeconds: Double) -> PitchSearch<Signal> {
    let audible = AudibleSound(sound)
    return PitchSearch(
      PitchTracker.Settings(), audible.whole ?? sound, whole: audible.whole,
      Int(sound.durationSeconds / hopSeconds) + 1, hopSeconds: hopSeconds)
  }
}
