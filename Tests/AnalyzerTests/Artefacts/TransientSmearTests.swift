import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct TransientSmearTests {
  /// Bursts of noise of 3 ms, two a second.
  private let bursts: Signal = {
    var signal = Dose.noise(seconds: 5, rms: 0.1)
    for i in signal.samples.indices where i % 24_000 < 9_600 || i % 24_000 >= 9_744 {
      signal.samples[i] = 0
    }
    return signal
  }()

  @Test func anUnchangedSoundIsNotSmeared() throws {
    let found = try TransientSmear(of: bursts, against: bursts)
    #expect(found.onsets.count == 10)
    #expect(found.medianSmearMs == 0 && found.preEchoShare == 0)
    #expect(found.onsets.allSatisfy { $0.lateMs == 0 })
  }

  /// The energy of noise under an exponential decay of the amplitude spreads by half the time
  /// constant. The fine structure varies between bursts by about a tenth.
  @Test(arguments: [4.0, 8, 16])
  func aDecayIsMeasured(decayMs: Double) throws {
    let found = try TransientSmear(
      of: Dose.smeared(bursts, decayMs: decayMs), against: bursts)
    #expect(abs(found.medianSmearMs / (decayMs / 2) - 1) < 0.15, "\(found.medianSmearMs)")
  }

  @Test(arguments: [-10.0, -20, -30])
  func aPreEchoIsMeasured(db: Double) throws {
    var output = Dose.echo(bursts, ms: 15, db: -db)
    for i in output.samples.indices { output.samples[i] *= Float(pow(10, db / 20)) }
    let found = try TransientSmear(of: output, against: bursts, delaySeconds: 0.015)
    #expect(found.preEchoShare == 1)
    for onset in found.onsets { #expect(abs((onset.preEchoDb ?? 0) - db) < 0.5, "\(onset)") }
  }

  /// The tail of earlier sound is not a pre-echo, in rooms of any level.
  @Test(
    arguments: ["melody-frere-jacques", "onsets-creaky-baritone"],
    [(seconds: 0.3, wetDb: -6.0, lateMs: 0.0), (0.6, 0, 3), (1.5, 0, 20), (1.5, 6, 43)])
  func aCausalRoomHasNoPreEcho(
    song: String, room: (seconds: Double, wetDb: Double, lateMs: Double)
  ) throws {
    let voice = try Dose.song(song).0
    let found = try TransientSmear(
      of: Dose.room(voice, seconds: room.seconds, wetDb: room.wetDb, lateMs: room.lateMs),
      against: voice)
    #expect(found.preEchoShare == 0, "\(found.onsets)")
  }

  @Test func anEchoOfWhatCameBeforeIsNoPreEcho() throws {
    let voice = try Dose.song("melody-frere-jacques").0
    for ms in [180.0, 350] {
      let found = try TransientSmear(of: Dose.echo(voice, ms: ms, db: -6), against: voice)
      #expect(found.preEchoShare == 0, "\(ms) ms: \(found.onsets)")
    }
  }

  @Test func anOnsetMayComeLateByItself() throws {
    let late = Signal(
      [Float](repeating: 0, count: 240 + 960) + bursts.samples.dropLast(1200), sampleRateHz: 48_000)
    let found = try TransientSmear(of: late, against: bursts, delaySeconds: 0.02)
    #expect(found.onsets.allSatisfy { abs($0.lateMs - 5) < 0.6 && $0.smearMs < 0.5 })
  }

  @Test func withoutOnsetsThereIsNothingToMeasure() throws {
    let tone = Signal((0..<96_000).map { 0.1 * sin(Float($0) * 0.1) }, sampleRateHz: 48_000)
    #expect(throws: Unmeasurable.self) { _ = try TransientSmear(of: tone, against: tone) }
    for (_, signal) in Dose.awkward { _ = try? TransientSmear(of: signal, against: signal) }
  }
}
