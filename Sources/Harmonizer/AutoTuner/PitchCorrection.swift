import DSP

/// Settings of the correction, which may change while the tuner runs.
public struct PitchCorrection: Codable, Equatable, Sendable, BitwiseCopyable {
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

  /// Time in which 63 % of a deviation is gone; 0 is at once.
  public var retuneMs = 0.0
  /// Share of the correction; 0 leaves the sound as it is, bit for bit, at the stated latency.
  public var amountPercent = 100.0
  /// Deviations up to this are let be, and larger ones drawn to it.
  public var deadBandCents = 0.0
  /// Distance beyond the middle between two notes at which the voice changes from one to the other.
  public var hysteresisCents = 30.0
  /// Takes the place of `retuneMs`, where it is longer, in notes held for `heldAfterMs`.
  public var heldRetuneMs = 0.0
  public var heldAfterMs = 300.0
  public var vibrato = VibratoPolicy.natural
  /// Sound less periodic than this is not corrected anew: higher is stricter.
  public var strictness = 0.5

  public init() {}

  public func validate() throws(SettingsError) {
    try require("retuneMs", retuneMs, in: 0...10_000)
    try require("amountPercent", amountPercent, in: 0...100)
    try require("deadBandCents", deadBandCents, in: 0...100)
    try require("hysteresisCents", hysteresisCents, in: 0...50)
    try require("heldRetuneMs", heldRetuneMs, in: 0...10_000)
    try require("heldAfterMs", heldAfterMs, in: 0...10_000)
    try require("strictness", strictness, in: 0...1)
  }
}
