import DSP

/// Tables that the networks of `PitchTracker` are fitted on (scripts/train-pitch).
package enum PitchTraining {
  /// Time between the frames of a table.
  package static let hopSeconds = 0.010

  /// Returns a row per candidate period of each frame: number of the frame, instant in seconds, pitch in
  /// hertz, the values of `CandidateEvidence` and of `SubharmonicSummation`, and the weight of the latter's network.
  package static func periods(of sound: Signal) -> [[Float]] {
    var search = search(sound, hopSeconds)
    var rows: [[Float]] = []
    search.forEachFrame { index, frame in
      rows += frame.candidates.map {
        [Float(index), Float(index) * Float(hopSeconds), Float($0.f0Hz)]
          + filled($0.evidence, CandidateEvidence.valueCount) + [Float($0.harmonicsWeight)]
      }
    }
    return rows
  }

  /// Returns a row per frame: its number, the log odds of `VoicingDecision.basicLogOdds`, and the values of
  /// `VoicingEvidence`.
  package static func voicing(of sound: Signal) -> [[Float]] {
    let hop = hopSeconds / 2  // as in `PitchTracker.Settings`
    var search = search(sound, hop)
    let (frames, measured) = search.frames()
    let rows = VoicingEvidence.all(frames, measured, hopSeconds: hop)
    return stride(from: 0, to: rows.count, by: 2).map {
      [Float($0 / 2), Float(VoicingDecision.basicLogOdds(rows[$0]))]
        + filled(rows[$0].values, VoicingEvidence.count) + [Float(rows[$0].harmonicsWeight)]
    }
  }

  /// Returns the values, with zeros where those of `SubharmonicSummation` are missing.
  private static func filled(_ values: [Float], _ count: Int) -> [Float] {
    values
      + [Float](repeating: 0, count: count + SubharmonicSummation.valueCount - values.count)
  }

  /// Returns the rows of `periods` as `StreamingPitchTracker` sees them.
  package static func livePeriods(of sound: Signal) throws(SettingsError) -> [[Float]] {
    var rows: [[Float]] = []
    try forEachFrame(of: sound, lookAheadMs: 0) { frame, seconds, tracker in
      for row in tracker.periodEvidence {
        rows.append([Float(frame), Float(seconds) - row[0]] + row.dropFirst())
      }
    }
    return rows
  }

  /// Frame with which a second stream of each sound begins: many streams begin in the midst of a voice.
  private static let laterStart = 150

  /// Returns the rows of `voicing` as `StreamingPitchTracker` sees them with each look-ahead.
  package static func liveVoicing(
    of sound: Signal, lookAheadsMs: [Double]
  ) throws(SettingsError) -> [[Float]] {
    var rows: [[Float]] = []
    let later = Int(Double(laterStart) * hopSeconds * sound.sampleRateHz)
    let rest = Signal(Array(sound.samples.dropFirst(later)), sampleRateHz: sound.sampleRateHz)
    for lookAheadMs in lookAheadsMs {
      for (part, start) in [(sound, 0), (rest, laterStart)] {
        try forEachFrame(of: part, lookAheadMs: lookAheadMs) { frame, _, tracker in
          rows.append([Float(frame + start)] + tracker.voicingEvidence)
        }
      }
    }
    return rows
  }

  /// Passes on the tracker after each estimate of a frame, with the frame's number and the time of the
  /// newest sound.
  private static func forEachFrame(
    of sound: Signal, lookAheadMs: Double,
    _ body: (Int, Double, borrowing StreamingPitchTracker) -> Void
  ) throws(SettingsError) {
    var settings = StreamingPitchTracker.Settings()
    settings.lookAheadMs = lookAheadMs
    var tracker = try StreamingPitchTracker(
      settings, sampleRateHz: sound.sampleRateHz, refined: false)
    let hop = tracker.hopSamples
    let perFrame = Int((hopSeconds * sound.sampleRateHz / Double(hop)).rounded()) * hop
    for start in stride(from: 0, to: sound.count - hop + 1, by: hop) {
      tracker.process(sound.samples.span.extracting(start..<start + hop))
      guard let estimate = tracker.next(), estimate.timeSamples >= 0,
        estimate.timeSamples % perFrame == 0
      else { continue }
      body(estimate.timeSamples / perFrame, Double(start + hop) / sound.sampleRateHz, tracker)
    }
  }

  private static func search(_ sound: Signal, _ hopSeconds: Double) -> PitchSearch<Signal> {
    let audible = AudibleSound(sound)
    return PitchSearch(
      PitchTracker.Settings(), audible.whole ?? sound, whole: audible.whole,
      Int(sound.durationSeconds / hopSeconds) + 1, hopSeconds: hopSeconds)
  }
}
