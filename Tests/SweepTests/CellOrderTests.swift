import EvaluationSupport
import Foundation
import Testing

@testable import Corpus
@testable import Subjects
@testable import Sweep

@Suite struct CellOrderTests {
  /// 3 voices × 2 conditions × 12 settings, and a probe, which is heard clean only.
  private func cells() throws -> [Cell] {
    let rows = ["bass", "tenor", "alto"].map {
      "\($0),,synthetic:\($0),,CC0-1.0,us,\($0),sung,a voice,"
    }
    let folder = try TemporaryCorpus.folder(
      rows: rows + ["probe,,synthetic:impulses,,CC0-1.0,us,none,probe,impulses,"])
    defer { try? FileManager.default.removeItem(at: folder) }
    let corpus = try Corpus(folder: folder)
    let windows = (1...12).map { "\(10 * $0)" }.joined(separator: ", ")
    let plan = try Plan.decoded(
      smallPlan.replacing("[10, 20]", with: "[\(windows)]")
        .replacing("[buzz, probe]", with: "[bass, tenor, alto, probe]")
        + "\nconditions: [clean, noise(snrDb=20)]")
    return try plan.recordings.flatMap { id -> [Cell] in
      let entry = try corpus.entry(id: id)
      return try plan.heardConditions(of: entry, in: corpus).flatMap { condition in
        plan.combinations().map { settings in
          Cell(
            entry, recordingDigest: id, condition: condition, score: plan.scores[0],
            settings: settings, subject: ReferenceSubject())
        }
      }
    }
  }

  @Test func nothingIsLostAndOrderIsFixed() throws {
    let (cells, spread) = (try cells(), CellOrder.spread(try cells()))
    #expect(spread.count == 84 && Set(spread.map(\.key)) == Set(cells.map(\.key)))
    #expect(spread == CellOrder.spread(cells))
  }

  /// Whenever time runs out, no setting has two cells more than another.
  @Test func everySettingHasItsShare() throws {
    let spread = CellOrder.spread(try cells())
    for end in 1...spread.count {
      let counts = Dictionary(grouping: spread.prefix(end)) { $0.settings.canonical }
        .mapValues(\.count)
      #expect(counts.values.max()! - (counts.count == 12 ? counts.values.min()! : 0) <= 1)
    }
  }

  @Test func everyRecordingComesBeforeAnyComesTwice() throws {
    let spread = CellOrder.spread(try cells())
    let contexts = stride(from: 0, to: 84, by: 12).map { spread[$0] }
    #expect(Set(contexts.prefix(4).map(\.recording.id)).count == 4)
    // The conditions take turns.
    #expect(Set(contexts.prefix(2).map { "\($0.condition)" }).count == 2)
    #expect(contexts.prefix(4).count { $0.condition == .clean } == 2)
  }

  /// Any beginning of the settings is spread over all of them: no gap is longer than about three
  /// times what an even spread would leave (the three gaps of a golden ratio sequence).
  @Test(arguments: [12, 30, 100, 997])
  func beginningsAreSpread(count: Int) {
    let order = CellOrder.scattered(Array(0..<count))
    for share in [0.1, 0.25, 0.5] {
      let begun = max(1, Int(share * Double(count)))
      let places = [-1] + order.prefix(begun).sorted() + [count]
      let gap = zip(places.dropFirst(), places).map { $0 - $1 }.max()!
      #expect(Double(gap) <= 3 * Double(count) / Double(begun), "\(gap) of \(count)")
    }
  }
}
