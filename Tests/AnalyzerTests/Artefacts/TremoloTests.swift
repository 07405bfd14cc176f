import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct TremoloTests {
  private static let steady = TestVoice(seconds: 4) { _ in 220 }.signal()
  private let voice = Self.steady

  /// A known depth on a steady voice is measured, from crest to trough in dB.
  @Test(arguments: [0.5, 1, 2, 5], [4.0, 13, 40])
  func theDepthIsMeasured(depthDb: Double, rateHz: Double) throws {
    let found = try Tremolo(
      of: Dose.tremolo(voice, depthDb: depthDb, rateHz: rateHz), rateHz: rateHz)
    // Smoothing weights crests above troughs: a second-order error, 2 % at 5 dB.
    #expect(abs(found.depthDb - depthDb) < 0.02 + 0.03 * depthDb, "\(found)")
  }

  @Test(arguments: [4.0, 13, 40, 55])
  func aSteadyVoiceHasNoTremolo(rateHz: Double) throws {
    #expect(try Tremolo(of: voice, rateHz: rateHz).depthDb < 0.02)
  }

  /// A sung phrase with vibrato is modulated at all rates; only the added depth is measured.
  @Test func theDepthIsMeasuredInSinging() throws {
    let (singing, _) = try Dose.song("melody-ode-to-joy")
    for depthDb in [0.0, 2, 5] {
      let found = try Tremolo(of: Dose.tremolo(singing, depthDb: depthDb, rateHz: 21), rateHz: 21)
      #expect(abs(found.depthDb - depthDb) < 0.5, "\(depthDb): \(found)")
    }
  }

  /// Tremolo at another rate is not measured at this one.
  @Test func tremoloAtAnotherRateIsIgnored() throws {
    let found = try Tremolo(of: Dose.tremolo(voice, depthDb: 3, rateHz: 13), rateHz: 29)
    #expect(found.depthDb < 0.05)
  }

  @Test func unusualSoundsHaveAResultOrThrow() {
    for (name, signal) in Dose.awkward {
      for rateHz in [0.5, 20, 200] {
        do {
          let found = try Tremolo(of: signal, rateHz: rateHz)
          #expect(found.depthDb.isFinite && found.floorDb.isFinite, "\(name)")
        } catch {}
      }
    }
    #expect(throws: Unmeasurable.tooShort(seconds: 1, neededSeconds: 2)) {
      _ = try Tremolo(of: Dose.noise(seconds: 1, rms: 0.1), rateHz: 5)
    }
    #expect(throws: Unmeasurable.self) {
      _ = try Tremolo(of: Dose.noise(seconds: 1, rms: 0.1), rateHz: .nan)
    }
  }
}
