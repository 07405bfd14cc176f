/// Behaviour of a voice while the lead has no pitch: in consonants, breaths and silence.
///
/// Transposed copies of one `s` by several voices, each late by its own delay, are heard as a spray
/// of them; a choir director has one singer pronounce it.
public enum ConsonantPolicy: String, Codable, CaseIterable, Sendable {
  /// The voice goes on at its last shift, consonants and all.
  case kept
  /// The voice is silent until the lead has a pitch again.
  case gated
  /// The voice is gated, but the first voice of this policy passes the lead's own sound instead, at
  /// its level, as late as the engine is, and not transposed.
  case passedOnce
}
