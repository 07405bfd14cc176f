import Effects
import Subjects

/// The combinations of source, process and effects that an app may use, one for each row.
struct TimingPlan: Sendable {
  enum Process: String, Codable, CaseIterable, Sendable {
    case none, autotune, harmonize
    /// The tuner, followed by the choir.
    case both
  }

  enum Source: Hashable, Sendable, CustomStringConvertible {
    /// A voice block by block, as from a microphone.
    case live
    /// A recorded sample, at the speed that a key stands for.
    case sample(key: Int)

    var description: String {
      switch self {
      case .live: "live"
      case .sample(let key): "sample on key \(key)"
      }
    }
  }

  /// Rows that differ in the effects only.
  struct Group: Sendable {
    var process: Process
    var source: Source
    var chains: [EffectChain]
  }

  let groups: [Group]

  /// The sample's own key, and an octave below and above it.
  static let keys = [45, 57, 69]
  private static var sources: [Source] { [.live] + keys.map { .sample(key: $0) } }

  var rowCount: Int { groups.reduce(0) { $0 + $1.chains.count } }

  /// Plans the rows.
  ///
  /// - Parameter isFull: true for every process and source with every set of up to three effects, and
  ///   with larger sets that cover every on and off of any three. False for every process and source
  ///   without effects, and for a live voice with each effect alone and with larger sets that cover
  ///   every on and off of any two.
  init(isFull: Bool) {
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

  /// Returns all sets of up to `largest` effects with default settings, in the catalog's order; the
  /// empty set comes first.
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

  /// Returns sets larger than `strength` that cover every on and off of any `strength` effects.
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
