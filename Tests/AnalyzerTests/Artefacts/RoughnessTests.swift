import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct RoughnessTests {
  struct Vectors: Decodable {
    struct Row: Decodable {
      var carrierHz: Double
      var modulationHz: Double
      var depth: Double
      var levelDb: Double
      var asper: Double
    }
    var rows: [Row]
  }

  private func tone(_ row: Vectors.Row) -> Signal {
    let samples = (0..<24_000).map { n -> Double in
      let turn = 2 * .pi * Double(n) / 48_000
      return (1 + row.depth * sin(turn * row.modulationHz)) * sin(turn * row.carrierHz)
    }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    let gain = pow(10, (row.levelDb - 91) / 20) / power.squareRoot()
    return Signal(samples.map { Float($0 * gain) }, sampleRateHz: 48_000)
  }

  /// The definition of the unit; Daniel and Weber's own model agrees within a few percent.
  @Test func theReferenceToneHasOneAsper() throws {
    let row = Vectors.Row(carrierHz: 1000, modulationHz: 70, depth: 1, levelDb: 60, asper: 1)
    #expect(try abs(Roughness(of: tone(row)).meanAsper - 1) < 0.05)
  }

  /// Two programs of one model with equal frames: rounding may assign a line to another channel,
  /// which changes the result by one or two percent.
  @Test func valuesAreThoseOfMoSQITo() throws {
    let rows = try golden("roughness.json", as: Vectors.self).rows
    #expect(rows.count == 14)
    for row in rows {
      let found = try Roughness(of: tone(row)).meanAsper
      #expect(abs(found - row.asper) < 0.02 * row.asper, "\(row): \(found)")
    }
  }

  /// Roughness increases with the depth of a tremolo.
  @Test func tremoloMakesAVoiceRougher() throws {
    let voice = TestVoice(seconds: 1) { _ in 330 }.signal()
    let values = try [0.0, 2, 5, 10].map {
      try Roughness(of: Dose.tremolo(voice, depthDb: $0, rateHz: 60)).meanAsper
    }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "\(values)")
  }

  @Test func unusualSoundsHaveAResultOrThrow() {
    for (name, signal) in Dose.awkward where signal.count <= 48_000 {
      do {
        let found = try Roughness(of: signal)
        #expect(found.meanAsper.isFinite, "\(name)")
      } catch {}
    }
  }
}
