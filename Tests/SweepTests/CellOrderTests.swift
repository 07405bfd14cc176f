import DSP
import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Subjects
@testable import Sweep

@Suite struct CellOrderTests {
  /// Cells of 3 voices × 2 conditions × 12 settings, and of a probe, which is used clean only.
  private func cells() throws -> [Cell] {
    let rows = ["bass", "tenor", "alto"].map {
      "\($0),,synthetic:vowels-\($0),,CC0-1.0,us,\($0),sung,a voice,"
    }
    let scratch = try TemporaryFolder()
    let folder = try scratch.corpus(
      rows: rows + ["probe,,synthetic:impulses,,CC0-1.0,us,none,probe,impulses,"])
    let plan = try Plan.decoded(
      smallPlan
        .replacing("[10, 20]", with: "[10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]")
        .replacing("[buzz, probe]", with: "[bass, tenor, alto, probe]")
        + "\nconditions: [clean, noise(snrDb=20)]")
    return try plan.cells(in: Corpus(folder: folder))
  }

  @Test func theOrderHasTheSameCells() throws {
    let (cells, spread) = (try cells(), CellOrder.spread(try cells()))
    #expect(spread.count == 84 && Set(spread.map(\.key)) == Set(cells.map(\.key)))
    #expect(spread == CellOrder.spread(cells))
  }

  /// The order by hand: conditions alternate as long as a new recording allows it, and the probe,
  /// whose kind is rarest, comes before the third voice.
  @Test func recordingsAndConditionsAlternate() throws {
    let spread = CellOrder.spread(try cells())
    let first = stride(from: 0, to: 84, by: 12).map { spread[$0] }
    #expect(
      first.map(\.recording.id) == ["bass", "tenor", "probe", "alto", "bass", "tenor", "alto"])
    #expect(
      first.map { $0.condition == .clean } == [true, false, true, false, false, true, true])
  }

  /// A cell of a recording of its own; conditions are applied to voices only.
  private func cell(_ number: Int, kind: String, voice: String, _ condition: Condition) -> Cell {
    let entry = ManifestEntry(id: "r\(number)", voice: voice, kind: kind)
    return Cell(
      entry, recordingDigest: "\(number)",
      condition: HeardCondition(condition: condition, address: condition.canonical),
      score: Score(id: "third", intervalsSemitones: [4]), settings: [:], subject: ReferenceSubject()
    )
  }

  /// The order by its definition, which compares all that wait at every turn.
  private func defined(_ cells: [Cell]) -> [String] {
    var (seen, waiting) = ([String: Int](), cells)
    var turns: [String] = []
    while !waiting.isEmpty {
      func strata(_ cell: Cell) -> [String] {
        [
          "recording " + cell.recording.id, "condition " + cell.condition.canonical,
          "kind " + cell.recording.kind, "voice " + cell.recording.voice,
        ]
      }
      func rank(_ cell: Cell) -> [Int] { strata(cell).map { seen[$0, default: 0] } }
      let next = waiting.indices.min {
        rank(waiting[$0]).lexicographicallyPrecedes(rank(waiting[$1]))
      }!
      let cell = waiting.remove(at: next)
      for stratum in strata(cell) { seen[stratum, default: 0] += 1 }
      turns.append(cell.key)
    }
    return turns
  }

  @Test(arguments: 1...20)
  func theRarestComesNext(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let conditions = try ["clean", "noise(snrDb=20)", "noise(snrDb=10)"].map { try Condition($0) }
    let cells = (0..<24).flatMap { number -> [Cell] in
      let kind = ["sung", "spoken", "stress"].randomElement(using: &random)!
      let voice = ["bass", "tenor", "alto", "child", "any"].randomElement(using: &random)!
      return conditions.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        .map { cell(number, kind: kind, voice: voice, $0) }
    }
    #expect(CellOrder.spread(cells).map(\.key) == defined(cells))
  }

  /// Comparing all that wait at every turn took 47 s.
  @Test(arguments: [1, 100, 10_000])
  func manyRecordingsAreOrdered(voices: Int) throws {
    let cells = (0..<10_000).map {
      cell($0, kind: $0.isMultiple(of: 3) ? "spoken" : "sung", voice: "v\($0 % voices)", .clean)
    }
    let spread = CellOrder.spread(cells)
    #expect(Set(spread.map(\.key)).count == 10_000)
    // Both kinds are in each pair, until one is used up.
    for first in stride(from: 0, to: 6600, by: 2) {
      #expect(spread[first].recording.kind != spread[first + 1].recording.kind)
    }
  }

  /// All settings run on a recording before the next one, in the order of i · 0.618 modulo 1 for
  /// i = 0…11: 0, 5, 10, 2, 7, 4, 9, 1, 6, 11, 3, 8.
  @Test func settingsFollowTheGoldenRatio() throws {
    let windows: [Double] = [10, 60, 110, 30, 80, 50, 100, 20, 70, 120, 40, 90]
    let found = CellOrder.spread(try cells()).compactMap { $0.settings["windowMs"]?.number }
    #expect(found == Array(repeating: windows, count: 7).flatMap(\.self))
  }

  /// Any prefix of the settings is spread over all of them: no gap exceeds about three times that
  /// of an even spread (the three gaps of a golden ratio sequence).
  @Test(arguments: [12, 30, 100, 997])
  func prefixesAreSpread(count: Int) {
    let order = CellOrder.scattered(Array(0..<count))
    for share in [0.1, 0.25, 0.5] {
      let begun = max(1, Int(share * Double(count)))
      let places = [-1] + order.prefix(begun).sorted() + [count]
      let gap = zip(places.dropFirst(), places).map { $0 - $1 }.max()!
      #expect(Double(gap) <= 3 * Double(count) / Double(begun), "\(gap) of \(count)")
    }
  }
}
