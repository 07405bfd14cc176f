import Effects
import Subjects

/// What an app does with a voice, row by row: how it comes in, what is made of it, and what effects
/// come behind.
public struct TimingPlan: Sendable {
  public enum Process: String, Codable, CaseIterable, Sendable {
    case none, autotune, harmonize
    /// The tuner, and a choir of what it gives.
    case both
  }

  public enum Source: Hashable, Sendable, CustomStringConvertible {
    /// A voice block by block, as from a microphone.
    case live
    /// A recorded sample, played on a key.
    case sample(key: Int)

    public var description: String {
      switch self {
      case .live: "live"
      case .sample(let key): "sample on key \(key)"
      }
    }
  }

  /// What is measured together, since only the effects differ.
  public struct Group: Sendable {
    public var process: Process
    public var source: Source
    public var chains: [EffectChain]
  }

  public let groups: [Group]

  /// An octave below the sample's own key, the key itself, an octave above.
  static let keys = [45, 57, 69]
  private static var sources: [Source] { [.live] + keys.map { .sample(key: $0) } }

  public var rowCount: Int { groups.reduce(0) { $0 + $1.chains.count } }

  /// - Parameter isFull: every process and source with every set of up to three effects, and larger
  ///   sets in which any three effects are on and off in every way. Otherwise every process and
  ///   source without effects; and behind a live voice each effect by itself, and larger sets in which
  ///   any two are on and off in every way.
  public init(isFull: Bool) {
    let all = isFull ? Self.subsets(upTo: 3) + Self.covering(strength: 3) : []
    groups = Process.allCases.flatMap { process in
      Self.sources.map { source in
        if isFull { return Group(process: process, source: source, chains: all) }
        let isBare = process == .none && source == .live
        return Group(
          process: process, source: source,
          chains: isBare ? Self.subsets(upTo: 1) + Self.covering(strength: 2) : [EffectChain()])
      }
    }
  }

  /// Of all effects, each as it is at first, in the order of the catalog; the empty set first.
  static func subsets(upTo largest: Int) -> [EffectChain] {
    var sets: [[Int]] = [[]]
    var last: [[Int]] = [[]]
    for _ in 0..<largest {
      last = last.flatMap { set in
        ((set.last ?? -1) + 1..<EffectCatalog.all.count).map { set + [$0] }
      }
      sets += last
    }
    return sets.map(chain)
  }

  /// Sets larger than `strength` in which any so many effects are on and off in every way.
  static func covering(strength: Int) -> [EffectChain] {
    let array = CoveringArray(
      levels: Array(repeating: 2, count: EffectCatalog.all.count), strength: strength)
    return array.rows.map { row in row.indices.filter { row[$0] == 1 } }
      .filter { $0.count > strength }.map(chain)
  }

  private static func chain(of effects: [Int]) -> EffectChain {
    EffectChain(
      effects.map { index in
        func link(_ settings: some EffectSettings) -> EffectChain.Stage {
          .link(EffectChain.Link(settings))
        }
        return link(EffectCatalog.all[index].init())
      })
  }
}
