import Foundation
import Testing

@testable import Reporting

@Suite struct LanePlotTests {
  private func frames(errorsCents: [Double?]) -> [LanePlot.Frame] {
    errorsCents.enumerated().map { index, cents in
      LanePlot.Frame(
        timeS: Double(index) * 0.005, targetHz: 220, measuredHz: cents.map { 220 * exp2($0 / 1200) }
      )
    }
  }

  /// An octave is 1200 cents, and a just fifth 701.955.
  @Test(arguments: [(440.0, 1200.0), (330, 701.955), (110, -1200)])
  func errorInCents(measuredHz: Double, cents: Double) throws {
    let frame = LanePlot.Frame(timeS: 0, targetHz: 220, measuredHz: measuredHz)
    #expect(abs(try #require(frame.errorCents) - cents) < 0.001)  // the digits of the argument
  }

  @Test(arguments: [[nil, 220.0], [220, nil], [0, 220], [220, 0]])
  func restsHaveNoError(pitchesHz: [Double?]) {
    #expect(
      LanePlot.Frame(timeS: 0, targetHz: pitchesHz[0], measuredHz: pitchesHz[1]).errorCents == nil
    )
  }

  @Test func thinningKeepsTheWorst() {
    var errors = [Double?](repeating: 1, count: 5000)
    errors[1234] = -80
    errors[4999] = 70
    let kept = LanePlot.thinned(frames(errorsCents: errors))
    #expect(kept.count <= LanePlot.maxFrames)
    let worst: [Double] = [1234 * 0.005, 4999 * 0.005]
    #expect(Set(kept.map(\.timeS)).isSuperset(of: worst))
  }

  /// Two frames become one. The one without an error must not hide the one that has a small one.
  @Test func thinningKeepsFramesWithAPitch() {
    let errors = (0..<2 * LanePlot.maxFrames).map { $0 % 2 == 0 ? 0.5 : nil }
    #expect(LanePlot.thinned(frames(errorsCents: errors)).allSatisfy { $0.errorCents != nil })
  }

  @Test func summaryCountsEveryFrame() {
    let errors: [Double?] = [0, 10, -20, 30, nil, 100]
    let plot = LanePlot(voices: [.init(name: "a", frames: frames(errorsCents: errors))])
    let row = plot.summary(id: "x").rows[0]
    // For 0, 10, 20, 30, 100 the median is 20; 95 % of the way along four steps is 0.8 into the
    // last, 30 + 0.8 · 70 = 86; one of five lies beyond 50.
    for (cell, expected) in zip(row.dropFirst(), [5.0, 20, 86, 20]) {
      guard case .amount(let amount) = cell, let value = amount.value else {
        Issue.record("no number in \(cell)")
        continue
      }
      #expect(abs(value - expected) < 1e-6)  // through exp2 and log2 and back
    }
  }

  @Test func aSilentVoiceSaysWhyItHasNoNumbers() {
    let plot = LanePlot(voices: [.init(name: "a", frames: frames(errorsCents: [nil, nil]))])
    #expect(plot.isEmpty)
    #expect(
      plot.summary(id: "x").reasons.map(\.detail) == [
        "no frame has both a target and a measured pitch"
      ])
  }
}
