import Harmonizer

/// Tells a choir what a score has for it, by the clock: notes to each voice, or keys to all.
///
/// Voices that go by the lead or by chords need not be told: their settings have all of it.
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

  /// Tells what has changed up to the block that begins at `startSample`. Blocks come in order.
  mutating func tell(_ harmonizer: inout Harmonizer, startSample: Int) {
    notes?.tell(&harmonizer, startSample: startSample)
    keys?.play(on: &harmonizer, startSample: startSample)
  }

  mutating func rewind() {
    notes?.rewind()
    keys?.rewind()
  }
}
