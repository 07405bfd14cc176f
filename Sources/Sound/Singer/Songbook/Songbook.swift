/// The catalogue of performances.
public enum Songbook {
  /// One performance in the catalogue.
  public struct Entry: Sendable {
    /// Unique, stable and short identifier, used in file names.
    public let id: String
    public let title: String
    /// Purpose of the performance in listening or measuring.
    public let shows: String
    public let licence: String
    /// Name of the voice that sings.
    public let voice: String
    fileprivate let make: @Sendable () -> Performance

    init(
      _ id: String, _ title: String, shows: String, voice: Voice,
      melody: String = "generated; scale or exercise, no rights",
      beatsPerMinute: Double = 90, _ sing: @escaping @Sendable (inout Phrase) -> Void
    ) {
      self.id = id
      self.title = title
      self.shows = shows
      self.licence = melody
      self.voice = voice.name
      make = {
        var phrase = Phrase(voice: voice, beatsPerMinute: beatsPerMinute)
        sing(&phrase)
        return phrase.performance(seed: seed(of: id))
      }
    }
  }

  public static let entries: [Entry] = vowels + exercises + articulation + expression + melodies

  /// Returns the performance of an entry.
  public static func performance(id: String) throws(SingerError) -> Performance {
    guard let entry = entries.first(where: { $0.id == id }) else { throw .unknownPerformance(id) }
    return entry.make()
  }

  /// The seed of an entry, from its identifier (FNV-1a).
  private static func seed(of id: String) -> UInt64 {
    id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
