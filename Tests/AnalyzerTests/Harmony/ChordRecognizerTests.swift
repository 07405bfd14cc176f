import DSP
import Foundation
import Music
import TestSupport
import Testing

@testable import Analyzer

@Suite struct ChordRecognizerTests {
  private static let rateHz = 22_050.0

  /// Tones of ten harmonics, each 8 dB below the one before.
  static func mix(_ notes: [Int], seconds: Double = 0.8) -> [Float] {
    let levels = (0..<10).map { pow(0.4, Double($0)) }
    return (0..<Int(seconds * rateHz)).map { n in
      let value = notes.reduce(0.0) { sum, note in
        let turns = 440 * exp2((Double(note) - 69) / 12) * Double(n) / rateHz
        return sum + sines(levels, atTurns: turns + Double(note) / (2 * .pi))
      }
      return Float(0.05 * value)
    }
  }

  private static func spans(_ samples: [Float]) -> [ChordRecognizer.Span] {
    ChordRecognizer().chords(of: Signal(samples, sampleRateHz: rateHz))
  }

  @Test(arguments: [
    ([48, 64, 67], "C"), ([57, 60, 64], "Am"), ([52, 60, 67], "C/E"), ([55, 59, 65, 74], "G7"),
    ([53, 57, 60, 64], "Fmaj7"), ([50, 57, 60, 65], "Dm7"), ([59, 62, 65], "Bdim"),
    ([48, 55, 65], "Csus4"), ([60, 64, 68], "Caug"), ([43, 59, 62, 67], "G"),
    ([54, 61, 69, 73], "F#m"), ([45, 52], "A5"), ([40, 47, 52], "E5"), ([52, 57], "A5/E"),
  ]) func chordsOfHarmonicTones(notes: [Int], name: String) {
    #expect(Self.spans(Self.mix(notes)).map { $0.chord?.description } == [name])
  }

  @Test(arguments: [[57], [45, 57], [57, 61], [57, 60], [57, 66]])
  func fewerThanThreeTonesAreNoChordUnlessAFifth(notes: [Int]) {
    #expect(Self.spans(Self.mix(notes)).map(\.chord) == [nil])
  }

  /// Neighbours share up to two tones, so that a seventh has those of both.
  @Test(arguments: [0.5, 0.6]) func shortChordsAreNotOne(seconds: Double) {
    let progression: [[Int]] = [
      [48, 64, 67], [45, 60, 64], [53, 57, 60], [50, 57, 65], [55, 59, 62], [52, 59, 67],
      [48, 55, 64], [53, 60, 69], [55, 62, 71], [57, 60, 64], [52, 55, 59], [48, 52, 55],
    ]
    let spans = Self.spans(progression.flatMap { Self.mix($0, seconds: seconds) })
    #expect(
      spans.map { $0.chord?.description ?? "N" } == [
        "C", "Am", "F", "Dm", "G", "Em", "C", "F", "G", "Am", "Em", "C",
      ])
  }

  /// Each chord lasts 2 s, its tones come one after another in eighths of 120 beats a minute and decay.
  @Test func anArpeggioIsOneChord() {
    let chords = [[48, 52, 55, 60], [57, 60, 64, 69], [53, 57, 60, 65], [55, 59, 62, 67]]
    let step = Int(0.25 * Self.rateHz)
    var samples = [Float](repeating: 0, count: chords.count * 8 * step)
    for index in 0..<8 * chords.count {
      let (chord, start) = (chords[index / 8], index * step)
      let left = (index / 8 + 1) * 8 * step - start
      let tone = Self.mix([chord[index % 4]], seconds: Double(left) / Self.rateHz)
      for (n, value) in zip(start..., tone) {
        samples[n] += value * Float(exp(-Double(n - start) / (0.6 * Self.rateHz)))
      }
    }
    #expect(Self.spans(samples).map { $0.chord?.description ?? "N" } == ["C", "Am", "F", "G"])
  }

  /// Frames are 0.37 s long and 0.1 s apart.
  @Test func chordsOverTime() {
    let parts: [([Int], Double)] = [
      ([48, 64, 67], 1.6), ([53, 57, 60], 0.8), ([], 0.8), ([55, 59, 62], 0.8),
    ]
    let spans = Self.spans(parts.flatMap { Self.mix($0, seconds: $1) })
    #expect(spans.map { $0.chord?.description ?? "N" } == ["C", "F", "N", "G"])
    for (span, start) in zip(spans, [0, 1.6, 2.4, 3.2]) {
      #expect(abs(span.startSeconds - start) < 0.25, "\(span)")
    }
    #expect(spans.last?.endSeconds == 4)
  }

  /// A chord that is struck outweighs the one that fades before it, in a frame of 0.37 s, long before its attack.
  @Test func struckChordsChangeAtTheirAttacks() {
    var samples = [Float](repeating: 0, count: Int(5.5 * Self.rateHz))
    let chords = [[48, 64, 67], [53, 57, 60], [55, 59, 62], [48, 64, 67]]
    let starts = [0, 1.57, 2.94, 4.2]
    for (chord, start) in zip(chords, starts) {
      let first = Int(start * Self.rateHz)
      for (n, value) in Self.mix(chord, seconds: 1.3).enumerated() where first + n < samples.count {
        samples[first + n] += value * Float(exp(-Double(n) / (0.8 * Self.rateHz)))
      }
    }
    let spans = Self.spans(samples).filter { $0.chord != nil }
    #expect(spans.map { "\($0.chord!)" } == ["C", "F", "G", "C"])
    for (span, start) in zip(spans, starts) {
      #expect(abs(span.startSeconds - start) < 0.025, "\(span.startSeconds), \(start)")
    }
  }

  @Test func unusualSoundsHaveAnAnswer() {
    for samples in [[], [1], .init(repeating: 0, count: 9000), .init(repeating: .nan, count: 9000)]
      as [[Float]]
    { #expect(Self.spans(samples).allSatisfy { $0.chord == nil } || samples.count == 1) }
  }
}
