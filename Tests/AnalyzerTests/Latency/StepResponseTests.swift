import Analyzer
import Foundation
import TestSupport
import Testing

@Suite struct StepResponseTests {
  private let step = PitchStep(timeSeconds: 0.5, fromHz: 220, toHz: 220 * exp2(4.0 / 12))

  /// A track whose normalized pitch is `share(seconds after the command)`.
  private func track(
    hopMs: Double = 2, cents size: Double = 400, _ share: (Double) -> Double
  ) -> PitchTrack {
    let f0 = (0..<Int(1500 / hopMs)).map { frame in
      220 * exp2(size / 1200 * share(Double(frame) * hopMs / 1000 - 0.5))
    }
    return PitchTrack(hopSeconds: hopMs / 1000, f0Hz: f0)
  }

  /// Delay d and a first-order lag: half of the step after d + 0.693 τ, rise 2.197 τ, mean d + τ,
  /// settled to 10 of 400 cents after d + τ ln 40. Linear interpolation between frames of 2 ms errs
  /// for an exponential by at most 2² / 8 / τ of its slope, 0.05 ms, and at its corner by half a
  /// frame.
  @Test(arguments: [(0.0, 10.0), (0, 40), (23, 20), (60, 35)])
  func aFirstOrderLagMatchesTheory(delayMs: Double, lagMs: Double) throws {
    let track = track { $0 * 1000 < delayMs ? 0 : 1 - exp(-($0 * 1000 - delayMs) / lagMs) }
    let found = try StepResponse(of: track, to: step, resolutionMs: 0)
    #expect(abs(found.delayMs - delayMs - log(2) * lagMs) < 0.06)
    // A lag of 10 ms passes 10 % 1 ms after the corner, within the first frame.
    #expect(abs(try #require(found.riseMs) - log(9) * lagMs) < (lagMs < 15 ? 0.4 : 0.1))
    #expect(abs(found.meanDelayMs - delayMs - lagMs) < 0.3)
    #expect(abs(found.settleMs - delayMs - log(40) * lagMs) < 0.1)
    #expect(found.overshootCents == 0 && abs(found.errorCents) < 0.1)
  }

  /// Overshoot of a second-order system: exp(-π ζ / √(1 - ζ²)) of the step. Frames of 2 ms miss a
  /// peak at 8 Hz by at most (2π · 8 · 0.001)² / 2 = 0.13 % of it.
  @Test(arguments: [0.2, 0.4, 0.7], [-400.0, 400])
  func overshootIsThatOfTheory(damping: Double, size: Double) throws {
    let omega = 2 * Double.pi * 8
    let root = (1 - damping * damping).squareRoot()
    let track = track(cents: size) { time in
      guard time > 0 else { return 0 }
      let ring = cos(omega * root * time) + damping / root * sin(omega * root * time)
      return 1 - exp(-damping * omega * time) * ring
    }
    let step = PitchStep(timeSeconds: 0.5, fromHz: 220, toHz: 220 * exp2(size / 1200))
    let found = try StepResponse(of: track, to: step, resolutionMs: 0, withinMs: 950)
    let overshoot = 400 * exp(-.pi * damping / root)
    #expect(abs(found.overshootCents - overshoot) < 0.0014 * overshoot + 0.1)
    // The mean delay of a second-order system is 2 ζ / ω.
    #expect(abs(found.meanDelayMs - 2 * damping / omega * 1000) < 0.3)
  }

  /// The tracker's own response must not be attributed to the voice. A window of 20 ms may shift a
  /// sudden step by some of its length, but less than half. A lag longer than the window is
  /// followed.
  @Test(arguments: [(18.0, 0.0), (12, 40), (30, 80)], [1.0, -1])
  func aSungStepIsMeasuredThroughTheTracker(dose: (delayMs: Double, lagMs: Double), sign: Double)
    throws
  {
    let ratio = exp2(sign * 4 / 12)
    var voice = TestVoice { time in
      let since = (time - 0.5) * 1000 - dose.delayMs
      guard since > 0 else { return 220 }
      return 220 * pow(ratio, dose.lagMs > 0 ? 1 - exp(-since / dose.lagMs) : 1)
    }
    (voice.sampleRateHz, voice.seconds) = (16_000, 1.4)
    var settings = PitchTracker.Settings()
    settings.hopMs = 2.5
    let track = try PitchTracker(settings).track(voice.signal())
    let step = PitchStep(timeSeconds: 0.5, fromHz: 220, toHz: 220 * ratio)
    let found = try StepResponse(of: track, to: step, withinMs: 800)
    let toleranceMs = dose.lagMs > 0 ? 1.0 : 5
    #expect(abs(found.delayMs - dose.delayMs - log(2) * dose.lagMs) < toleranceMs)
    #expect(abs(found.meanDelayMs - dose.delayMs - dose.lagMs) < toleranceMs)
    if dose.lagMs > 0 {
      // The corner at the beginning of the step is rounded over a few ms of a rise of 88 ms or
      // more.
      #expect(abs(try #require(found.riseMs) / (log(9) * dose.lagMs) - 1) < 0.06)
      #expect(found.overshootCents < 2)
    } else {
      #expect(found.riseMs == nil)
    }
    #expect(abs(found.errorCents) < 1)
  }

  /// After its note the pitch may go on without a command.
  @Test func aStepIsObservedUntilItsNoteEnds() throws {
    let track = track { $0 < 0 ? 0 : $0 < 0.3 ? 1 : 1.5 }
    func settleMs(untilSeconds end: Double?) throws -> Double {
      var step = step
      step.endSeconds = end
      return try StepResponse.all(of: track, to: [step], resolutionMs: 0)[0].get().settleMs
    }
    #expect(try settleMs(untilSeconds: step.timeSeconds + 0.3) <= 2)
    #expect(try settleMs(untilSeconds: nil) > 290)
  }

  /// The ramp that a tracker of 16 ms makes of a sudden step is half over 8 ms early at most; a pitch that moves 40 ms
  /// before the command does not obey it.
  @Test func aStepBeforeItsCommandIsNoResponse() throws {
    func moved(_ earlyMs: Double) throws -> StepResponse {
      try StepResponse(of: track { $0 * 1000 < -earlyMs ? 0 : 1 }, to: step, resolutionMs: 16)
    }
    #expect(abs(try moved(8).delayMs + 8) < 2.1)
    #expect(throws: Unmeasurable.self) { try moved(40) }
  }

  /// The last frame lies beyond the 10 cents within which a pitch is settled, so nobody knows when it
  /// settles; the end of the observed time would be no answer. Within the 10 cents it settles at once.
  @Test func aPitchThatDoesNotSettleHasNoSettlingTime() throws {
    var late = track { $0 < 0 ? 0 : 1 }
    late.f0Hz[499] *= exp2(12.0 / 1200)
    let error = #expect(throws: Unmeasurable.self) {
      try StepResponse(of: late, to: step, resolutionMs: 0)
    }
    #expect(error?.description.hasPrefix("the pitch is still 12.0 cents ") == true)
    late.f0Hz[499] *= exp2(-4.0 / 1200)
    #expect(abs(try StepResponse(of: late, to: step, resolutionMs: 0).settleMs) <= 2)
  }

  @Test func tracksWithoutAStepThrow() throws {
    let flat = track { _ in 0 }
    var gap = track { $0 > 0 ? 1 : 0 }
    gap.f0Hz[260] = 0
    let drift = track { $0 > 0 ? 1 + $0 : 0 }
    let late = PitchStep(timeSeconds: 1.45, fromHz: 220, toHz: 277)
    let never = PitchStep(timeSeconds: .nan, fromHz: 220, toHz: 277)
    #expect(cause { try StepResponse(of: flat, to: step) } == .unclearSteps)
    #expect(throws: Unmeasurable(.tooLittleVoice, "no pitch at 0.52 s")) {
      try StepResponse(of: gap, to: step)
    }
    #expect(cause { try StepResponse(of: drift, to: step) } == .unclearSteps)
    let beyond = PitchStep(timeSeconds: 1e300, fromHz: 220, toHz: 277)
    for step in [late, never, beyond] {
      #expect(cause { try StepResponse(of: flat, to: step) } == .outOfRange)
    }
    let both = StepResponse.all(of: flat, to: [step, late])
    #expect(both.count == 2)
  }
}
