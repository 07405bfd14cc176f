import AllocationProbe
import DSP
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@testable import Harmonizer
@testable import Music

@Suite struct SamplePlayerTests {
  static func settings(
    _ change: (inout SamplePlayer.Settings) -> Void = { _ in }
  ) -> SamplePlayer.Settings {
    var settings = SamplePlayer.Settings()
    change(&settings)
    return settings
  }

  static func player(
    of sample: Sample, _ change: (inout SamplePlayer.Settings) -> Void = { _ in }
  ) throws -> SamplePlayer {
    try SamplePlayer(sample, settings(change), sampleRateHz: 48_000)
  }

  /// A looped sine of 480 Hz, 100 samples a period, at level 0.5.
  static func endlessTone() throws -> Sample {
    var loop = Sample.Loop(startSeconds: 0.1, endSeconds: 0.1 + 100.0 / 48_000)
    (loop.crossfadeMs, loop.searchMs) = (0, 0)
    return try Sample(
      SampleTests.tone(hz: 480, seconds: 0.2), SampleTests.plain { $0.loop = loop })
  }

  /// The player's next samples.
  static func take(_ count: Int, _ player: inout SamplePlayer) -> [Float] {
    var output = [Float](repeating: .nan, count: count)
    var span = output.mutableSpan
    player.process(into: &span)
    return output
  }

  private func expectSounding(
    _ count: Int, _ player: borrowing SamplePlayer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let sounding = player.soundingCount
    #expect(sounding == count, sourceLocation: sourceLocation)
  }

  private static func steepest(_ sound: [Float]) -> Double {
    var steepest: Float = 0
    for i in 1..<sound.count { steepest = max(steepest, abs(sound[i] - sound[i - 1])) }
    return Double(steepest)
  }

  @Test func theRootPlaysTheSampleItself() throws {
    let recording = SampleTests.tone(hz: 997, seconds: 0.1)
    var player = try Self.player(of: try Sample(recording, SampleTests.plain())) {
      $0.envelope.attackMs = 0
    }
    #expect(Self.take(10, &player).allSatisfy { $0 == 0 })
    player.press(60)
    #expect(Self.take(4800, &player) == recording.samples)
    #expect(Self.take(10, &player).allSatisfy { $0 == 0 })
    expectSounding(0, player)
  }

  /// Keys transpose by equal semitones from the root.
  @Test(arguments: [(72, 960.0), (67, 719.1874), (60, 480.0), (55, 359.5937), (36, 120.0)])
  func keysTranspose(key: Int, hz: Double) throws {
    var player = try Self.player(of: try Self.endlessTone())
    player.press(key)
    _ = Self.take(12_000, &player)
    let fit = SineFit(Self.take(9600, &player), hz: hz, sampleRateHz: 48_000)
    #expect(fit.residualDb < -90 && abs(fit.amplitude - 0.5) < 0.001)
  }

  @Test func theRootAndItsTuningAreChosen() throws {
    var player = try Self.player(of: try Self.endlessTone()) {
      $0.rootNote = NoteNumber(69)
      $0.tuning = Tuning(.just(centre: PitchClass(9)))
    }
    player.press(76)  // a pure fifth
    _ = Self.take(12_000, &player)
    #expect(
      SineFit(Self.take(9600, &player), hz: 720, sampleRateHz: 48_000).residualDb < -90)
  }

  /// Three simultaneous notes are the sum of the three alone.
  @Test func notesSoundTogether() throws {
    let sample = try Self.endlessTone()
    var together = try Self.player(of: sample)
    var sum = [Float](repeating: 0, count: 5000)
    for key in [60, 64, 67] {
      together.press(key)
      var alone = try Self.player(of: sample)
      alone.press(key)
      for (i, value) in Self.take(5000, &alone).enumerated() { sum[i] += value }
    }
    expectSounding(3, together)
    #expect(Self.take(5000, &together) == sum)
  }

  /// The envelope's times as in its own tests: full after 10 ms, half after 20 more, silent 50 ms
  /// after a release from the full level, sooner from half.
  @Test func pressAndReleaseFollowTheEnvelope() throws {
    let flat = try Sample(
      Signal([Float](repeating: 0.5, count: 48_000), sampleRateHz: 48_000), SampleTests.plain())
    var player = try Self.player(of: flat) {
      ($0.envelope.attackMs, $0.envelope.decayMs) = (10, 20)
      ($0.envelope.sustainGain, $0.envelope.releaseMs) = (0.5, 50)
    }
    player.press(60)
    let pressed = Self.take(4800, &player)
    #expect(abs(pressed[480] - 0.5) < 0.005 && abs(pressed[2000] - 0.25) < 1e-6)
    #expect(pressed[240] > 0.2 && pressed[240] < 0.45)
    player.release(60)
    let released = Self.take(2401, &player)
    #expect(released[0] < 0.25 && released[0] > 0.24 && released[2400] == 0)
    expectSounding(0, player)
  }

  @Test func thePedalHolds() throws {
    var player = try Self.player(of: try Self.endlessTone())
    player.setPedal(isDown: true)
    player.press(60)
    player.release(60)
    _ = Self.take(4800, &player)
    expectSounding(1, player)
    player.setPedal(isDown: false)
    _ = Self.take(4800, &player)
    expectSounding(0, player)
  }

  @Test func velocityAndGainSetTheLevel() throws {
    let sample = try Self.endlessTone()
    func peak(_ velocity: Int, share: Double, gainDb: Double = 0) throws -> Float {
      var player = try Self.player(of: sample) {
        ($0.velocityShare, $0.gainDb) = (share, gainDb)
      }
      player.press(60, velocity: velocity)
      _ = Self.take(480, &player)
      return Self.take(480, &player).map(abs).max() ?? 0
    }
    // With 100 samples a period, starting at half a sample, the peak is cos(π/100) · 0.5.
    #expect(abs(try peak(1, share: 0) - 0.5) < 1e-3)
    #expect(abs(try peak(64, share: 1) - 0.5 * 64 / 127) < 1e-3)
    #expect(abs(try peak(500, share: 1, gainDb: -20) - 0.05) < 1e-3)
  }

  /// One voice: every note takes it from the previous one, which fades within 3 ms. The steepest
  /// step is that of both notes, 2 · 0.5 · 2πf/fs with the highest f, plus the fade's 0.5/144.
  @Test func stealingDoesNotClick() throws {
    var player = try Self.player(of: try Self.endlessTone()) {
      $0.voices.voiceCount = 1
      $0.voices.strumMs = 0
    }
    var sound: [Float] = []
    for key in [60, 67, 55, 64, 72, 60, 61] {
      player.press(key)
      sound += Self.take(1111, &player)
      expectSounding(1, player)
    }
    let slope = 0.5 * 2 * Double.pi * 960 / 48_000
    #expect(Self.steepest(sound) < 2 * slope + 0.5 / 144)
  }

  /// Released notes ring on beside new ones and end.
  @Test func tailsRingOn() throws {
    var player = try Self.player(of: try Self.endlessTone()) {
      $0.voices.voiceCount = 2
      $0.envelope.releaseMs = 1000
    }
    for key in 60..<70 {
      player.press(key)
      _ = Self.take(480, &player)
      player.release(key)
    }
    // Two may ring beside the two held ones; the others have faded.
    let ringing = player.soundingCount
    #expect((2...4).contains(ringing))
    _ = Self.take(48_100, &player)
    expectSounding(0, player)
  }

  @Test func aNoteMayPlayToItsEnd() throws {
    let sample = try Sample(SampleTests.tone(hz: 480, seconds: 0.2), SampleTests.plain())
    var player = try Self.player(of: sample) { $0.playsToEnd = true }
    player.press(60)
    player.release(60)
    _ = Self.take(9599, &player)
    expectSounding(1, player)
    _ = Self.take(1, &player)
    expectSounding(0, player)
  }

  /// Constant-power panning: the powers of both channels add up to the mono sound's.
  @Test func notesArePanned() throws {
    let sample = try Self.endlessTone()
    func sides(_ pan: Double, _ spread: Double, _ key: Int) throws -> (Double, Double) {
      var player = try Self.player(of: sample) { ($0.pan, $0.spread) = (pan, spread) }
      player.press(key)
      var (left, right) = ([Float](repeating: 0, count: 9600), [Float](repeating: 0, count: 9600))
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      player.process(intoLeft: &leftSpan, right: &rightSpan)
      func power(_ samples: [Float]) -> Double {
        samples[4800...].reduce(0) { $0 + Double($1 * $1) } / 4800 / 0.125
      }
      return (power(left), power(right))
    }
    let (left, right) = try sides(0, 0, 60)
    #expect(abs(left - 0.5) < 1e-3 && abs(right - 0.5) < 1e-3)
    #expect(try sides(-1, 0, 60).1 < 1e-9)
    #expect(try sides(0, 2, 84).0 < 1e-9)  // two octaves above the root is fully right
    #expect(try sides(0, 2, 36).1 < 1e-9)
  }

  /// The pitch follows the speed at once and without a click, also across the sample's octave
  /// tables.
  @Test func speedMayChangeWhileItSounds() throws {
    var player = try Self.player(of: try Self.endlessTone())
    player.press(60)
    var sound = Self.take(12_000, &player)
    for step in 0..<400 {
      player.setSpeed(1 + 2 * Double(step) / 400)
      sound += Self.take(60, &player)
    }
    // The steepest slope of a sine of 1440 Hz, plus 1 % for the change of filters.
    let slope = 0.5 * 2 * Double.pi * 1440 / 48_000
    #expect(Self.steepest(sound) < slope * 1.01)
    _ = Self.take(1000, &player)
    player.setSpeed(.nan)
    player.setSpeed(3)
    _ = Self.take(1000, &player)
    #expect(
      SineFit(Self.take(4800, &player), hz: 1440, sampleRateHz: 48_000).residualDb < -90)
  }

  /// A voice in unison is the sample itself, delayed.
  @Test func itsOutputFeedsAHarmonizer() throws {
    var player = try Self.player(of: try Self.endlessTone())
    var harmonizer = try Harmonizer(
      .init(voices: [.init(intervalSemitones: 0)]), sampleRateHz: 48_000)
    player.press(60)
    let output = harmonizer.render(Self.take(24_000, &player))
    let fit = SineFit(output[12_000..<20_000], hz: 480, sampleRateHz: 48_000)
    #expect(abs(fit.amplitude - 0.5) < 0.001 && fit.residualDb < -90)
  }

  @Test func keepsTheContractOfProcessors() throws {
    let sample = try Self.endlessTone()
    let conformance = ProcessorConformance { try PlayedSample(sample) }
    #expect(try conformance.findings() == [])
  }

  @Test func settingsAreChecked() throws {
    #expect(throws: SettingsError.self) {
      _ = try Self.player(of: try Self.endlessTone()) { $0.voices.voiceCount = 17 }
    }
    #expect(throws: SettingsError.self) {
      _ = try Self.player(of: try Self.endlessTone()) { $0.pan = .nan }
    }
    let text = #"{"rootNote": "A3", "spread": 1}"#
    let read = try JSONDecoder().decode(SamplePlayer.Settings.self, from: Data(text.utf8))
    #expect(read == Self.settings { ($0.rootNote, $0.spread) = (NoteNumber(57), 1) })
  }
}

/// A player and the sequence that plays it as a processor that ignores its input.
private struct PlayedSample: BlockProcessor, ~Copyable {
  private var player: SamplePlayer
  private var sequence: SequencePlayer
  var latencySamples: Int { @_noLocks get { 0 } }

  init(_ sample: Sample) throws {
    let player = try SamplePlayerTests.player(of: sample) {
      $0.voices.voiceCount = 3
      $0.envelope.releaseMs = 100
    }
    var notes = NoteSequence(tempo: try TempoMap(beatsPerMinute: 437))
    notes.loop = .init(fromBeats: 0.3, toBeats: 2.1)
    notes.pads = [.init(atBeats: 0, try Chord(named: "C7"), forBeats: 1.3, strumMs: 30)]
    notes.notes = [.init(atBeats: 0.77, press: [NoteNumber(80), NoteNumber(42)], forBeats: 0.5)]
    notes.pedal = [.init(fromBeats: 1, toBeats: 1.7)]
    sequence = try SequencePlayer(notes, sampleRateHz: 48_000)
    self.player = player
  }

  @_noLocks mutating func reset() {
    player.reset()
    sequence.reset()
  }

  @_noLocks mutating func process(
    _ input: Span<Float>, into output: inout MutableSpan<Float>
  ) {
    sequence.process(&player, into: &output)
  }
}
