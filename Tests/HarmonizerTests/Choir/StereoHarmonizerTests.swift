import Foundation
import Testing

@testable import Harmonizer

/// Panning of voices.
@Suite struct StereoHarmonizerTests {
  static func render(
    _ settings: Harmonizer.Settings, _ input: [Float], blockSize: Int
  ) throws -> (left: [Float], right: [Float]) {
    var harmonizer = try Harmonizer(settings, sampleRateHz: 48_000)
    var (left, right) = (input, input)
    for start in stride(from: 0, to: input.count, by: blockSize) {
      let range = start..<min(start + blockSize, input.count)
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      var leftPart = leftSpan._mutatingExtracting(range)
      var rightPart = rightSpan._mutatingExtracting(range)
      var none = MutableSpan<Float>()
      harmonizer.process(
        input.span.extracting(range), intoLeft: &leftPart, right: &rightPart, stems: &none)
    }
    return (left, right)
  }

  static func voice(pan: Double) -> Harmonizer.Settings {
    var voice = Harmonizer.Voice(intervalSemitones: 4)
    voice.pan = pan
    return DirectedHarmonizerTests.settings([voice])
  }

  /// The largest difference between samples of the same time.
  static func distance(_ some: [Float], _ others: [Float]) -> Float {
    zip(some, others).map { abs($0 - $1) }.max() ?? .infinity
  }

  /// The power of both channels together is that of the voice, whatever its pan.
  @Test(arguments: [-1.0, -0.3, 0, 0.7, 1])
  func powerDoesNotDependOnPan(pan: Double) throws {
    let input = noise(count: 3_000)
    let (left, right) = try Self.render(Self.voice(pan: pan), input, blockSize: 128)
    let alone = try DirectedHarmonizerTests.stems(Self.voice(pan: pan), input)[0]
    // cos and sin of (pan + 1) 45°, as Zölzer's DAFX has it (5.2).
    let angle = (pan + 1) * .pi / 4
    // Single precision on samples up to 1.
    #expect(Self.distance(left, alone.map { Float(cos(angle)) * $0 }) < 1e-6)
    #expect(Self.distance(right, alone.map { Float(sin(angle)) * $0 }) < 1e-6)
  }

  /// The first of three voices at full spread is in the left channel only, the last in the right.
  @Test func aSpreadChoirIsPannedFromLeftToRight() throws {
    let voices = [-5.0, 4, 7].map { Harmonizer.Voice(intervalSemitones: $0) }
    let settings = DirectedHarmonizerTests.settings(voices) { $0.spread = 1 }
    let input = noise(count: 2_000)
    let (left, right) = try Self.render(settings, input, blockSize: 64)
    let stems = try DirectedHarmonizerTests.stems(settings, input)
    let half = Float(0.5.squareRoot())
    let middle = stems[1].map { half * $0 }
    #expect(Self.distance(left, zip(stems[0], middle).map(+)) < 1e-6)
    #expect(Self.distance(right, zip(stems[2], middle).map(+)) < 1e-6)
    #expect(settings.isStereo && !Self.voice(pan: 0).isStereo)
  }

  @Test func blockSizeDoesNotMatter() throws {
    let input = noise(count: 4_000)
    let some = try Self.render(Self.voice(pan: -0.5), input, blockSize: 100)
    let others = try Self.render(Self.voice(pan: -0.5), input, blockSize: 1_000)
    #expect(some.left == others.left && some.right == others.right)
  }
}
