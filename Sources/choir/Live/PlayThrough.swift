import ArgumentParser
import AudioFile
import CommandSupport
import DSP
import Foundation
import Instrument

struct PlayThrough: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a recording through a JACK client, and record the client's output.",
    discussion: """
      Plays in real time, sample by sample on the server's clock: the output is as long as the input, \
      and delayed by the client's latency. A take in which the server missed a period is played again. \
      Plans use it to measure a program that only runs live:

        choir play zita-at1 in.wav out.wav
        choir play mine:out in.wav out.wav --jack-input mine:in --midi chords.mid

      Several calls at once take turns, since a client hears one voice at a time.

      Exit codes: 0 played; 2 no server, no such client, another sample rate, or missed periods in \
      every take; 64 misuse.
      """)

  @Argument(help: "JACK client, or CLIENT:PORT to listen to one of its ports.") var client: String
  @Argument(help: "Recording to play.", completion: .sound) var input: String
  @Argument(help: "File to write, .wav or .flac.", completion: .sound) var output: String
  @Option(help: "Port to play to; default: the client's first audio input.") var jackInput: String?
  @Option(help: "MIDI file to play along.", completion: .file(extensions: ["mid", "midi"]))
  var midi: String?
  @Option(help: "MIDI port for it; default: the client's first.") var jackMidi: String?
  @Option(help: "Silence before the recording, for the decay of the last one.", in: 0...10_000)
  var silenceMs: Double = 300
  @Flag(
    help:
      "Let the server run as fast as its clients can. No period is missed; the sound card rests.")
  var freewheel = false
  @OptionGroup var overwriting: Overwriting

  /// Takes before giving up.
  private static let maxTakes = 4

  func validate() throws {
    guard jackMidi == nil || midi != nil else {
      throw ValidationError("--jack-midi has nothing to play; add --midi FILE.")
    }
  }

  func run() throws {
    var outputs = OutputFiles(reading: [input, midi], force: overwriting.force)
    try outputs.claim(output)
    let sound = try AudioFile(named: input).mono
    let messages = try midi.map { try Self.messages(of: MIDIFile(reading: $0)) } ?? []
    let loop = try JackLoop(through: client, input: jackInput, midi: jackMidi)
    defer { loop.close() }
    guard loop.sampleRateHz == sound.sampleRateHz else {
      throw JackError.recordingRate(
        path: input, hz: sound.sampleRateHz, serverHz: loop.sampleRateHz)
    }
    guard messages.isEmpty || loop.takesKeys else {
      throw JackError.noMIDIInput(client: client)
    }
    if freewheel { loop.sender.setFreewheel(true) }
    defer { if freewheel { loop.sender.setFreewheel(false) } }
    let answer = try undisturbed(sound, messages, loop)
    try AudioFile(answer).write(to: output)
  }

  /// Plays until the server misses no period.
  private func undisturbed(
    _ sound: Signal, _ messages: [LoopMessage], _ loop: JackLoop
  ) throws -> Signal {
    let lead = Int((silenceMs / 1000 * sound.sampleRateHz).rounded())
    let before = Double(lead) / sound.sampleRateHz
    let whole = Signal(
      Array(repeating: 0, count: lead) + sound.samples, sampleRateHz: sound.sampleRateHz)
    let later = messages.map { message in
      var message = message
      message.seconds += before
      return message
    }
    for _ in 0..<Self.maxTakes {
      let take = try loop.play(whole, tailSeconds: 0, messages: later)
      if take.xrunCount == 0 {
        return Signal(Array(take.output.samples[lead...]), sampleRateHz: sound.sampleRateHz)
      }
    }
    throw JackError.missedPeriods(takes: Self.maxTakes)
  }

  private static func messages(of file: MIDIFile) -> [LoopMessage] {
    file.timeline.compactMap { event in
      event.event.messageBytes.map { LoopMessage(seconds: event.seconds, bytes: $0) }
    }
  }
}
