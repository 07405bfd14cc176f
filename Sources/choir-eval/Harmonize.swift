import ArgumentParser
import AudioFile
import DSP
import Evaluation
import Foundation
import Harmonizer

struct Harmonize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a choir of one recording, or of a voice that streams by.",
    discussion: """
      One way of choosing notes, and what else there is to choose:
        choir-eval harmonize in.wav out.wav --intervals 4,7 --dry 0.5
        choir-eval harmonize in.wav out.wav --key "C major" --degrees 3,5 --spread 1 --dry 1
        choir-eval harmonize in.wav out.wav --chord C:maj7 --glide-ms 60 --humanize-cents 6
        choir-eval harmonize in.wav out.wav --midi song.mid --stems voices --truth truth.json
        choir-eval harmonize in.wav out.wav --intervals 4,7 --effects "chorus > reverb(mix=20%)"
        choir-eval harmonize in.wav out.wav --map 'C:4,7;D:3,8;others:-,12'
        choir-eval harmonize in.wav out.wav --sequence song.yaml --allocate led --voices 4 --descant
        choir-eval harmonize in.wav out.wav --midi song.mid --allocate nearest --voices 3 --latch
        choir-eval harmonize in.wav out.wav --intervals -5,4 --engine offline
        choir-eval harmonize in.wav out.wav --intervals -5,4 --formant-shift-semitones -2,3
        choir-eval harmonize in.wav out.wav --preset gospel --key "A minor"
      In a pipe, as raw 32-bit floats:
        … | choir-eval harmonize - - --stream --rate 48000 --block 128 --notes C4,E4,G4 | …

      Where notes are not fixed intervals the choir hears the lead with a tracker of its own, as it
      would live. The engine 'offline' is the exception: it hears the whole recording first, and so
      is never late; it works on files alone.
      """)

  @Argument(
    help: """
      Recording: WAV, FLAC, AIFF, Ogg, Opus or MP3; channels are averaged. With --stream, - is \
      standard input.
      """)
  var input: String
  @Argument(
    help: """
      File to write; its extension chooses the format. Stereo where voices are spread. With \
      --stream, - is standard output.
      """)
  var output: String
  @OptionGroup(title: "Notes") var notes: HarmonizeNotes
  @OptionGroup(title: "Voices") var voices: HarmonizeVoices
  @OptionGroup(title: "Sound") var sound: HarmonizeSound
  @OptionGroup(title: "Effects") var effects: EffectOptions
  @Option(help: "Frames in a block.") var block = 128
  @Flag(help: "Cut the output at the input's end instead of writing the tail.") var cutTail = false
  @Flag(help: "Read and write raw 32-bit floats of this machine, block by block.") var stream =
    false
  @Option(help: "Sample rate of the stream, 8000 to 192000.") var rate: Double?
  @Option(help: "Folder to write each voice to.") var stems: String?
  @Option(help: "File for the truth log: what each voice was meant to do, block by block.")
  var truth: String?

  func validate() throws {
    if !playsPreset { try notes.check() }
    try check("--block", Double(block), in: 1...65_536)
    if stream {
      guard input == "-", output == "-" else {
        throw ValidationError("--stream reads and writes pipes; give - and - for the files.")
      }
      guard !cutTail else {
        throw ValidationError("--stream gives as many frames as it takes; leave out --cut-tail.")
      }
      guard stems == nil, truth == nil else {
        throw ValidationError("--stream keeps no --stems or --truth; harmonize a file for them.")
      }
      try check("--rate", rate ?? 48_000, in: 8_000...192_000)
    } else {
      guard input != "-", output != "-" else {
        throw ValidationError("- is for raw samples; add --stream, or name files.")
      }
      guard rate == nil else {
        throw ValidationError("--rate is for --stream; a file has a rate of its own.")
      }
    }
    try effects.check()
    // Files are read when it runs; all else is known to be right before anything is.
    _ = try voices.playing()
    if playsPreset {
      _ = try presetChoir()
    } else if let score = try notes.scoreWithoutFiles() {
      _ = try choir(singing: score)
    }
    if stream, case .offline = try sound.chosenEngine() {
      throw ValidationError(
        "--engine offline has to hear the whole recording; harmonize a file, or choose a live engine."
      )
    }
  }

  private func choir(singing score: Score) throws -> (Harmonizer.Settings, ChoirEngine) {
    var choir = try voices.choir(singing: score)
    try notes.complete(&choir)
    return try sound.choir(choir)
  }

  /// Whether the preset chooses the notes, for no flag does.
  private var playsPreset: Bool { effects.preset != nil && !notes.areChosen }

  /// The preset's choir, but for what flags say otherwise.
  private func presetChoir() throws -> (Harmonizer.Settings, ChoirEngine) {
    let name = effects.preset ?? ""
    guard var choir = try effects.choir() else {
      throw ValidationError(
        "The preset \(name) has no choir; choose notes, such as --intervals 4,7, or play it by "
          + "itself: choir-eval effects \(input) \(output) --preset \(name)")
    }
    let waits = choir.voices.contains { voice in
      switch voice.part.role {
      case .held, .told: true
      case .interval, .degree, .map, .chord, .pedal, .descant: false
      }
    }
    guard !waits else {
      throw ValidationError(
        "The choir of \(name) sings keys that somebody holds; choose them: --notes, --chord, --midi "
          + "or --sequence.")
    }
    guard try voices.playing().isPlain else {
      throw ValidationError(
        "The choir of \(name) has its voices; --allocate and its kin are for notes and chords.")
    }
    try notes.changeKey(of: &choir)
    return try sound.choir(choir)
  }

  private func check(_ flag: String, _ value: Double, in allowed: ClosedRange<Double>) throws {
    do { try require(flag, value, in: allowed) } catch { throw ValidationError("\(error).") }
  }

  func run() throws {
    // A preset's voices go by the lead, whatever the score.
    let score = try playsPreset ? Score(id: "preset", intervalsSemitones: [0]) : notes.score()
    UnsungEvents.warn(of: score.notSung, in: notes.midi ?? notes.sequence ?? "")
    let (settings, engine) = try playsPreset ? presetChoir() : choir(singing: score)
    let playing = try voices.playing()
    if stream {
      let around = try effects.around(sampleRateHz: rate ?? 48_000, tuning: true)
      let choir = try ScoredChoir(
        settings, singing: score, playing: playing, sampleRateHz: rate ?? 48_000)
      return try HarmonizeStream(isStereo: settings.isStereo, blockSize: block, around: around)
        .run(choir)
    }
    let recording = try effects.atSpeed(AudioFile(reading: input).mono)
    let around = try effects.around(sampleRateHz: recording.sampleRateHz, tuning: true)
    let source = around.tuned(recording, cuttingTail: cutTail)
    let choir: ScoredChoir
    switch engine {
    case .live:
      choir = try ScoredChoir(
        settings, singing: score, playing: playing, sampleRateHz: source.sampleRateHz,
        logging: truth != nil)
    case .offline(let offline):
      choir = try ScoredChoir(
        settings, by: offline, singing: score, playing: playing, of: source, blockSize: block,
        logging: truth != nil)
    }
    let made = HarmonizedFile(
      source, choir, isStereo: settings.isStereo, blockSize: block, keepingStems: stems != nil,
      cuttingTail: cutTail)
    try write(around.finished(made.mix, cuttingTail: cutTail), to: output)
    if let stems {
      let folder = URL(fileURLWithPath: stems)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (index, stem) in made.stems.enumerated() {
        try write(
          AudioFile(Signal(stem, sampleRateHz: source.sampleRateHz)),
          to: folder.appendingPathComponent("voice\(index + 1).wav").path)
      }
    }
    if let truth, let log = made.log {
      try JSON.text(log).write(toFile: truth, atomically: true, encoding: .utf8)
    }
    print("\(output): \(made.summary)\(around.summary(source.sampleRateHz))")
  }

  private func write(_ file: AudioFile, to path: String) throws {
    let clipped = try file.write(to: path)
    if clipped > 0 {
      Terminal.printError(
        "warning: \(path): \(clipped) samples were clipped; write .wav, or lower --gain and --dry")
    }
  }
}
