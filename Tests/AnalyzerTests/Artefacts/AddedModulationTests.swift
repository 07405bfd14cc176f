import DSP
import Foundation
import Testing

@testable import Analyzer

/// Levels are applied to a buzz of 200 Hz, so that the difference from the reference is known
/// exactly.
@Suite struct AddedModulationTests {
  private static let rate = 16_000.0
  private static let buzz = Signal(
    (0..<96_000).map { index -> Float in index % 80 == 0 ? 0.5 : 0 }, sampleRateHz: rate)

  private func swing(_ db: (Int) -> Double) throws -> Double {
    let output = Self.buzz.samples.enumerated().map { $1 * Float(pow(10, db($0) / 20)) }
    return try AddedModulation(of: Signal(output, sampleRateHz: Self.rate), against: Self.buzz)
      .swingDb
  }

  private func tremolo(_ db: Double, hz: Double) -> (Int) -> Double {
    { db / 2 * sin(2 * .pi * hz * Double($0) / Self.rate + 0.4) }
  }

  /// The sensitivities are those of Fastl and Zwicker: 2 / (f/4 + 4/f) for fluctuation, f / 70 for
  /// roughness. Levels are of smoothed powers and the rates' lines have a width: 4 %.
  @Test(arguments: [(4.0, 1.0), (8, 0.8), (2, 0.8), (16, 0.4706), (32, 0.4571), (42, 0.6)])
  func aSwingCountsByItsRate(hz: Double, sensitivity: Double) throws {
    for db in [0.5, 2, 6] {
      let found = try swing(tremolo(db, hz: hz))
      #expect(abs(found - sensitivity * db) < 0.04 * sensitivity * db + 0.01, "\(found)")
    }
  }

  /// Powers of swings at two rates add.
  @Test func swingsAddByPower() throws {
    let (one, other) = (tremolo(3, hz: 4), tremolo(5, hz: 8))
    let found = try swing { one($0) + other($0) }
    #expect(abs(found - 5) < 0.25, "\(found)")
  }

  /// Steady differences, slow fades and equal sounds add no modulation.
  @Test func whatIsSteadyCountsNothing() throws {
    #expect(try swing { _ in 0 } < 1e-6)
    #expect(try swing { _ in -9 } < 1e-3)
    #expect(try swing { 6 * Double($0) / 96_000 } < 0.05)
  }

  @Test func soundsThatTellNothingThrow() {
    let short = Signal(Array(Self.buzz.samples.prefix(8_000)), sampleRateHz: Self.rate)
    #expect(throws: Unmeasurable.self) { try AddedModulation(of: short, against: short) }
    let silence = Signal([Float](repeating: 0, count: 96_000), sampleRateHz: Self.rate)
    #expect(throws: Unmeasurable(.silent, "the sound is silent")) {
      try AddedModulation(of: silence, against: Self.buzz)
    }
  }
}
