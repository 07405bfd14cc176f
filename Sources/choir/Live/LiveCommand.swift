import ArgumentParser
import AudioFile
import CommandSupport
import Foundation
import Harmonizer
import Instrument
import Platform

struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Sing through the harmonizer, the tuner and the effects, live.",
    discussion: """
      Runs as a JACK client; with PipeWire, write pw-jack before the command. Held MIDI keys, or pads \
      with chords, choose the notes of the voices; MIDI program changes choose among presets. Ctrl-C \
      ends, and keeps the recording.

        choir live --voices 4 --pads C:maj,A:min,F:maj,G:7
        choir live --preset gospel,telephone --output take.flac
        choir live --intervals 4,7 --tune 'A minor' --effects reverb --control 1=reverb.mix
        choir live --project song --recording lead --preset gospel

      Exit codes: 0 ended by --seconds or Ctrl-C; 2 no server, or the server stopped or the disk is full: \
      what was recorded is kept; 64 misuse; 143 terminated by SIGTERM.
      """)

  @OptionGroup(title: "Sound") var sound: LiveSoundOptions
  @OptionGroup(title: "Ports") var ports: LivePorts
  @Option(
    help: "File to record the output to; the truth log goes beside it, as NAME.truth.json.",
    completion: .sound) var output: String?
  @Option(help: "End after this many seconds.", in: Bounds.seconds) var seconds: Double?
  @Option(help: "Project whose recording is played over and over instead of the input.")
  var project: String?
  @Option(help: "Name of that recording.") var recording: String?
  @OptionGroup var place: ProjectCommand.Library
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  func validate() throws {
    guard (project == nil) == (recording == nil) else {
      throw ValidationError("--project and --recording belong together; give both.")
    }
    if let output, AudioFormat(extensionOf: output).map({ $0 == .foreign }) ?? true {
      throw ValidationError("--output is \(output); end its name with .flac or .wav.")
    }
  }

  func run() throws {
    let presets = try sound.presets()
    let truth = output.map {
      URL(fileURLWithPath: $0).deletingPathExtension().appendingPathExtension("truth.json")
        .relativePath
    }
    var outputs = OutputFiles(reading: [], force: overwriting.force)
    try outputs.claim(output)
    try outputs.claim(truth)
    let client = try ports.client(sound: presets[0])
    let rateHz = client.sampleRateHz
    var pads = LiveInstrument.Pads()
    (pads.chords, pads.firstKey) = (try sound.padChords(), sound.padKey)
    let engine = try LiveInstrument(
      presets[0], pads: pads, source: auditioned(rateHz), sampleRateHz: rateHz)
    let session = try LiveSession(
      client, engine, presets: presets, controls: sound.controls(), recording: output, truth: truth)
    session.seconds = seconds
    try client.activate(engine)
    try ports.connect(client, hearsInput: project == nil)
    var view = LiveView()
    let (summary, end) = try session.finish(session.run(seconds: seconds) { view.show($0) })
    print(try json ? JSON.text(summary) : Self.text(summary))
    switch end {
    case .time, .interrupted: break
    case .terminated: throw ExitCode(143)
    case .failed(let error):
      let kept = summary.recordedSeconds.map {
        "; \(format($0, 1)) s are kept in \(output ?? "")"
      }
      throw Refusal("\(error)\(kept ?? "")")
    }
  }

  /// Returns the sound of a project's recording to play; empty to hear the input.
  private func auditioned(_ rateHz: Double) throws -> [Float] {
    guard let project, let recording else { return [] }
    let opened = try place.library.project(named: project)
    let sample = try opened.sample(of: opened.recording(recording))
    return sample.rendered(sampleRateHz: rateHz).samples
  }

  private static func text(_ summary: LiveSession.Summary) -> String {
    var parts = [
      "\(format(summary.seconds, 1)) s at \(format(summary.sampleRateHz, 0)) Hz, latency "
        + "\(format(summary.latencyMs, 1)) ms, longest block \(format(100 * summary.maxLoad, 1)) % of "
        + "its time by the clock, \(summary.lateBlocks) late blocks by processor time, "
        + "\(summary.xruns) xruns of the server, "
        + "\(summary.allocations) allocations and locks"
    ]
    if let recording = summary.recording {
      parts.append("\(recording): \(format(summary.recordedSeconds, 2)) s")
      if let truth = summary.truth { parts.append("\(truth): the truth log") }
    }
    if summary.droppedSamples > 0 {
      parts.append("\(summary.droppedSamples) samples of the recording were lost; free a core")
    }
    return parts.joined(separator: "\n")
  }
}

/// The ports of the server that a client is connected to.
struct LivePorts: ParsableArguments {
  @Option(help: "Name of the JACK client.") var client = "choir"
  @Option(help: "Input port; default: the first of the sound card.") var jackInput: String?
  @Option(help: "Output port of both channels, or two, comma-separated; default: the sound card's.")
  var jackOutput: String?
  @Option(help: "MIDI port to play by, such as a keyboard's.") var jackMidi: String?
  @Flag(help: "Connect nothing; do it by jack_connect or a patchbay.") var noConnect = false
  @Option(help: "Refuse a server of another rate.", in: Bounds.sampleRateHz) var rateHz: Double?

  func validate() throws {
    guard !noConnect || (jackInput == nil && jackOutput == nil && jackMidi == nil) else {
      throw ValidationError("--no-connect leaves nothing to connect; leave the ports out.")
    }
  }

  /// Opens the client; a server that is not there, or of another rate, is refused.
  func client(sound: Preset) throws -> JackClient {
    let made = try JackClient(
      client, .init(inputs: ["in"], outputs: ["out_1", "out_2"], midiInput: "midi_in"))
    if let rateHz, rateHz != made.sampleRateHz {
      throw JackError.rate(serverHz: made.sampleRateHz, wantedHz: rateHz)
    }
    // Names that do not exist are refused before anything sounds.
    if let jackInput { _ = try made.port(jackInput, .audioSource) }
    if let jackMidi { _ = try made.port(jackMidi, .midiSource) }
    for name in outputs { _ = try made.port(name, .audioSink) }
    return made
  }

  private var outputs: [String] { jackOutput?.split(separator: ",").map(String.init) ?? [] }

  /// Connects the ports of an active client.
  func connect(_ made: JackClient, hearsInput: Bool) throws {
    guard !noConnect else { return }
    let own = made.name
    if let jackMidi { try made.connect(made.port(jackMidi, .midiSource), "\(own):midi_in") }
    if hearsInput {
      let microphone = made.portNames(.audioSource, onlyPhysical: true).first
      let source = try jackInput.map { try made.port($0, .audioSource) } ?? microphone
      if let source {
        try made.connect(source, "\(own):in")
      } else {
        Terminal.printError(
          "warning: the server has no microphone; connect \(own):in by jack_connect")
      }
    }
    var sinks = try outputs.map { (name) throws(JackError) in try made.port(name, .audioSink) }
    if sinks.isEmpty { sinks = Array(made.portNames(.audioSink, onlyPhysical: true).prefix(2)) }
    guard let first = sinks.first else { return }
    try made.connect("\(own):out_1", first)
    try made.connect("\(own):out_2", sinks.last ?? first)
  }
}
