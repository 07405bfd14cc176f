import Harmonizer

/// Plays a score to a choir: notes for each voice, or keys for all.
///
/// Voices that follow the lead or chords need neither; their settings contain their parts.
struct ScorePlayer: Sendable {
  private var notes: ScoreNotes?
  private var keys: ScoreKeys?

  init(_ score: ResolvedScore, playing: LivePlaying = LivePlaying(), sampleRateHz: Double) {
    switch playing.allocation {
    case .score: notes = ScoreNotes(score, sampleRateHz: sampleRateHz)
    case .keys:
      keys = ScoreKeys(score.score, latches: playing.latches, sampleRateHz: sampleRateHz)
    case .led: break
    }
  }

  /// Plays the events up to the block that begins at `startSample`. Blocks come in order.
  mutating func play(on harmonizer: inout Harmonizer, startSample: Int) {
    notes?.play(on: &harmonizer, startSample: startSample)
    keys?.play(on: &harmonizer, startSample: startSample)
  }

  mutating func rewind() {
    notes?.rewind()
    keys?.rewind()
  }
}
