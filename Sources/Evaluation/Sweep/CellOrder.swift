import Corpus
import Platform

/// The order in which to run cells if there may not be time for all.
///
/// Any prefix of the run should be as informative as possible:
/// 1. The next recording is always the one whose voice and kind are rarest among those before;
///    conditions alternate.
/// 2. All subjects, scores and settings are tried on a recording before the next one. All thus have
///    the same number of cells on the same recordings and can be compared in pairs.
/// 3. The order of settings is a golden ratio sequence, any prefix of which is spread evenly over
///    all of them.
enum CellOrder {
  /// Returns the cells in this order.
  static func spread(_ cells: [Cell]) -> [Cell] {
    let rows = cells.grouped { "\($0.recording.id) \($0.condition.canonical)" }
    return turns(of: rows.map(Context.init)).flatMap { scattered($0.cells) }
  }

  /// The cells of a recording under a condition.
  private struct Context {
    var cells: [Cell]
    var entry: ManifestEntry
    var condition: String
    var group: Group { Group(condition: condition, kind: entry.kind) }

    struct Group: Hashable {
      var condition: String
      var kind: String
    }

    init(_ cells: [Cell]) {
      self.cells = cells
      (entry, condition) = (cells[0].recording, cells[0].condition.canonical)
    }
  }

  /// Returns the rarest recording first, then the rarest condition, kind and voice; ties keep the order
  /// of the plan.
  ///
  /// - Cost: about the number of contexts times that of pairs of a condition and a kind.
  private static func turns(of contexts: [Context]) -> [Context] {
    var waiting = Array(contexts.indices)
    var turns: [Context] = []
    var (conditions, kinds) = ([String: Int](), [String: Int]())
    var voices: [String: Int] = [:]
    // In each round every recording that is left has one turn.
    while !waiting.isEmpty {
      var groups = Dictionary(grouping: waiting) { contexts[$0].group }
        .mapValues { VoiceQueue($0.map { ($0, contexts[$0].entry.voice) }, seen: voices) }
      var met: Set<String> = []
      var taken: Set<Int> = []
      while true {
        var next: (rank: (Int, Int, Int, Int), group: Context.Group)?
        for group in groups.keys {
          let first = groups[group]!.first(seen: voices) { !met.contains(contexts[$0].entry.id) }
          guard let first else {
            groups[group] = nil
            continue
          }
          let rank = (
            conditions[group.condition, default: 0], kinds[group.kind, default: 0], first.seen,
            first.index
          )
          if next.map({ rank < $0.rank }) ?? true { next = (rank, group) }
        }
        guard let (rank, group) = next else { break }
        let context = contexts[rank.3]
        turns.append(context)
        taken.insert(rank.3)
        met.insert(context.entry.id)
        conditions[group.condition, default: 0] += 1
        kinds[group.kind, default: 0] += 1
        voices[context.entry.voice, default: 0] += 1
      }
      waiting.removeAll(where: taken.contains)
    }
    return turns
  }

  /// Contexts of one condition and kind, of which the next is the first of the rarest voice.
  private struct VoiceQueue {
    /// The number of times that a voice was seen, when its place was found, and its next context.
    typealias Place = (seen: Int, index: Int, voice: String)

    /// Contexts of each voice, the next one last.
    private var waiting: [String: [Int]] = [:]
    /// A place for each voice, the next one last.
    private var places: [Place] = []

    /// - Parameter contexts: indices in ascending order, with their voices.
    init(_ contexts: [(index: Int, voice: String)], seen: [String: Int]) {
      for (index, voice) in contexts.reversed() { waiting[voice, default: []].append(index) }
      places = waiting.map { (seen[$0.key, default: 0], $0.value.last!, $0.key) }
        .sorted { ($1.seen, $1.index) < ($0.seen, $0.index) }
    }

    /// Returns the next context; `nil` if none is left. What is rare only becomes less so, so only the
    /// first place can be out of date.
    mutating func first(seen: [String: Int], where isLeft: (Int) -> Bool) -> Place? {
      while let place = places.last {
        while let next = waiting[place.voice]!.last, !isLeft(next) {
          waiting[place.voice]!.removeLast()
        }
        let index = waiting[place.voice]!.last
        let now = seen[place.voice, default: 0]
        if (now, index) == (place.seen, place.index) { return place }
        places.removeLast()
        guard let index else { continue }
        let rank = places.partitioningIndex { ($0.seen, $0.index) < (now, index) }
        places.insert((now, index, place.voice), at: rank)
      }
      return nil
    }
  }

  /// Returns the elements sorted by the fractional part of their index times the golden ratio.
  static func scattered<Element>(_ elements: [Element]) -> [Element] {
    let golden = 0.618_033_988_749_894_9
    let places = elements.indices.map { index -> Double in
      let multiple = Double(index) * golden
      return multiple - multiple.rounded(.down)
    }
    return elements.indices.sorted { places[$0] < places[$1] }.map { elements[$0] }
  }
}

/// The cells that a run computes, in their order, except that a few may wait for others at work on
/// the same reference.
struct CellQueue {
  /// The cells that have not begun.
  private(set) var left: ArraySlice<Cell>

  init(_ pending: [Cell]) { left = pending[...] }

  /// Largest number of cells that one may overtake.
  private static let longestJump = 15

  /// Returns the next cell to begin, and `nil` at the end.
  ///
  /// - Parameter running: cells at work now. A cell that shares its reference with none of them
  ///   goes first, since two would wait for each other at every analysis of it.
  mutating func next(besides running: [Cell] = []) -> Cell? {
    guard !running.isEmpty, left.count > 1 else { return left.popFirst() }
    let references = Set(running.map(\.reference))
    let place =
      left.prefix(Self.longestJump + 1).firstIndex { !references.contains($0.reference) }
      ?? left.startIndex
    let cell = left[place]
    for later in stride(from: place, to: left.startIndex, by: -1) { left[later] = left[later - 1] }
    left.removeFirst()
    return cell
  }
}
