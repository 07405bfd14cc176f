/// A degradation, of known strength, of the clean recording before the subject hears it.
///
/// Truth and targets always come from the clean recording. No condition delays the voice, so the
/// measured latency is that of the subject.
public enum Condition: Hashable, Sendable {
  /// The unchanged recording.
  case clean
  /// Steady noise, `snrDb` below the active level of the voice.
  case noise(snrDb: Double, colour: NoiseColour, seed: UInt64)
  /// A room: the direct sound and an exponentially decaying tail.
  case room(Room)
  /// A gain.
  case level(db: Double)
  /// Clipping, as if recorded `overDb` over full scale and turned down again.
  case clip(overDb: Double)
  /// A low-pass filter at `hz`.
  case bandwidth(hz: Double)
  /// Another recording of the corpus, its active level `levelDb` above this one's.
  case bleed(id: String, levelDb: Double)

  /// Version of the conditions' sound, part of a result's key. Raise it when the same text gives
  /// another sound.
  package static let version = 1

  /// The recording that bleeds in, if one does.
  public var otherRecording: String? {
    if case .bleed(let id, _) = self { id } else { nil }
  }
}
