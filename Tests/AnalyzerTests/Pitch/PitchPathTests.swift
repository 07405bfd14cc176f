import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct PitchPathTests {
  private func frame(_ candidates: (hz: Double, logOdds: Double)...) -> PitchFrame {
    PitchFrame(
      candidates: candidates.map {
        .init(f0Hz: $0.hz, correlation: 1, nearCorrelation: 1, persistence: 1, strength: $0.logOdds)
      }, power: 1)
  }

  private func path(_ frames: [PitchFrame]) -> [Double?] {
    let chosen = choices(frames, askingEvery: frames.count + 1)
    return zip(frames, chosen).map { frame, choice in choice.map { frame.candidates[$0].f0Hz } }
  }

  private func choices(_ frames: [PitchFrame], askingEvery count: Int) -> [Int?] {
    var path = PitchPath(.init(), hopSeconds: 0.010)
    var choices: [Int?] = []
    for (index, frame) in frames.enumerated() {
      path.take(frame)
      if (index + 1) % count == 0 { choices += path.settled(isEnd: false) }
    }
    return choices + path.settled(isEnd: true)
  }

  /// The path is the same whether it is queried after every frame or at the end, and most of it is
  /// settled before the end.
  @Test func earlyChoicesEqualFinalOnes() {
    var random = SeededGenerator(seed: 5)
    let frames = (0..<400).map { _ -> PitchFrame in
      let count = Int(random.uniform() * 5)
      return PitchFrame(
        candidates: (0..<count).map { _ in
          .init(
            f0Hz: 80 * exp2(3 * random.uniform()), correlation: 1, nearCorrelation: 1,
            persistence: 1,
            strength: 20 * random.uniform())
        }, power: 1)
    }
    let whole = choices(frames, askingEvery: frames.count + 1)
    #expect(whole.count == frames.count && whole.contains { $0 ?? 0 > 0 })
    for every in [1, 7, 100] { #expect(choices(frames, askingEvery: every) == whole) }

    var path = PitchPath(.init(), hopSeconds: 0.010)
    for frame in frames { path.take(frame) }
    #expect(path.settled(isEnd: false).count > 350)
  }

  /// One frame prefers the octave by 15; jumping there and back costs 10 each.
  @Test func aStrayOctaveIsIgnored() {
    let steady = frame((100, 5), (200, 0))
    let stray = frame((200, 15), (100, 0))
    #expect(path([steady, steady, stray, steady, steady]) == [100, 100, 100, 100, 100])
  }

  /// Eight frames prefer it by 3 each.
  @Test func anOctaveThatStaysIsFollowed() {
    let low = frame((100, 5))
    let high = frame((200, 3), (100, 0))
    #expect(
      path([low, low] + Array(repeating: high, count: 8))
        == [100, 100] + Array(repeating: 200, count: 8))
  }

  @Test func framesWithoutCandidatesAreGaps() {
    #expect(path([]) == [])
    #expect(path([frame(), frame()]) == [nil, nil])
    #expect(path([frame((100, 5)), frame(), frame((150, 5))]) == [100, nil, 150])
  }
}
