/// Who tells the harmonizer what the lead sings.
public enum LeadPitch: String, Codable, CaseIterable, Sendable {
  /// Its own tracker, while the lead sings: what a user hears.
  case live
  /// The evaluation, whose track is exact for synthetic singers: what is left is the engine's.
  case given
}
