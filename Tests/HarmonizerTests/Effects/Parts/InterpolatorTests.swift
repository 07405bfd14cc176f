import DSP
import Foundation
import Testing

@testable import Effects

@Suite struct InterpolatorTests {
  /// Delays in steps of 1/20 of a sample also fall between the rows of the table.
  @Test(arguments: [(1000.0, -110.0), (4800, -88), (9600, -46)])
  func tonesAreDelayedExactly(hz: Double, errorDb: Double) {
    let interpolator = Interpolator()
    var worst = 0.0
    for fraction in stride(from: 0.0, to: 1, by: 0.05) {
      var line = HistoryBuffer(longest: 64)
      let delay = 10 + fraction
      for i in 0..<4000 {
        line.push(Float(sin(2 * .pi * hz * Double(i) / 48_000)))
        guard i > 100 else { continue }
        let ideal = sin(2 * .pi * hz * (Double(i) - delay) / 48_000)
        worst = max(worst, abs(Double(interpolator.read(line, at: delay)) - ideal))
      }
    }
    // A polynomial of order 7 errs by -92 dB and -47 dB at the last two (Laakso et al., computed
    // from its weights alone); at 1 kHz only the rounding of single precision is left.
    #expect(20 * log10(worst) < errorDb)
  }

  @Test func wholeSamplesAreExact() {
    let interpolator = Interpolator()
    var line = HistoryBuffer(longest: 108)
    let sounds = (0..<1000).map { Float(sin(Double($0 * $0))) }
    for (i, sound) in sounds.enumerated() {
      line.push(sound)
      guard i >= 100 else { continue }
      #expect(interpolator.read(line, at: 3) == sounds[i - 3])
      #expect(interpolator.read(line, at: 100) == sounds[i - 100])
      #expect(line[delay: 77] == sounds[i - 77])
    }
  }
}
