import Corpus
import Effects
import Platform

/// The effect chains to try: a list, or a design over some effects.
///
/// ```yaml
/// effects:
///   of: ["lowpass(cutoffHz=2000)", chorus, reverb]    # or: all
///   take: [dry, singles, pairs, triples]
///   chains: ["gate > compressor > limiter"]           # and these
/// ```
///
/// `pairs` are all pairs of different effects, in either order. `triples` are chains of three
/// different effects such that any two effects are at any two of the three places, in either order, in
/// at least one chain. They are about as many as the pairs; all triples would be more by a factor of
/// the number of effects.
struct EffectAxis: Decodable {
  private let chains: [EffectChain]

  /// The chains as values of a setting, each in its shortest spelling and once.
  var values: [SettingValue] { chains.map(\.description).uniqued().map(SettingValue.text) }

  enum Part: String, Decodable, CaseIterable { case dry, singles, pairs, triples }

  private enum Key: String, CodingKey, CaseIterable { case of, take, chains }

  init(from decoder: any Decoder) throws {
    if let list = try? decoder.unkeyedContainer(), list.count != nil {
      chains = try [EffectChain](from: decoder)
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    let all = try decoder.container(keyedBy: Place.self).allKeys
    if let stray = all.first(where: { Key(rawValue: $0.stringValue) == nil }) {
      throw DecodingError.dataCorruptedError(
        forKey: stray, in: try decoder.container(keyedBy: Place.self),
        debugDescription: "effects have no '\(stray.stringValue)'; they have "
          + Key.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let given = try container.decodeIfPresent([EffectChain].self, forKey: .chains) ?? []
    let parts = try container.decodeIfPresent([Part].self, forKey: .take) ?? []
    let effects = container.contains(.of) ? try Self.effects(container) : []
    guard parts.isEmpty || parts == [.dry] || !effects.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .take, in: container, debugDescription: "has no effects; name them with 'of'")
    }
    chains = Part.allCases.filter(parts.contains).flatMap { Self.chains($0, of: effects) } + given
  }

  /// Reads a list of effects, or the word `all`.
  private static func effects(_ container: KeyedDecodingContainer<Key>) throws -> [EffectChain] {
    if let word = try? container.decode(String.self, forKey: .of), word == "all" {
      return EffectCatalog.all.map { kind in
        func link(_ settings: some EffectSettings) -> EffectChain {
          EffectChain(EffectChain.Link(settings))
        }
        return link(kind.init())
      }
    }
    return try container.decode([EffectChain].self, forKey: .of)
  }

  static func chains(_ part: Part, of effects: [EffectChain]) -> [EffectChain] {
    switch part {
    case .dry: return [EffectChain()]
    case .singles: return effects
    case .pairs: return designed(of: effects, length: 2)
    case .triples: return designed(of: effects, length: 3)
    }
  }

  /// Returns chains of different effects that cover every two effects at every two places.
  private static func designed(of effects: [EffectChain], length: Int) -> [EffectChain] {
    guard effects.count >= length else { return [] }
    let array = CoveringArray(
      levels: [Int](repeating: effects.count, count: length), strength: 2
    ) { row in
      let chosen = row.compactMap(\.self)
      return Set(chosen).count == chosen.count
    }
    return array.rows.map { row in EffectChain(row.flatMap { effects[$0].stages }) }
  }
}
