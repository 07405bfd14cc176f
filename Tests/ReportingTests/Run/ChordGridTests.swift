import Foundation
import TestSupport
import Testing

@testable import Reporting
@testable import Sweep

@Suite struct ChordGridTests {
  /// A chord of 1 s, a rest of 0.5 s, and a chord a tone higher of 1 s, in frames of 5 ms.
  private func trace(_ voice: Int, _ hz: Double, heard: (Double, Double) -> Double) -> VoiceTrace {
    let times = (0..<500).map { Double($0) * 0.005 }
    let targets = times.map { time in
      time < 1 ? hz : time < 1.5 ? 0 : hz * exp2(2.0 / 12)
    }
    return VoiceTrace(
      voice: voice, hopSeconds: 0.005, targetHz: targets.map { Float($0) },
      measuredHz: zip(times, targets).map { Float(heard($0, $1)) })
  }

  private func off(_ cents: Double) -> Double { exp2(cents / 1200) }

  @Test func eachVoiceOfEachChordHasItsFate() throws {
    let grid = ChordGrid([
      trace(0, 220) { time, hz in hz * off(time < 1 ? 10 : 40) },
      trace(1, 330) { time, hz in time < 1 ? 0 : hz * off(-60) },
      trace(2, 440) { time, hz in hz > 0 ? hz : 440 },
    ]) { _ in false }
    #expect(grid.columns.map(\.isChord) == [true, false, true])
    let fates = grid.columns.map(\.fates)
    try #require(fates.map(\.count) == [3, 3, 3])
    // Single precision keeps pitches to a thousandth of a cent.
    func near(_ fate: ChordGrid.Fate, _ words: String, _ cents: Double?) {
      #expect(fate.words == words && abs((fate.cents ?? 0) - (cents ?? 0)) < 0.01)
    }
    near(fates[0][0], "in tune", 10)
    near(fates[2][0], "sharp", 40)
    near(fates[0][1], "missing", nil)
    near(fates[2][1], "flat", -60)
    near(fates[1][2], "ghost", nil)
    near(fates[1][0], "resting", nil)
    // The segmenter may end a note a few frames early.
    #expect(abs(grid.columns[2].startS - 1.5) < 0.03)
  }

  /// The lead's own pitch is no ghost, and without the lead there are no ghosts.
  @Test func aGhostNeedsSilence() {
    let traces = [trace(0, 440) { _, hz in hz > 0 ? hz : 440 }]
    #expect(ChordGrid(traces) { _ in true }.columns.map(\.isChord) == [true, true])
    #expect(ChordGrid(traces).columns.map(\.isChord) == [true, true])
  }

  @Test func theLimitIsThatOfTheWorstInstants() {
    let grid = ChordGrid([trace(0, 220) { time, hz in hz * off(time < 1 ? 24 : 26) }])
    #expect(grid.columns.map { $0.fates[0].words } == ["in tune", "sharp"])
  }

  /// Cells have numbers if there is room, else signs, and the table has all values.
  @Test func theGridIsDrawnWithItsTable() throws {
    let grid = ChordGrid(
      [
        trace(0, 220) { _, hz in hz * off(40) }, trace(1, 330) { _, _ in 0 },
        trace(2, 440) { _, hz in hz > 0 ? hz : 440 },
      ]) { _ in false }
    let plot = ChordPlot(grid, voices: ["-5", "+4", "+7"])
    let drawings = try drawn(
      Drawing(
        id: "chords", title: "Chords", shows: "s", omits: "", command: "choir-eval",
        plot: plot))
    for drawing in drawings {
      for words in [">+40<", ">×<", ">○<", ">+7<"] { #expect(drawing.contains(words), "\(words)") }
    }
    #expect(plot.observations(id: "t").rows.count == 9)
    #expect(plot.observations(id: "t").csv.contains("+4,missing"))
  }
}
