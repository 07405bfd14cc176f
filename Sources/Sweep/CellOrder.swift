import Corpus

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
    var rows: [String: [Cell]] = [:]
    var contexts: [Context] = []
    for cell in cells {
      let context = Context(cell)
      if rows[context.id] == nil { contexts.append(context) }
      rows[context.id, default: []].append(cell)
    }
    return turns(of: contexts).flatMap { scattered(rows[$0.id]!) }
  }

  /// A recording under a condition.
  private struct Context {
    var entry: ManifestEntry
    var condition: String
    var id: String { "\(entry.id) \(condition)" }

    init(_ cell: Cell) { (entry, condition) = (cell.recording, cell.condition.canonical) }
  }

  private static func turns(of contexts: [Context]) -> [Context] {
    var seen: [String: Int] = [:]
    var waiting = contexts
    var turns: [Context] = []
    while !waiting.isEmpty {
      // Rarest recording first, then condition, kind and voice; ties keep the order of the plan.
      func rank(_ context: Context) -> [Int] {
        [
          "recording " + context.entry.id, "condition " + context.condition,
          "kind " + context.entry.kind, "voice " + context.entry.voice,
        ].map { seen[$0, default: 0] }
      }
      let next = waiting.indices.min {
        rank(waiting[$0]).lexicographicallyPrecedes(rank(waiting[$1]))
      }!
      let context = waiting.remove(at: next)
      for stratum in [
        "recording " + context.entry.id, "condition " + context.condition,
        "kind " + context.entry.kind, "voice " + context.entry.voice,
      ] { seen[stratum, default: 0] += 1 }
      turns.append(context)
    }
    return turns
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
