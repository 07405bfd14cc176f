import Music
import Testing

@testable import Analyzer

@Suite struct LiveChordRecognizerTests {
  private static let rateHz = 22_050.0

  private static func changes(_ samples: [Float], blockSize: Int) -> [LiveChordRecognizer.Change] {
    var recognizer = LiveChordRecognizer(sampleRateHz: rateHz)
    return stride(from: 0, to: samples.count, by: blockSize).flatMap { start in
      recognizer.receive(Array(samples[start..<min(start + blockSize, samples.count)]))
    }
  }

  /// The same chord counts again after a rest, and over another bass it goes on.
  @Test func chordsAreNamedWhileTheySound() {
    let parts: [([Int], Double)] = [
      ([48, 64, 67], 1.2), ([53, 57, 60], 1.0), ([], 0.8), ([53, 57, 60], 1.0),
      ([48, 57, 65], 1.0),
    ]
    let samples = parts.flatMap { ChordRecognizerTests.mix($0, seconds: $1) }
    let changes = Self.changes(samples, blockSize: 480)
    #expect(changes.map { $0.chord?.root.semitones } == [0, 5, nil, 5])
    for (change, start) in zip(changes, [0, 1.2, 2.2, 3.0]) {
      // Frames are 0.37 s long and 0.1 s apart.
      #expect(abs(change.startSeconds - start) < 0.25, "\(change)")
      #expect(change.knownSeconds - start < 0.75, "\(change)")
    }
    #expect(Self.changes(samples, blockSize: 9973) == changes)
  }

  /// Noise at -70 dBFS, below an open input's.
  @Test func quietNoiseIsSilence() {
    var state: UInt64 = 1
    let noise = (0..<44_100).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Double(state >> 40) / Double(1 << 24) - 0.5) * 0.0006
    }
    #expect(Self.changes(noise, blockSize: 512).isEmpty)
  }
}
