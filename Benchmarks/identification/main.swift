import Corpus
import Files
import Foundation
import Identification
import Statistics
import Sweep

// Compares predictions with measured grids.
//
//   identification STORE CORPUS SHARE PLAN…
//
// The store holds every cell of the plans. Nothing is measured.

let words = CommandLine.arguments.dropFirst()
guard words.count >= 4, let share = Double(words[words.startIndex + 2]) else {
  print("usage: identification STORE CORPUS SHARE PLAN…")
  exit(64)
}
let store = try ResultStore(reading: URL(fileURLWithPath: words[words.startIndex]))
let corpus = try Corpus(folder: URL(fileURLWithPath: words[words.startIndex + 1]))
let seeds = 1...4

/// The pairs of all plans.
var all: [PredictionCheck.Pair] = []
print("plan\tcells\tseen\tfigure\tpairs\twithin\tcovered\tmedian error")
for path in words.dropFirst(3) {
  let plan = try Plan(reading: URL(fileURLWithPath: path), corpusFolder: corpus.folder)
  let sweep = try Sweep(plan, corpus: corpus, store: store)
  let measured = try store.cells(keys: sweep.cells.map(\.key))
  guard measured.count == sweep.cells.count else {
    print("\(plan.name)\t\(measured.count) of \(sweep.cells.count) cells are measured; skipped")
    continue
  }
  let grid = Grid(sweep.cells, measured, SettingTone.all(of: sweep))
  var pairs: [PredictionCheck.Pair] = []
  let seen = max(12, Int(share * Double(measured.count)))
  for seed in seeds { pairs += grid.check(seen: seen, seed: seed).pairs }
  for row in PredictionCheck(pairs: pairs).summaries {
    print(
      "\(plan.name)\t\(measured.count)\t\(seen)\t\(row.figure.metric)\t\(row.count)\t"
        + "\(fixed(row.withinTolerance, 3))\t\(fixed(row.covered, 3))\t\(fixed(row.medianError, 4))"
    )
  }
  all += pairs
}
for row in PredictionCheck(pairs: all).summaries {
  print(
    "all plans\t\t\t\(row.figure.metric)\t\(row.count)\t\(fixed(row.withinTolerance, 3))\t"
      + "\(fixed(row.covered, 3))\t\(fixed(row.medianError, 4))")
}

/// A plan all of whose cells are measured.
struct Grid {
  let cells: [Cell]
  let measured: [CellResult]
  let tones: [SettingTone]
  let places: [CellPlace]

  init(_ cells: [Cell], _ measured: [CellResult], _ tones: [SettingTone]) {
    (self.cells, self.measured, self.tones) = (cells, measured, tones)
    places = cells.map { CellPlace($0) }
  }

  /// Predicts from `seen` cells in balanced order, after two that the seed draws, all others.
  func check(seen: Int, seed: Int) -> PredictionCheck {
    let first = [cells.count * seed / 5, (cells.count * seed * 3 / 7) % cells.count].uniqued()
    let chosen = Set(
      first + BalancedOrder.indices(of: places, count: seen - first.count, after: first))
    let predictor = CellPredictor(
      of: places, from: chosen.sorted().map { measured[$0] }, tones: tones)
    return PredictionCheck(
      predictor, against: measured.indices.filter { !chosen.contains($0) }.map { measured[$0] })
  }
}
