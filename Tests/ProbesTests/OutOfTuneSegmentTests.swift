import Foundation
import Testing

@testable import Probes
@testable import Sweep

@Suite struct OutOfTuneSegmentTests {
  /// A voice at 220 Hz with frames of 5 ms; `cents` is the error of some frames, `nil` if missing.
  private func trace(
    _ count: Int, _ errors: [(frames: Range<Int>, cents: Double?)], resting: Range<Int> = 0..<0
  ) -> VoiceTrace {
    var heard = [Float](repeating: 220, count: count)
    for error in errors {
      for frame in error.frames {
        heard[frame] = error.cents.map { Float(220 * exp2($0 / 1200)) } ?? 0
      }
    }
    let target = heard.indices.map { resting.contains($0) ? Float(0) : 220 }
    return VoiceTrace(voice: 1, hopSeconds: 0.005, targetHz: target, measuredHz: heard)
  }

  @Test func stretchesAreFoundWithTheirPlaceAndSize() throws {
    let found = OutOfTuneSegment.all(
      in: trace(100, [(20..<60, -50), (80..<90, nil), (95..<97, 20)]))
    // Missing for 50 ms counts 300 cents, 15 in all; 50 cents for 200 ms are 10; 20 cents pass.
    #expect(found.map(\.kind).first == .missing)
    #expect(found.map { ($0.centSeconds * 10).rounded() / 10 } == [15, 10])
    #expect(found.map(\.voice) == [1, 1])
    guard case .offCents(let cents) = try #require(found.last).kind else {
      Issue.record("the second is out of tune")
      return
    }
    #expect(abs(cents + 50) < 0.01)  // a float's rounding
    #expect(abs(found[1].startSeconds - 0.1) < 1e-9 && abs(found[1].durationSeconds - 0.2) < 1e-9)
    #expect(abs(found[1].middleSeconds - 0.2) < 1e-9)
  }

  @Test func longStretchesAreCutAndLargeErrorsCapped() {
    let long = OutOfTuneSegment.all(in: trace(200, [(0..<200, 100)]))
    #expect(long.count == 3)  // 1 s in stretches of 0.4 s at most
    #expect(long.allSatisfy { $0.durationSeconds <= 0.4 + 1e-9 })
    let octave = OutOfTuneSegment.all(in: trace(20, [(0..<20, 1200)]))
    #expect(octave.map { ($0.centSeconds * 10).rounded() / 10 } == [30])  // 300 cents for 0.1 s
  }

  /// A voice that passes from flat to sharp within a frame is not "0 cents too low".
  @Test func aStretchIsSharpOrFlat() {
    let found = OutOfTuneSegment.all(in: trace(60, [(10..<20, -80), (20..<30, 80)]))
    let cents = found.map { segment -> Double in
      guard case .offCents(let cents) = segment.kind else { return 0 }
      return cents.rounded()
    }
    #expect(cents.sorted() == [-80, 80])
  }

  @Test func aRestHasNoErrors() {
    #expect(OutOfTuneSegment.all(in: trace(50, [(0..<50, nil)], resting: 0..<50)).isEmpty)
    let parts = OutOfTuneSegment.all(in: trace(50, [(10..<40, 60)], resting: 20..<30))
    #expect(parts.map { ($0.startSeconds * 1000).rounded() }.sorted() == [50, 150])
  }
}
