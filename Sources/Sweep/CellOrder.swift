import Corpus

/// In which order to run cells when there may not be time for all.
///
/// What is wanted of any beginning of the run is the best answer it can give. So
/// 1. recordings come one after another, each time the one whose voice and kind are rarest among
///    those before; the conditions take turns;
/// 2. on each of them every subject, score and setting is tried before the next recording is: all
///    have the same number of cells, and the same recordings, so that they can be compared in pairs;
/// 3. settings come in an order whose beginnings are spread evenly over all of them (a golden ratio
///    sequence), so that where there is time for some only, those stand for the others.
enum CellOrder {
  /// The same cells in this order.
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

  /// What a setting is tried on.
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
      // Rarest recording first, then condition, then kind and voice; the first of equals.
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

  /// Sorted by the fractional part of multiples of the golden ratio.
  static func scattered<Element>(_ elements: [Element]) -> [Element] {
    let golden = 0.618_033_988_749_894_9
    let places = elements.indices.map { index -> Double in
      let multiple = Double(index) * golden
      return multiple - multiple.rounded(.down)
    }
    return elements.indices.sorted { places[$0] < places[$1] }.map { elements[$0] }
  }
}
