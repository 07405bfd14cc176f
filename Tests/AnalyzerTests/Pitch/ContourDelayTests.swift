import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct ContourDelayTests {
  private static let seconds = 8.0

  /// Returns a vibrato of 5.5 Hz and 40 cents on a slow glide, with a pause each second and its own
  /// noise of 3 cents.
  private func sung(seed: UInt64 = 1, late: (Double) -> Double = { _ in 0 }) -> PitchTrack {
    var random = SeededGenerator(seed: seed)
    let f0Hz = (0..<Int(Self.seconds / 0.005)).map { frame -> Double in
      let time = Double(frame) * 0.005
      let place = time - late(time) / 1000
      let noise = 3 * random.gaussianPair().0
      guard place > 0, place.truncatingRemainder(dividingBy: 1) < 0.8 else { return 0 }
      let cents = 40 * sin(2 * .pi * 5.5 * place) + 200 * sin(2 * .pi * 0.23 * place) + noise
      return 220 * exp2(cents / 1200)
    }
    return PitchTrack(hopSeconds: 0.005, f0Hz: f0Hz)
  }

  /// A delay known within 15 ms is found within 1 ms, whatever it does.
  @Test(
    arguments: [
      DelayTrajectory(ms: -20), DelayTrajectory(ms: 85),
      DelayTrajectory(knots: [.init(seconds: 0, ms: 25), .init(seconds: 8, ms: 33)]),
      DelayTrajectory(knots: [.init(seconds: 0, ms: 33), .init(seconds: 8, ms: 27)]),
      DelayTrajectory(fromMs: 25, toMs: 30, atSeconds: 3.3),
      DelayTrajectory(fromMs: 60, toMs: 10, atSeconds: 5.1),
    ], [-15.0, 0, 15])
  func aDelayIsFollowed(delay: DelayTrajectory, offMs: Double) throws {
    let found = try ContourDelay(
      of: sung(seed: 2) { delay.ms(atSeconds: $0) }, behind: sung(),
      about: DelayTrajectory(ms: delay.meanMs + offMs))
    #expect(found.trajectory.knots.count == delay.knots.count, "\(found)")
    #expect(found.deviationMs < 0.5, "\(found)")
    for time in stride(from: 0.5, to: Self.seconds, by: 0.5) {
      let error = found.trajectory.ms(atSeconds: time) - delay.ms(atSeconds: time)
      #expect(abs(error) < 1, "\(time) s: \(found)")
    }
  }

  /// A voice that sings an octave too high for a fifth of the time is not later there.
  @Test func octaveErrorsAreNoChange() throws {
    var heard = sung(seed: 2) { _ in 25 }
    for frame in 1000..<1320 { heard.f0Hz[frame] *= 2 }
    let found = try ContourDelay(of: heard, behind: sung(), about: DelayTrajectory(ms: 20))
    #expect(found.trajectory.knots.count == 1 && abs(found.trajectory.meanMs - 25) < 1, "\(found)")
  }

  /// The contour of a steady note fits at every delay.
  @Test func aSteadyNoteTellsNoDelay() {
    let flat = PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: 220, count: 600))
    let error = #expect(throws: Unmeasurable.self) {
      try ContourDelay(of: flat, behind: flat, about: DelayTrajectory(ms: 25))
    }
    #expect(error?.cause == .flatContour)
  }

  @Test func aShortVoiceThrows() {
    var short = sung()
    for frame in 50..<short.count { short.f0Hz[frame] = 0 }
    let error = #expect(throws: Unmeasurable.self) {
      try ContourDelay(of: short, behind: sung(), about: DelayTrajectory(ms: 0))
    }
    #expect(error?.cause == .tooLittleVoice)
  }
}
