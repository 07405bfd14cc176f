import Music
import Testing

@testable import AudioFile

/// Tests of the playable events of a MIDI file, with bytes and figures from the MIDI 1.0
/// specification, 4.2.
@Suite struct MIDIPlayingTests {
  /// A track at 120 beats a minute with ticks of 1 ms, and a note on channels 1 and 2 throughout.
  private static func file(
    _ events: [(Int, MIDIFile.Event)], otherTrack: [(Int, MIDIFile.Event)] = []
  ) -> MIDIFile {
    func track(_ events: [(Int, MIDIFile.Event)]) -> MIDIFile.Track {
      .init(events.map { .init($0.0, $0.1) }, endTick: 2000)
    }
    let notes = [0, 1].map { (0, MIDIFile.Event.noteOn(channel: $0, key: 60, velocity: 90)) }
    return MIDIFile(
      division: .ticksPerQuarter(500),
      tracks: [track(notes + events)] + (otherTrack.isEmpty ? [] : [track(otherTrack)]))
  }

  private static func control(_ number: Int, _ value: Int, channel: Int = 0) -> MIDIFile.Event {
    .controller(channel: channel, number: number, value: value)
  }

  /// Bends as text, where `1@0.1:2.0` is a bend of channel 1 by 2 semitones at 0.1 s.
  private static func bends(_ file: MIDIFile) -> [String] {
    file.played().moments.compactMap { moment in
      guard case .bend(let semitones) = moment.event else { return nil }
      let rounded = (semitones * 10_000).rounded() / 10_000
      return "\(moment.channel + 1)@\(moment.atSeconds):\(rounded)"
    }
  }

  /// All sound off, 120, ends what the pedal holds; all notes off, 123, leaves it to the pedal.
  @Test(arguments: [(120, [true, false]), (123, [true])])
  func allSoundOffLiftsThePedal(number: Int, expected: [Bool]) {
    let file = Self.file([(100, Self.control(64, 127)), (500, Self.control(number, 0))])
    let moments = file.played().moments.filter { $0.channel == 0 }
    let pedal = moments.compactMap { if case .pedal(let isDown) = $0.event { isDown } else { nil } }
    #expect(pedal == expected)
    #expect(
      moments.contains { if case .release(60) = $0.event { $0.atSeconds == 0.5 } else { false } })
  }

  @Test func theWheelReachesTwoSemitones() {
    let file = Self.file([
      (100, .pitchBend(channel: 0, value: 0)), (200, .pitchBend(channel: 0, value: 8192)),
      (300, .pitchBend(channel: 0, value: 12_288)), (400, .pitchBend(channel: 1, value: 16_383)),
      (500, .pitchBend(channel: 1, value: 16_383)),
    ])
    #expect(Self.bends(file) == ["1@0.1:-2.0", "1@0.2:0.0", "1@0.3:1.0", "2@0.4:1.9998"])
  }

  /// Parameter 0 in semitones and cents changes the effect of a turned wheel. Data entry has no
  /// effect after "null", for manufacturers' parameters, or on other channels.
  @Test func theRangeIsSetByParameterZero() {
    let file = Self.file([
      (0, .pitchBend(channel: 0, value: 12_288)), (0, .pitchBend(channel: 1, value: 12_288)),
      (100, Self.control(101, 0)), (100, Self.control(100, 0)), (110, Self.control(6, 12)),
      (120, Self.control(38, 50)), (130, Self.control(96, 0)), (140, Self.control(97, 0)),
      (150, Self.control(101, 127)), (150, Self.control(100, 127)), (160, Self.control(6, 24)),
      (170, Self.control(99, 0)), (170, Self.control(98, 0)), (180, Self.control(6, 24)),
      (190, Self.control(100, 0)), (190, Self.control(101, 0)), (200, Self.control(6, 2)),
    ])
    #expect(
      Self.bends(file) == [
        "1@0.0:1.0", "2@0.0:1.0", "1@0.11:6.0", "1@0.12:6.25", "1@0.13:6.255", "1@0.14:6.25",
        "1@0.2:1.0",
      ])
    #expect(file.played().unsung.map(\.count) == [1])
  }

  /// Fine tuning covers a semitone to either side, coarse tuning a semitone per step; controller
  /// 121 resets the wheel and keeps the tuning.
  @Test func tuningMovesTheNotesToo() {
    let file = Self.file([
      (0, Self.control(101, 0)), (0, Self.control(100, 1)), (100, Self.control(6, 96)),
      (200, Self.control(100, 2)), (200, Self.control(6, 59)),
      (300, .pitchBend(channel: 0, value: 0)), (400, Self.control(121, 0)),
    ])
    #expect(Self.bends(file) == ["1@0.1:0.5", "1@0.2:-4.5", "1@0.3:-6.5", "1@0.4:-4.5"])
  }

  /// Wheel and pedal apply to their channel, whatever their track.
  @Test func aWheelInAnotherTrackCounts() {
    let file = Self.file(
      [], otherTrack: [(500, .pitchBend(channel: 1, value: 0)), (600, Self.control(64, 127))])
    let moments = file.played().moments.filter { $0.tick > 0 }
    #expect(moments.map(\.track) == [0, 0] && moments.map(\.channel) == [1, 0])
    #expect(moments.map(\.event) == [.bend(semitones: -2), .pedal(isDown: true)])
  }

  @Test(arguments: [120, 123, 126]) func allNotesOffReleasesThem(controller: Int) {
    let file = Self.file([(100, Self.control(controller, 0))])
    let releases = file.played().moments.filter { $0.event == .release(key: 60) }
    #expect(releases.map(\.tick) == [100] && releases.map(\.channel) == [0])
    #expect(file.played().unsung.isEmpty)
  }

  /// Channel 10 is percussion in General MIDI: key 36 is a bass drum, not C2.
  @Test func percussionIsNotSungAndSaid() {
    let file = MIDIFile(tracks: [
      .init([
        .init(0, .noteOn(channel: 9, key: 36, velocity: 100)),
        .init(0, .noteOn(channel: 8, key: 60, velocity: 90)),
        .init(100, .pitchBend(channel: 9, value: 0)),
        .init(240, .noteOff(channel: 9, key: 36, velocity: 0)),
        .init(480, .noteOn(channel: 9, key: 38, velocity: 100)),
        .init(480, .noteOff(channel: 8, key: 60, velocity: 0)),
      ])
    ])
    let (moments, unsung) = file.played()
    #expect(moments.map(\.event) == [.press(key: 60, velocity: 90), .release(key: 60)])
    #expect(unsung.map(\.description) == ["percussion, channel 10 at 0.0 s and 1 more"])
  }

  @Test func unsungEventsAreListed() {
    let file = Self.file([
      (0, .channelMessage(status: 0xC0, data: [52])), (250, Self.control(7, 100)),
      (300, Self.control(7, 90, channel: 1)), (300, Self.control(20, 90)),
      (400, .channelMessage(status: 0xD1, data: [1])),
      (450, .channelMessage(status: 0xA1, data: [60, 1])),
      (500, .systemExclusive(status: 0xF0, data: [0xF7])),
    ])
    #expect(
      file.played().unsung.map(\.description) == [
        "program change, channel 1 at 0.0 s",
        "channel volume (controller 7), channel 1 at 0.25 s and 1 more",
        "controller 20, channel 1 at 0.3 s", "channel pressure, channel 2 at 0.4 s",
        "key pressure, channel 2 at 0.45 s", "system exclusive message, at 0.5 s",
      ])
  }
}
