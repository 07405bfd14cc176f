import Metrics
import Testing

@testable import CommandSupport
@testable import Gate
@testable import choir_eval

@Suite struct ComparisonTableTests {
  /// Six recordings of two voices at two windows; the fifth is `worse` cents worse at 40 ms.
  private static func cells(worse: Double = 0, dropping dropped: Int = 0) -> [ComparedCell] {
    [20, 40].flatMap { window in
      (0..<6).map { recording in
        ComparedCell(
          .init(
            recording: "r\(recording)", condition: "clean", score: "chord",
            configuration: "reference engine=delayline windowMs=\(window)"),
          figures: [
            .init("pitch.abs_error", voice: "+4"): .value(5),
            .init("pitch.abs_error", voice: "+7"): .value(5 + (window == 40 ? worse : 0)),
          ], key: "0123456789abcdef")
      }
    }.dropLast(dropped)
  }

  private static func table(_ candidate: [ComparedCell]) throws -> String {
    ComparisonTable(
      try RunComparison(baseline: cells(), candidate: candidate), explainOptions: "--run smoke"
    ).text()
  }

  @Test func aRegressionComesFirstWithTheCommandThatExplainsIt() throws {
    let lines = try Self.table(Self.cells(worse: 3)).split(separator: "\n")
    #expect(lines[0] == "regression: of 4 figures, 1 regression, 3 within noise")
    let row = try #require(lines.first { $0.hasPrefix("regression  ") })
    for word in ["pitch.abs_error", "+7", "windowMs=40", "r0", "5.00", "8.00", "cents"] {
      #expect(row.contains(word), "\(row)")
    }
    // Shared settings are printed once, not in every row.
    #expect(!row.contains("engine"))
    #expect(lines.contains { $0.contains("of reference engine=delayline") })
    #expect(
      lines.contains { $0.contains("choir-eval explain 0123456789ab pitch.abs_error --run smoke") })
  }

  @Test func whatDidNotChangeSaysWhatWouldHaveBeenFound() throws {
    let text = try Self.table(Self.cells())
    #expect(text.hasPrefix("within noise: of 4 figures, 4 within noise"))
    let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("pitch.abs_error") })
    // Four figures, no change, minimum effect 2 cents, detectable 2 cents.
    #expect(
      row.split(separator: " ").map(String.init) == [
        "pitch.abs_error", "4", "0", "2.00", "2.00", "cents", "pitch", "error",
      ])
  }

  @Test func missingCellsAreNamed() throws {
    let text = try Self.table(Self.cells(dropping: 2))
    #expect(text.contains("2 cells of the baseline are missing:\n  r4 · chord"))
  }
}
