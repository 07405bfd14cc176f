import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct ModulationResponseTests {
  /// The probe's own track with its modulation, in cents, replaced by `change`.
  private func track(
    _ probe: ModulationProbe, hopMs: Double = 5, _ change: (Double, Int) -> Double
  ) -> PitchTrack {
    var track = probe.track(hopSeconds: hopMs / 1000)
    for i in track.f0Hz.indices {
      let time = Double(i) * hopMs / 1000
      track.f0Hz[i] = probe.centreHz * exp2(change(time, i) / 1200)
    }
    return track
  }

  @Test func theProbeKeepsItsDepthAndItsRates() throws {
    let probe = ModulationProbe()
    let swing = (0..<2000).map { probe.swingCents(atSeconds: Double($0) / 1000) }
    // Peaks lie between the instants at which the depth was set.
    #expect(abs(swing.map(abs).max()! - 40) < 0.1)
    #expect(probe.lines.allSatisfy { $0 % 2 == 1 } && probe.lines.contains(11))
    #expect(Set(probe.lines).isDisjoint(with: probe.leftOut) && probe.leftOut.count >= 4)
  }

  /// A delay d changes the phase by 2π f d and keeps the gain, also beyond half a turn.
  @Test(arguments: [0.0, 7.3, 48, 160]) func aDelayIsMeasured(delayMs: Double) throws {
    let probe = ModulationProbe()
    let late = track(probe) { time, _ in probe.swingCents(atSeconds: time - delayMs / 1000) + 700 }
    let found = try ModulationResponse(of: late, to: probe)
    for line in found.lines {
      #expect(abs(line.gain - 1) < 1e-9)
      #expect(abs(try #require(line.delayMs) - delayMs) < 1e-6)
    }
    #expect(abs(found.delayMs()! - delayMs) < 1e-6)
    #expect(found.randomCents < 1e-9 && found.evenDistortionCents < 1e-6)
  }

  /// A first-order low-pass on the modulation, y[n] = (1 - a) x[n] + a y[n-1], with its gain and
  /// phase in closed form.
  @Test func aLowPassMatchesTheory() throws {
    let probe = ModulationProbe()
    let a = exp(-2 * Double.pi * 4 * 0.005)
    var state = 0.0
    let slow = track(probe) { time, _ in
      state = (1 - a) * probe.swingCents(atSeconds: time) + a * state
      return state
    }
    let found = try ModulationResponse(of: slow, to: probe)
    for line in found.lines {
      let omega = 2 * Double.pi * line.modulationHz * 0.005
      let (real, imaginary) = (1 - a * cos(omega), a * sin(omega))
      #expect(abs(line.gain - (1 - a) / hypot(real, imaginary)) < 1e-9)
      #expect(abs(try #require(line.phase) + atan2(imaginary, real)) < 1e-9)
    }
  }

  /// A square of the modulation has only even multiples, a cube odd ones; noise is not periodic. Of
  /// white noise of 3 cents at 200 frames a second, 40 lines of 400 hold 20 %: 1.34 cents.
  @Test func distortionAndNoiseAreSeparated() throws {
    let probe = ModulationProbe(periods: 40)
    func found(_ change: (Double) -> Double) throws -> ModulationResponse {
      try ModulationResponse(
        of: track(probe) { time, _ in change(probe.swingCents(atSeconds: time)) }, to: probe)
    }
    let squared = try found { $0 + $0 * $0 / 40 }
    #expect(squared.evenDistortionCents > 2 && squared.oddDistortionCents < 1e-6)
    #expect(abs(squared.gain(atHz: 5.5)! - 1) < 1e-9)
    let cubed = try found { $0 + $0 * $0 * $0 / 1600 }
    #expect(cubed.oddDistortionCents > 0.5 && cubed.evenDistortionCents < 1e-6)
    var random = SeededGenerator(seed: 4)
    let noisy = try found { $0 + 3 * 12.0.squareRoot() * (random.uniform() - 0.5) }
    // 40 lines of 39 periods have 1500 degrees of freedom, a deviation of 2 %; four are allowed.
    #expect(abs(noisy.randomCents / 1.342 - 1) < 0.08)
    #expect(noisy.evenDistortionCents < 0.3)
    let honest = noisy.lines.count { abs($0.gain - 1) < 2 * $0.gainError }
    #expect(honest >= noisy.lines.count * 3 / 4)
  }

  /// The offline tracker is symmetric in time and has no delay. A cubic over 60 ms follows a third
  /// of a cycle of 5.5 Hz within 2 %. Where the curve is split, at an error of 4 cents, the result
  /// may jump by a part of that.
  @Test(arguments: [110.0, 220, 440]) func theTrackerFollowsAVibrato(centreHz: Double) throws {
    let probe = ModulationProbe(centreHz: centreHz, periods: 4)
    let track = try PitchTracker().track(probe.signal(sampleRateHz: 16_000))
    let found = try ModulationResponse(of: track, to: probe)
    let gain = try #require(found.gain(atHz: 5.5))
    #expect(abs(gain - 1) < 0.02)
    #expect(abs(try #require(found.delayMs())) < 0.5)
    #expect(found.randomCents < 0.1)
    #expect(found.evenDistortionCents < 1 && found.oddDistortionCents < 1)
  }

  @Test func unsuitableTracksThrow() throws {
    let probe = ModulationProbe()
    var gaps = probe.track(hopSeconds: 0.005)
    for i in stride(from: 0, to: gaps.count, by: 300) { gaps.f0Hz[i] = 0 }
    #expect(
      throws: Unmeasurable(
        .tooLittleVoice, "only 0 periods of the probe are voiced throughout; 2 are needed")
    ) {
      _ = try ModulationResponse(of: gaps, to: probe)
    }
    #expect(throws: Unmeasurable.self) {
      _ = try ModulationResponse(of: probe.track(hopSeconds: 0.0058), to: probe)
    }
    let tooLow = ModulationProbe().signal(sampleRateHz: 300)
    #expect(tooLow.firstNonFinite == nil)
  }
}

extension ModulationProbe {
  /// Returns the true pitch on a tracker's frames.
  fileprivate func track(hopSeconds: Double) -> PitchTrack {
    let f0 = (0...Int(durationSeconds / hopSeconds)).map {
      f0Hz(atSeconds: Double($0) * hopSeconds)
    }
    return PitchTrack(hopSeconds: hopSeconds, f0Hz: f0)
  }
}
