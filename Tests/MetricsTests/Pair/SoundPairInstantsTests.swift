import DSP
import Foundation
import Singer
import Testing

@testable import Metrics

@Suite struct SoundPairInstantsTests {
  private static let voice: Signal = {
    let performance = try! Songbook.performance(id: "vowels-tenor").withIrregularity(times: 0)
    return try! performance.render().signal[..<(4 * 48_000)]
  }()

  private func changed(_ range: Range<Double>, _ change: (Float) -> Float) -> Signal {
    var signal = Self.voice
    for i in Int(range.lowerBound * 48_000)..<Int(range.upperBound * 48_000) {
      signal.samples[i] = change(signal.samples[i])
    }
    return signal
  }

  @Test func equalSoundsDifferNowhereByMuch() throws {
    let instants = try SoundPair(Self.voice, against: Self.voice).instants()
    #expect(instants.allSatisfy { abs($0.value) < 1e-6 })
  }

  /// A stretch of 0.3 s is 20 dB softer. The size is exact except for the ends of the window.
  @Test func aDipIsFoundWhereItIs() throws {
    let test = changed(1.5..<1.8) { $0 * 0.1 }
    let first = try #require(try SoundPair(test, against: Self.voice).instants().first)
    #expect(first.trait == .level && abs(first.value + 20) < 1)
    #expect(1.5...1.8 ~= first.atSeconds)
  }

  /// A gain changes nothing at one instant more than at another, also where the sound is soft.
  @Test(arguments: [-20.0, 6]) func aGainIsNoInstant(gainDb: Double) throws {
    let gain = Float(pow(10, gainDb / 20))
    let reference = changed(1.5..<1.8) { $0 * 0.03 }
    let test = Signal(reference.samples.map { $0 * gain }, sampleRateHz: 48_000)
    let instants = try SoundPair(test, against: reference).instants()
    #expect(instants.allSatisfy { $0.trait != .level || abs($0.value) < 0.1 }, "\(instants)")
  }

  /// The instants of a late test are times of the reference.
  @Test func delaysDoNotMoveIt() throws {
    var test = changed(1.5..<1.8) { $0 * 0.1 }
    test.samples.insert(contentsOf: [Float](repeating: 0, count: 2400), at: 0)
    let first = try #require(try SoundPair(test, against: Self.voice).instants().first)
    #expect(1.5...1.8 ~= first.atSeconds)
  }

  /// A second of the same singer half a semitone higher is spliced in.
  @Test func aSharpStretchIsFound() throws {
    let sharp = try Songbook.performance(id: "vowels-tenor").withIrregularity(times: 0)
      .transposed(bySemitones: 0.5).render().signal
    var test = Self.voice
    for i in 48_000..<(2 * 48_000) { test.samples[i] = sharp.samples[i] }
    let pair = try SoundPair(test, against: Self.voice, delayMs: 0)
    let first = try #require(pair.instants().first { $0.trait == .pitch })
    #expect(abs(first.value - 50) < 2 && 1...2 ~= first.atSeconds)
    // A chord has no one pitch.
    #expect(!pair.instants(hasPitch: false).contains { $0.trait == .pitch })
  }
}
