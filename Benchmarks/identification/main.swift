import Corpus
import Files
import Foundation
import Identification
import Statistics
import Sweep
import Tuning

// Compares predictions with measured grids, and searches with whole grids.
//
//   identification STORE CORPUS SHARE PLAN…
//
// The store holds every cell of the plans. Nothing is measured: a cell that a predictor or a search
// asks for is read from the store.

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
var agreed = 0
var searched = 0
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
  let line = try await grid.search(share: share, facts: corpus.facts(of: sweep.plan.recordings))
  print("\(plan.name)\t\(line.words)")
  searched += 1
  if line.isSame { agreed += 1 }
}
for row in PredictionCheck(pairs: all).summaries {
  print(
    "all plans\t\t\t\(row.figure.metric)\t\(row.count)\t\(fixed(row.withinTolerance, 3))\t"
      + "\(fixed(row.covered, 3))\t\(fixed(row.medianError, 4))")
}
print("same setting as the full grid: \(agreed) of \(searched) plans")

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

  /// Searches the grid, and compares the setting with that of all cells.
  func search(share: Double, facts: [Tuner.Fact]) async throws -> (words: String, isSame: Bool) {
    let tuner = try Tuner(TuneGoal(), facts: facts)
    let whole = tuner.answer(for: measured)
    let search = PredictiveSearch(cells, tuner: tuner, tones: tones, share: share)
    let found = await search.run { chosen in chosen.sorted().map { measured[$0] } }
    let completed = search.completed(by: found.measured)
    let answer = tuner.answer(for: completed)
    func setting(_ answer: TuneAnswer) -> String {
      answer.best.map {
        "\(answer.points[$0].subject) \(answer.points[$0].settings.canonical)"
      } ?? "none"
    }
    func distance(of place: Int?) -> Double? { place.flatMap { whole.points[$0].distance } }
    let (wanted, got) = (setting(whole), setting(answer))
    let own = answer.best.flatMap { best in
      whole.points.firstIndex { SettingChoice($0) == SettingChoice(answer.points[best]) }
    }
    if wanted != got, ProcessInfo.processInfo.environment["SHOW_STEPS"] != nil {
      for (name, points) in [("grid", whole), ("search", answer)] {
        for setting in [wanted, got] {
          guard
            let point = points.points.first(where: {
              "\($0.subject) \($0.settings.canonical)" == setting
            })
          else { continue }
          let figures = point.figures.sorted { $0.key < $1.key }.map { axis, figure in
            "\(axis) \(fixed(figure.value, 2)) (\(fixed(figure.units, 2)))"
          }
          print(
            "  \(name)\t\(setting)\ttotal \(point.distance.map { fixed($0, 2) } ?? "none")\t"
              + "\(point.losses.map(\.words))\t\(figures.joined(separator: ", "))")
        }
      }
    }
    let lost = distance(of: own).flatMap { mine in distance(of: whole.best).map { mine - $0 } }
    return (
      "search measured \(found.measured.count) of \(cells.count): \(got); full grid: \(wanted); "
        + "\(wanted == got ? "same" : "\(lost.map { fixed($0, 2) } ?? "unknown") steps more")",
      wanted == got
    )
  }
}
