import ArgumentParser
import AudioFile
import CommandSupport
import Effects
import Foundation
import Harmonizer
import Instrument
import Music
import Platform
import Subjects

struct EffectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "effects",
    abstract: "Process a recording, or a live stream, with a chain of effects.",
    discussion: """
      Use it to hear a chain or a preset, and to find out what effects exist.

      In a chain, '>' connects effects in series and '( | )' in parallel; 'dry' is the \
      unprocessed sound:

        choir effects in.wav out.wav --chain "chorus(mix=30%) > reverb"
        choir effects in.wav out.wav --chain "(overdrive | dry) > limiter"
        choir effects in.wav out.wav --preset telephone

      Every effect also takes mix, the share of wet sound, and isOn; isOn=false bypasses it:

        choir effects in.wav out.wav --chain "gate(isOn=false) > reverb"

      A sample can be played by keys, here drums that overlap:

        choir effects snare.wav out.wav --midi drums.mid --sample-key D2 --to-end --chain dry

      Effects with their ranges and units:

        choir effects --list

      In a pipe of raw 32-bit floats, with one channel in and two out:

        … | choir effects - - --stream --rate-hz 48000 --chain reverb | …
      """)

  @Argument(help: "Recording: \(AudioFormat.allNames). With --stream, -.", completion: .sound)
  var input: String?
  @Argument(
    help: "File to write, in stereo; its extension chooses the format. With --stream, -.",
    completion: .sound)
  var output: String?
  @OptionGroup(title: "Sound") var chosen: ChainOptions
  @Option(help: "MIDI file, or score in YAML, whose keys play the recording.", completion: .midi)
  var midi: String?
  @Option(help: "Key that plays the recording at its own pitch; default: C4.")
  var sampleKey: String?
  @Flag(help: "Let each note sound to the recording's end, as drums do.") var toEnd = false
  @Option(help: "Frames in a block.", in: Bounds.blockSize) var block = 128
  @Flag(help: "Cut the output at the input's end instead of writing the tail.")
  var cutTail = false
  @Flag(help: "Read and write raw 32-bit floats in the machine's byte order, block by block.")
  var stream = false
  @Option(help: "Sample rate of --stream.", in: Bounds.sampleRateHz) var rateHz = 48_000.0
  @Flag(help: "List effects and their parameters, with ranges, units and defaults.")
  var list = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var overwriting: Overwriting

  func validate() throws {
    guard !list else {
      guard input == nil, chosen.isEmpty else {
        throw ValidationError("--list goes with --json only; leave the other arguments out.")
      }
      return
    }
    guard let input, let output else {
      throw ValidationError(
        "A file is missing; name a recording and a file to write, or add --list.")
    }
    guard (input == "-" && output == "-") == stream else {
      throw ValidationError("Pipes and --stream belong together; write - - --stream.")
    }
    guard !chosen.isEmpty else {
      throw ValidationError("No effects are chosen; add --chain or --preset.")
    }
    guard midi != nil || (sampleKey == nil && !toEnd) else {
      throw ValidationError(
        "--sample-key and --to-end are for --midi; add a file, or leave them out.")
    }
    guard midi == nil || !stream else {
      throw ValidationError("--midi plays a recording; name files instead of --stream.")
    }
    _ = try ownKey()
    _ = try chosen.sound()
  }

  private func ownKey() throws -> Int {
    try named("--sample-key") { Int(try NoteNumber(named: sampleKey ?? "C4").semitones) }
  }

  /// Returns the recording, or what keys play on it.
  private func played(_ recording: AudioFile) throws -> AudioFile {
    guard let midi else { return recording }
    let score = try Project.score(at: URL(fileURLWithPath: midi))
    Terminal.warnNotSung(score.notSung, in: midi)
    var keys = PlayedKeys(recording.mono)
    (keys.ownKey, keys.playsToEnd) = (try ownKey(), toEnd)
    return AudioFile(try keys.sound(playing: score.events))
  }

  func run() throws {
    if list { return print(try json ? EffectsText.listJSON() : EffectsText.list()) }
    guard let input, let output, let preset = try chosen.sound() else { return }
    if stream {
      let player = try PresetPlayer(preset, sampleRateHz: rateHz)
      Terminal.printError("latency \(player.latencySamples) frames")
      return try RawStream.pass(blockSize: block) { left in
        var (left, right) = (left, left)
        player.process(&left, &right, blockSize: block)
        return RawStream.interleaved(left, right)
      }
    }
    var outputs = OutputFiles(reading: [input, chosen.preset, midi], force: overwriting.force)
    try outputs.claim(output)
    let made = try PlayedFile(
      played(AudioFile(named: input)), preset, blockSize: block, keepingTail: !cutTail)
    try made.write(to: output)
    print(try json ? JSON.text(made.facts) : "\(output): \(made.summary)")
  }
}

/// The choice of a chain, a preset, or both.
struct ChainOptions: ParsableArguments {
  @Option(help: "Chain of effects; choir effects --list names them.") var chain: String?
  @Option(
    help: "Preset by name (see choir presets list), or JSON file of one (NAME.json).",
    completion: .presets)
  var preset: String?

  var isEmpty: Bool { chain == nil && preset == nil }

  /// Returns the preset to play, with the chain after its own effects; a chain alone becomes a preset
  /// of effects. `nil` if nothing is chosen.
  ///
  /// - Parameter flag: the option that names the chain.
  func sound(_ flag: String = "--chain") throws -> Preset? {
    var chosen = try preset.map { try PresetChoice.preset(named: $0) }
    if let chain {
      do {
        let effects = try EffectChain(parsing: chain)
        if chosen == nil { chosen = Preset("chain", chain) }
        chosen?.effects.stages += effects.stages
        try chosen?.validate()
      } catch { throw ValidationError("\(flag): \(error)") }
    }
    return chosen
  }
}
