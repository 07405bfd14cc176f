import CJACK
import DSP
import Harmonizer
import Music

/// The work of a client, block by block, on the server's audio thread: no allocation, no lock.
open class JackProcessor: @unchecked Sendable {
  public init() {}

  open func process(_ block: borrowing JackBlock) {}
}

/// One block of a client's ports.
public struct JackBlock: ~Copyable {
  public let count: Int
  /// Time of the first sample by the server's clock, in samples. It jumps after an xrun, and begins
  /// again from 0 after 2^32 samples, a day at 48 kHz.
  let startFrame: UInt32
  let callback: Unmanaged<JackCallback>

  /// Returns the samples from a frame of the server's clock to the block's first; negative before it.
  func samples(since frame: UInt32) -> Int {
    Int(Int32(truncatingIfNeeded: startFrame &- frame))
  }

  /// Samples of an input.
  public func input(_ index: Int) -> UnsafeBufferPointer<Float> {
    callback._withUnsafeGuaranteedRef { UnsafeBufferPointer($0.samples($0.inputs[index], count)) }
  }

  /// Samples of an output, to be written.
  public func output(_ index: Int) -> UnsafeMutableBufferPointer<Float> {
    callback._withUnsafeGuaranteedRef { $0.samples($0.outputs[index], count) }
  }

  /// Number of MIDI events.
  public var eventCount: Int {
    callback._withUnsafeGuaranteedRef { callback in
      callback.midiInput.map { Int(jack_midi_get_event_count(jack_port_get_buffer($0, frames))) }
        ?? 0
    }
  }

  /// A MIDI message of up to three bytes; longer ones have a status of 0.
  public func event(_ index: Int) -> JackMIDIEvent {
    callback._withUnsafeGuaranteedRef { callback in
      var raw = jack_midi_event_t()
      guard let port = callback.midiInput, let buffer = jack_port_get_buffer(port, frames),
        jack_midi_event_get(&raw, buffer, UInt32(index)) == 0, let bytes = raw.buffer, raw.size > 0,
        raw.size <= 3
      else { return JackMIDIEvent(frame: 0, status: 0, first: 0, second: 0) }
      return JackMIDIEvent(
        frame: min(Int(raw.time), count - 1), status: bytes[0], first: raw.size > 1 ? bytes[1] : 0,
        second: raw.size > 2 ? bytes[2] : 0)
    }
  }

  /// Sends MIDI messages; call it once a block, also without any, in order of time.
  ///
  /// - Returns: how many found room in the server's buffer; all without a MIDI output.
  @discardableResult
  public func send(_ events: borrowing RealtimeArray<JackMIDIEvent>, count eventCount: Int) -> Int {
    callback._withUnsafeGuaranteedRef { callback in
      guard let port = callback.midiOutput, let buffer = jack_port_get_buffer(port, frames) else {
        return eventCount
      }
      jack_midi_clear_buffer(buffer)
      for index in 0..<eventCount {
        let event = events[index]
        guard let bytes = jack_midi_event_reserve(buffer, UInt32(event.frame), event.byteCount)
        else { return index }
        (bytes[0], bytes[1]) = (event.status, event.first)
        if event.byteCount > 2 { bytes[2] = event.second }
      }
      return eventCount
    }
  }

  private var frames: jack_nframes_t { jack_nframes_t(count) }
}

/// A short MIDI message within a block.
public struct JackMIDIEvent: BitwiseCopyable, Sendable, Equatable {
  public var frame: Int
  public var status: UInt8
  public var first: UInt8
  public var second: UInt8

  /// Program changes and channel pressure have one byte of data.
  var byteCount: Int { (0xc0..<0xe0).contains(status) ? 2 : 3 }

  public init(frame: Int, status: UInt8, first: UInt8, second: UInt8) {
    (self.frame, self.status, self.first, self.second) = (frame, status, first, second)
  }

  /// Effect of a message on keys and presets.
  public enum Action: Equatable, Sendable {
    case keys(KeyAction)
    /// All sound off: keys and the pedal.
    case silence
    /// The pedal up, and the pitch wheel in the middle.
    case resetControllers
    case program(Int)
    /// The pitch wheel, for all keys, with the range of 2 semitones that devices start with.
    case bend(semitones: Double)
    /// A controller that moves a parameter, 0 to 127.
    case control(Int, value: Int)
  }

  /// The message's meaning, on any channel; `nil` for what is not played.
  public var action: Action? {
    let (number, value) = (Int(first & 0x7F), Int(second & 0x7F))
    return switch (status & 0xF0, number) {
    case (0x90, _) where value > 0: .keys(.press(key: number, velocity: value))
    case (0x80, _), (0x90, _): .keys(.release(key: number))
    case (0xB0, 64): .keys(.pedal(isDown: value >= 64))
    case (0xB0, 120): .silence
    case (0xB0, 121): .resetControllers
    // All notes off, and the changes of mode that imply it.
    case (0xB0, 123...127): .keys(.releaseAll)
    case (0xB0, _): .control(number, value: value)
    case (0xC0, _): .program(number)
    case (0xE0, _): .bend(semitones: Double(value << 7 + number - 8192) / 8192 * 2)
    default: nil
    }
  }
}

/// Records the first input of a client.
public final class JackRecorder: JackProcessor, @unchecked Sendable {
  /// The newest sound; to be taken at least every few seconds.
  public let samples = LockFreeRing<Float>(room: 1 << 19)

  private var metronome: Metronome?

  /// - Parameter click: tempo of a metronome on the first output.
  public init(click: TempoMap? = nil, sampleRateHz: Double) {
    metronome = click.map { Metronome(tempo: $0, sampleRateHz: sampleRateHz) }
    super.init()
  }

  public override func process(_ block: borrowing JackBlock) {
    let input = block.input(0)
    for i in 0..<input.count { samples.push(input[i]) }
    guard metronome != nil else { return }
    let click = block.output(0)
    guard let start = click.baseAddress else { return }
    click.update(repeating: 0)
    var output = MutableSpan(_unsafeStart: start, count: click.count)
    metronome?.process(Span(_unsafeStart: UnsafePointer(start), count: click.count), into: &output)
  }
}
