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

  /// The only spelling of this condition; defaults are written out.
  public var canonical: String {
    switch self {
    case .clean: "clean"
    case .noise(let snr, let colour, let seed):
      Self.spelled(
        "noise", [("snrDb", "\(short(snr))"), ("colour", colour.rawValue), ("seed", "\(seed)")])
    case .room(let room):
      Self.spelled(
        "room",
        [
          ("rt60S", short(room.rt60S)), ("directDb", short(room.directDb)),
          ("seed", "\(room.seed)"),
        ])
    case .level(let db): Self.spelled("level", [("db", short(db))])
    case .clip(let over): Self.spelled("clip", [("overDb", short(over))])
    case .bandwidth(let hz): Self.spelled("bandwidth", [("hz", short(hz))])
    case .bleed(let id, let level):
      Self.spelled("bleed", [("id", id), ("levelDb", short(level))])
    }
  }

  /// The recording that bleeds in, if one does.
  public var otherRecording: String? {
    if case .bleed(let id, _) = self { id } else { nil }
  }

  private static func spelled(_ name: String, _ parameters: [(String, String)]) -> String {
    "\(name)(\(parameters.map { "\($0.0)=\($0.1)" }.joined(separator: ",")))"
  }
}

/// Spells a number as plans do: whole numbers without a fraction.
private func short(_ value: Double) -> String { SettingValue.number(value).description }
