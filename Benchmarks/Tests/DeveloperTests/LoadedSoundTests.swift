import DSP
import Foundation
import Testing

@testable import Subjects
@testable import choir_dev

/// Records its input and returns it.
private final class Listening: LiveSound {
  var blocks: [[Float]] = []
  var resets = 0
  let latencySamples = 7
  func reset() { resets += 1 }
  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    blocks.append(input.indices.map { input[$0] })
    for i in input.indices { output[i] = input[i] }
  }
}

@Suite struct LoadedSoundTests {
  private static let ramp = (0..<960).map { Float($0) }

  private func play(_ sound: any LiveSound, _ samples: [Float], size: Int) -> [Float] {
    var output = [Float](repeating: 0, count: samples.count)
    for start in stride(from: 0, to: samples.count, by: size) {
      var target = output.mutableSpan
      var part = target._mutatingExtracting(start..<start + size)
      sound.process(samples.span.extracting(start..<start + size), into: &part)
    }
    return output
  }

  /// A load of 25 % on 20 blocks is 5 blocks: of the sound's start at first, then from where the twin
  /// ended.
  @Test func aBusierSoundDoesAKnownShareMore() {
    let (source, twin) = (Listening(), Listening())
    let busier = LoadedSound(source, twin: twin, share: 0.25, maxSamples: 480)
    #expect(busier.latencySamples == 7)
    #expect(play(busier, Self.ramp, size: 48) == Self.ramp)
    #expect(source.blocks.count == 20 && twin.blocks.count == 5)
    #expect(twin.blocks.flatMap(\.self) == Array(Self.ramp[..<240]))
    busier.reset()
    #expect(source.resets == 1 && twin.resets == 0)
    _ = play(busier, Self.ramp, size: 48)
    // The twin repeats 480 samples.
    #expect(twin.blocks.flatMap(\.self) == Array(Self.ramp[..<480]))
    _ = play(busier, Self.ramp, size: 48)
    #expect(twin.blocks.suffix(5).flatMap(\.self) == Array(Self.ramp[..<240]))
  }

  @Test(arguments: [0.0, 0.1, 1, 2.5]) func anyShareIsKept(share: Double) {
    let (source, twin) = (Listening(), Listening())
    let busier = LoadedSound(source, twin: twin, share: share, maxSamples: 960)
    for _ in 0..<10 { _ = play(busier, Self.ramp, size: 48) }
    // 200 blocks; rounding of sums may delay one.
    #expect(abs(Double(twin.blocks.count) - 200 * share) <= 1)
  }

  @Test func aBusierSubjectSoundsTheSame() throws {
    let bench = try ProbeBench(ReferenceSubject())
    let phrase = try ProbeSounds.phrase(seconds: 0.2)
    let busier = LoadedSubject(ReferenceSubject(), share: 0.5)
    let rendering = try busier.render(phrase, score: bench.defaultScore, settings: [:])
    let plain = try ReferenceSubject().render(phrase, score: bench.defaultScore, settings: [:])
    #expect(rendering.mix == plain.mix)
    #expect(try #require(rendering.cpuSeconds) > 0)
  }
}
