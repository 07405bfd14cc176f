/// What stands between a clean recording and what the subject hears, at a known strength.
///
/// Truth and targets always come from the clean recording. No condition delays the voice: the
/// direct sound stays at its sample, so latency is measured as ever.
public enum Condition: Hashable, Sendable {
  /// The recording as it is.
  case clean
  /// Steady noise under the voice, its level that of the active voice less `snrDb`.
  case noise(snrDb: Double, colour: NoiseColour, seed: UInt64)
  /// A room: the direct sound and an exponentially decaying tail.
  case room(Room)
  /// More or less level, without other change.
  case level(db: Double)
  /// Clipped as if recorded `overDb` over full scale and turned down again.
  case clip(overDb: Double)
  /// Nothing above `hz`.
  case bandwidth(hz: Double)
  /// Another recording of the corpus, its active level `levelDb` above this one's.
  case bleed(id: String, levelDb: Double)

  /// Raised whenever the same words give another sound: part of what addresses a result.
  package static let version = 1

  /// The one spelling of this condition, with everything that was left to its default.
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

/// As a plan spells numbers: without a fraction where there is none.
private func short(_ value: Double) -> String { SettingValue.number(value).description }
