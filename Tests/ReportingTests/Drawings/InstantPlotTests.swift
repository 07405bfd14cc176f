import Foundation
import TestSupport
import Testing

@testable import Analyzer
@testable import Reporting

@Suite struct InstantPlotTests {
  private func plot(pitch: Bool) -> InstantPlot {
    InstantPlot(
      marksS: [2], windowS: 1.5...2.5,
      frames: stride(from: 0.0, to: 4, by: 0.1).map {
        .init(timeS: $0, targetHz: pitch ? 220 : nil, measuredHz: pitch ? 225 : nil)
      },
      picture: .init(
        hopSeconds: 0.1, frequenciesHz: [100, 200, 400],
        levelsDb: (0..<10).map { [-60, -30, Float($0) - 10] }))
  }

  @Test func onlyTheWindowIsDrawn() throws {
    let rows = try #require(plot(pitch: true).data().first { $0.name == "voice" }).rows
    #expect(rows.allSatisfy { (1.5...2.5).contains($0[0]) } && rows.count >= 9)
    // 225 over 220 Hz is 38.9 cents.
    let errors = plot(pitch: true).observations(id: "i").rows.compactMap { row -> Double? in
      if case .amount(let amount) = row[3] { amount.value } else { nil }
    }
    #expect(errors.allSatisfy { abs($0 - 38.9) < 0.05 })
  }

  @Test(arguments: [true, false]) func withoutPitchThePictureStands(pitch: Bool) throws {
    let drawings = try drawn(
      Drawing(
        id: "instant", title: "Instant", shows: "a place", omits: "", command: "choir-eval",
        plot: plot(pitch: pitch)))
    for drawing in drawings {
      #expect(drawing.contains("pitch, Hz") == pitch)
      #expect(drawing.contains("frequency, Hz") && drawing.contains("data:image/png"))
    }
  }

  /// A fault of timbre shows the ideal voice in place of the pitch.
  @Test func theIdealTakesThePlaceOfThePitch() throws {
    var plot = plot(pitch: true)
    plot.ideal = plot.picture
    let names = plot.data().map(\.name)
    #expect(names == ["ink", "ideal"])
    for drawing in try drawn(
      Drawing(
        id: "instant", title: "Instant", shows: "a place", omits: "", command: "choir-eval",
        plot: plot))
    {
      #expect(!drawing.contains("pitch, Hz") && drawing.contains("the ideal voice"))
      #expect(drawing.matches(of: /data:image\/png/).count == 2)
    }
  }

  @Test func theLoudestIsDarkAndSilencePaper() {
    let inks = plot(pitch: false).picture.inks
    #expect(inks[2][9] == 255)  // -1 dB, the loudest
    // -60 dB lies 59 of 65 dB below: 0.09 of the way, in steps of a twentieth 2.
    #expect(inks[0].allSatisfy { $0 == 2 * 12.75 })
  }
}
