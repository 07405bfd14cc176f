import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct ChordListenerTests {
  private static let rateHz = 22_050.0

  /// Tones of ten harmonics, each 8 dB below the one before.
  private static func mix(_ notes: [Int], seconds: Double = 0.5, cents: Double = 0) -> [Float] {
    (0..<Int(seconds * rateHz)).map { n in
      let value = notes.reduce(0.0) { sum, note in
        let f0 = 440 * exp2((Double(note) - 69 + cents / 100) / 12)
        let turns = f0 * Double(n) / rateHz
        return sum
          + (1...10).reduce(0.0) { sum, h in
            sum + pow(0.4, Double(h - 1)) * sin(2 * .pi * Double(h) * turns + Double(h * note))
          }
      }
      return Float(0.05 * value)
    }
  }

  private static func chord(_ notes: [Int], cents: Double = 0) throws -> ChordEstimate {
    var settings = ChordListener.Settings()
    settings.tuningCents = cents
    return try ChordListener(settings).chord(
      of: Signal(mix(notes, cents: cents), sampleRateHz: rateHz))
  }

  @Test(arguments: [
    ([48, 64, 67], "C:maj"), ([57, 60, 64], "A:min"), ([52, 60, 67], "C:maj/3"),
    ([55, 59, 65, 74], "G:7"), ([53, 57, 60, 64], "F:maj7"), ([50, 57, 60, 65], "D:min7"),
    ([59, 62, 65], "B:dim"), ([48, 55, 65], "C:sus4"), ([60, 64, 68], "C:aug"),
    ([43, 59, 62, 67], "G:maj"), ([54, 61, 69, 73], "F#:min"),
  ]) func chordsOfHarmonicTones(notes: [Int], name: String) throws {
    let found = try Self.chord(notes)
    #expect(found.chord.description == name, "\(found)")
    #expect(found.likeness > 0.9 && found.margin > 0)
  }

  @Test func tuningIsTakenIntoAccount() throws {
    #expect(try Self.chord([48, 64, 67], cents: 40).chord.description == "C:maj")
  }

  @Test func oneToneIsNotAChord() throws {
    #expect(try Self.chord([57]).chord == .noChord)
  }

  @Test func chordsOverTime() throws {
    let parts: [[Int]] = [[48, 64, 67], [48, 64, 67], [53, 57, 60], [], [55, 59, 62]]
    let samples = parts.flatMap { Self.mix($0) }
    let spans = try ChordListener().chords(of: Signal(samples, sampleRateHz: Self.rateHz))
    #expect(spans.map(\.chord.description) == ["C:maj", "F:maj", "N", "G:maj"])
    // Frames are 0.37 s long and 0.1 s apart.
    for (span, start) in zip(spans, [0, 1, 1.5, 2]) {
      #expect(abs(span.startSeconds - start) < 0.2, "\(span)")
    }
    #expect(spans.last?.endSeconds == 2.5)
  }

  @Test func unusualSoundsHaveAResult() throws {
    for samples in [[], [1], .init(repeating: 0, count: 9000), .init(repeating: .nan, count: 9000)]
      as [[Float]]
    {
      for rate in [8000.0, 192_000] {
        let signal = Signal(samples, sampleRateHz: rate)
        let found = try ChordListener().chord(of: signal)
        let isClick = samples.count == 1
        #expect(isClick || found.chord == .noChord && found.margin == 0)
        #expect(
          try ChordListener().chords(of: signal).allSatisfy { $0.chord.root == nil || isClick })
      }
    }
  }

  @Test func settingsOutOfRangeThrow() {
    var settings = ChordListener.Settings()
    settings.bassShare = 0
    #expect(throws: SettingsError.self) { _ = try ChordListener(settings) }
  }
}
