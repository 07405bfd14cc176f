import DSP

/// Settings of the correction, which may change while the tuner runs.
public struct PitchCorrection: ParameterizedSettings, BitwiseCopyable {
  /// Treatment of the singer's vibrato.
  public enum VibratoPolicy: String, Codable, CaseIterable, Sendable, BitwiseCopyable {
    /// Keeps what `retuneMs` leaves: nothing at 0, nearly all of it above 200 ms.
    case natural
    /// All of it, however fast notes are drawn: only their middle is corrected.
    case keep
    /// Keeps nothing, however slowly notes are drawn.
    case remove
    /// Another in its place.
    case rebuild
  }

  public var retuneMs = 0.0
  public var amountPercent = 100.0
  public var deadBandCents = 0.0
  public var hysteresisCents = 30.0
  public var heldRetuneMs = 0.0
  public var heldAfterMs = 300.0
  public var vibrato = VibratoPolicy.natural
  public var strictness = 0.5

  public static let parameters: [Parameter<PitchCorrection>] = [
    .init(
      "retuneMs", \.retuneMs, in: 0...10_000,
      "time to remove 63 % of a deviation; 0 corrects at once"),
    .init(
      "amountPercent", \.amountPercent, in: 0...100, "amount of the correction; 0 changes nothing"),
    .init(
      "deadBandCents", \.deadBandCents, in: 0...100, "largest deviation that stays uncorrected"),
    .init(
      "hysteresisCents", \.hysteresisCents, in: 0...50,
      "distance beyond the midpoint of two notes at which the target changes"),
    .init(
      "heldRetuneMs", \.heldRetuneMs, in: 0...10_000,
      "retune time of held notes, if longer than the ordinary one"),
    .init("heldAfterMs", \.heldAfterMs, in: 0...10_000, "time after which a note counts as held"),
    .init("vibrato", \.vibrato, "treatment of the singer's vibrato"),
    .init("strictness", \.strictness, in: 0...1, "least periodicity of sound that is corrected"),
  ]

  public init() {}
}
