import DSP
import Foundation
import Testing

@testable import Analyzer

/// Levels are applied to a buzz of 200 Hz, so that the difference from the reference is known
/// exactly.
@Suite struct LevelSwingTests {
  private static let rate = 16_000.0
  private static let buzz = Signal(
    (0..<192_000).map { index -> Float in index % 80 == 0 ? 0.5 : 0 }, sampleRateHz: rate)
  /// A level contour like that of notes at another pitch: random levels within 6 dB, every 0.3 to
  /// 0.8 s, with slopes between.
  private static let notes: [Double] = {
    var random = SeededGenerator(seed: 6)
    var from = 0.0
    var result: [Double] = []
    while result.count < buzz.count {
      let to = 12 * random.uniform() - 6
      let steps = Int((0.3 + 0.5 * random.uniform()) * rate)
      result += (0..<steps).map { [from] in from + (to - from) * Double($0) / Double(steps) }
      from = to
    }
    return result
  }()

  private func swing(_ db: (Int) -> Double) throws -> LevelSwing {
    let output = Self.buzz.samples.enumerated().map { $1 * Float(pow(10, db($0) / 20)) }
    return try LevelSwing(of: Signal(output, sampleRateHz: Self.rate), against: Self.buzz)
  }

  private func tremolo(_ db: Double, hz: Double) -> (Int) -> Double {
    { db / 2 * sin(2 * .pi * hz * Double($0) / Self.rate + 0.4) }
  }

  /// Expects 2 % of depth, because power is smoothed and not its logarithm, and 0.01 Hz of rate.
  @Test(arguments: [(0.5, 6.0), (2, 1.7), (1, 17.7), (10, 6)])
  func aLevelModulationIsFound(db: Double, hz: Double) throws {
    let found = try swing(tremolo(db, hz: hz))
    #expect(abs(found.depthDb - db) < 0.02 * db && abs(found.rateHz - hz) < 0.01)
  }

  /// A sine of 200 s is told apart from one 0.005 Hz beside it.
  @Test func aLongSoundsModulationIsFoundAtAnyRate() throws {
    let rate = 1000.0
    let buzz = (0..<200_000).map { Float($0 % 5 == 0 ? 0.5 : 0) }
    let output = buzz.enumerated().map {
      $1 * Float(pow(10, 0.05 * sin(2 * .pi * 5.205 * Double($0) / rate)))
    }
    let found = try LevelSwing(
      of: Signal(output, sampleRateHz: rate), against: Signal(buzz, sampleRateHz: rate))
    #expect(abs(found.rateHz - 5.205) < 0.001 && abs(found.depthDb - 2) < 0.04, "\(found)")
  }

  /// Notes change by far more but have no rate. A modulation of 1 dB at 6 Hz is found beside them,
  /// with an error of a tenth from the notes.
  @Test func notesAreNotALevelModulation() throws {
    let still = try swing { Self.notes[$0] }
    #expect(still.depthDb == 0 && still.rateHz == 0)
    let swinging = tremolo(1, hz: 6)
    let found = try swing { Self.notes[$0] + swinging($0) }
    #expect(abs(found.rateHz - 6) < 0.02, "\(found.rateHz)")
    #expect(abs(found.depthDb - 1) < 0.15, "\(found.depthDb)")
  }

  /// A depth that grows by a fortieth of a decibel beside notes is found without a step. From where it stands out of
  /// chance, it grows at most twice as fast.
  @Test func aDepthFadesIntoChance() throws {
    let depths = try (0...60).map { step in
      let swinging = tremolo(0.025 * Double(step), hz: 6)
      return try swing { Self.notes[$0] + swinging($0) }.depthDb
    }
    #expect(depths[0] == 0 && depths[60] > 1.2, "\(depths)")
    #expect(zip(depths, depths.dropFirst()).allSatisfy { abs($1 - $0) < 0.1 }, "\(depths)")
  }

  /// Syllables twice a second are 2 dB deeper than in the reference, and their dips narrower; a tremolo of
  /// 1 dB beside them is found.
  @Test func aDeeperBeatIsNoTremolo() throws {
    let (beat, narrower) = (tremolo(6, hz: 2), tremolo(1.5, hz: 4))
    func sound(_ db: (Int) -> Double) -> Signal {
      let samples = Self.buzz.samples.enumerated().map { $1 * Float(pow(10, db($0) / 20)) }
      return Signal(samples, sampleRateHz: Self.rate)
    }
    func swing(_ db: (Int) -> Double) throws -> LevelSwing {
      let output = sound { place in 4 / 3 * beat(place) + narrower(place) + db(place) }
      return try LevelSwing(of: output, against: sound(beat))
    }
    #expect(try swing { _ in 0 }.depthDb == 0)
    let found = try swing(tremolo(1, hz: 8.3))
    #expect(abs(found.depthDb - 1) < 0.05 && abs(found.rateHz - 8.3) < 0.01, "\(found)")
  }

  @Test func equalSoundsHaveNoLevelModulation() throws {
    #expect(try swing { _ in 0 }.depthDb == 0)
    #expect(try swing { _ in -7 }.depthDb < 1e-9)
  }
}
