import Instrument
import Testing

@Suite struct MIDIActionTests {
  /// The table of MIDI 1.0, "Channel Voice" and "Channel Mode Messages": modes 124 to 127 imply all
  /// notes off.
  @Test(
    arguments: [
      (0x90, 60, 100, .keys(.press(key: 60, velocity: 100))),
      (0x9F, 60, 0, .keys(.release(key: 60))),
      (0x80, 60, 64, .keys(.release(key: 60))), (0xB0, 64, 127, .keys(.pedal(isDown: true))),
      (0xB3, 64, 63, .keys(.pedal(isDown: false))), (0xB0, 120, 0, .silence),
      (0xB0, 121, 0, .resetControllers), (0xB0, 122, 0, .control(122, value: 0)),
      (0xB0, 123, 0, .keys(.releaseAll)),
      (0xB0, 124, 0, .keys(.releaseAll)), (0xB0, 125, 0, .keys(.releaseAll)),
      (0xB0, 126, 1, .keys(.releaseAll)),
      (0xB0, 127, 0, .keys(.releaseAll)), (0xC0, 5, 0, .program(5)),
      (0xB0, 74, 5, .control(74, value: 5)),
      // The wheel in the middle, all the way down, and by 1 of 8192 steps up.
      (0xE0, 0, 64, .bend(semitones: 0)), (0xE5, 0, 0, .bend(semitones: -2)),
      (0xE0, 1, 64, .bend(semitones: 2.0 / 8192)),
      (0, 0, 0, nil),
    ] as [(UInt8, UInt8, UInt8, JackMIDIEvent.Action?)])
  func messagesMean(status: UInt8, first: UInt8, second: UInt8, action: JackMIDIEvent.Action?) {
    let event = JackMIDIEvent(frame: 0, status: status, first: first, second: second)
    #expect(event.action == action)
  }
}
