import ArgumentParser
import AudioFile
import DSP
import Effects
import Evaluation
import Foundation
import Harmonizer

struct EffectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "effects",
    abstract: "Send one recording, or a voice that streams by, through a chain of effects.",
    discussion: """
      Effects one after the other with '>', side by side in '( | )'; 'dry' is the sound as it is:
        choir-eval effects in.wav out.wav --chain "lowpass(cutoffHz=2kHz) > chorus(mix=30%) > reverb"
        choir-eval effects in.wav out.wav --chain "(compressor(ratio=8) > overdrive | dry) > limiter"
        choir-eval effects in.wav out.wav --preset telephone
      Every effect takes mix, the share of wet sound, and isOn, which switches it off in its place:
        choir-eval effects in.wav out.wav --chain "compressor(isOn=false) > reverb(mix=30%)"
      What there is, with ranges and units; and what it costs here:
        choir-eval effects --list
        choir-eval effects --costs
      In a pipe, as raw 32-bit floats: one channel in, two out.
        … | choir-eval effects - - --stream --rate-hz 48000 --chain reverb | …
      """)

  @Argument(
    help: "Recording: \(AudioFormat.allWords). With --stream, - .", completion: .sound)
  var input: String?
  @Argument(
    help: "File to write, in stereo; its extension chooses the format. With --stream, - .",
    completion: .sound)
  var output: String?
  @OptionGroup(title: "Sound") var chosen: ChainOptions
  @Option(help: "Frames in a block.", in: Bounds.blockSize) var block = 128
  @Flag(help: "Cut the output at the input's end instead of writing the tail.")
  var cutTail = false
  @Flag(help: "Read and write raw 32-bit floats of this machine, block by block.")
  var stream = false
  @Option(help: "Sample rate of --stream and --costs.", in: Bounds.sampleRateHz) var rateHz =
    48_000.0
  @Flag(help: "List effects, parameters, ranges, units and what they are unless chosen.")
  var list = false
  @Flag(help: "Measure what each effect costs, and a chain of eight.") var costs = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var overwriting: Overwriting

  func validate() throws {
    guard !list, !costs else {
      guard input == nil, chosen.isEmpty, !(list && costs) else {
        throw ValidationError("--list and --costs each stand alone, but for --json and --rate-hz.")
      }
      return
    }
    guard let input, let output else {
      throw ValidationError("Name a recording and a file to write, or --list, or --costs.")
    }
    guard (input == "-" && output == "-") == stream else {
      throw ValidationError("Pipes and --stream go together: - - --stream.")
    }
    guard !chosen.isEmpty else { throw ValidationError("Choose --chain or --preset.") }
    _ = try chosen.sound()
  }

  func run() throws {
    if list { return print(try json ? EffectsText.listJSON() : EffectsText.list()) }
    if costs {
      let table = try EffectCosts(sampleRateHz: rateHz)
      return print(try json ? JSON.text(table) : EffectsText.table(table))
    }
    guard let input, let output, let preset = try chosen.sound() else { return }
    if stream {
      let player = try PresetPlayer(preset, sampleRateHz: rateHz)
      return try PlayerStream(player: player, blockSize: block).run()
    }
    var outputs = OutputFiles(reading: [input, chosen.preset], force: overwriting.force)
    try outputs.claim(output)
    let made = try PlayedFile(
      AudioFile(reading: input), preset, blockSize: block, keepingTail: !cutTail)
    try made.write(to: output)
    print(try json ? JSON.text(made.facts) : "\(output): \(made.summary)")
  }
}

/// A chain, or a preset.
struct ChainOptions: ParsableArguments {
  @Option(help: "A chain of effects; choir-eval effects --list has them all.") var chain: String?
  @Option(
    help: "A preset by name (choir-eval presets list), or a JSON file of one, NAME.json.",
    completion: .presets)
  var preset: String?

  var isEmpty: Bool { chain == nil && preset == nil }

  /// `nil` where nothing is chosen; a chain becomes a preset of effects alone, and behind a preset's
  /// own effects.
  func sound() throws -> Preset? {
    var chosen = try preset.map(Self.preset(named:))
    if let chain {
      do {
        let effects = try EffectChain(parsing: chain)
        if chosen == nil { chosen = Preset("chain", chain) }
        chosen?.effects.stages += effects.stages
        try chosen?.validate()
      } catch { throw ValidationError("--chain: \(error)") }
    }
    return chosen
  }

  static func preset(named name: String) throws -> Preset {
    if name.hasSuffix(".json") {
      guard let data = FileManager.default.contents(atPath: name) else {
        throw ValidationError("--preset: \(name) can't be read; is the path right?")
      }
      do { return try Preset(json: data) } catch let error as DecodingError {
        let words = error.words(in: String(decoding: data, as: UTF8.self))
        throw ValidationError("--preset: \(name): \(words)")
      } catch { throw ValidationError("--preset: \(name): \(error)") }
    }
    guard let preset = PresetBank.preset(named: name) else {
      throw ValidationError(
        "There is no preset '\(name)'; there is "
          + PresetBank.all.map(\.name).joined(separator: ", ") + ", or a JSON file.")
    }
    return preset
  }
}
