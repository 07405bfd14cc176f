import ArgumentParser
import AudioFile
import CommandSupport
import DSP
import Foundation
import Harmonizer
import Instrument
import Platform
import Subjects

struct Harmonize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add harmony voices to a recording, or to a live stream.",
    discussion: """
      Use it to hear the reference harmonizer, or to render its stems and ground truth. Choose the \
      notes in exactly one way: intervals, degrees of a key, a map, notes, a chord, a progression, \
      an accompaniment, a MIDI file, a sequence or a preset.

        choir harmonize in.wav out.wav --intervals 4,7 --dry 0.5
        choir harmonize in.wav out.wav --key auto --degrees 3,5
        choir harmonize in.wav out.wav --chord C:maj7 --glide-ms 60
        choir harmonize in.wav out.wav --progression 'I vi ii V' \\
          --key "C major" --tempo 96 --click
        choir harmonize in.wav out.wav --chords-from guitar.wav --allocate led
        choir harmonize in.wav out.wav --map 'C:4,7;D:3,8;others:-,12'
        choir harmonize in.wav out.wav --midi song.mid --stems voices
        choir harmonize in.wav out.wav --preset gospel --key "A minor"
        choir harmonize in.wav out.wav --intervals -5,4 --save-preset mine.json

      Voices can be led from chord to chord, or played live by the keys of a MIDI file:

        choir harmonize in.wav out.wav --sequence song.yaml \\
          --allocate led --voices 4 --descant
        choir harmonize in.wav out.wav --midi song.mid \\
          --allocate nearest --voices 3 --latch

      Engines, formants and effects can be chosen too:

        choir harmonize in.wav out.wav --intervals -5,4 --engine offline
        choir harmonize in.wav out.wav --intervals -5,4 \\
          --formant-shift-semitones -2,3 --effects "chorus > reverb(mix=20%)"

      In a pipe of raw 32-bit floats:

        … | choir harmonize - - --stream --notes C4,E4,G4 | …

      For notes other than fixed intervals the choir tracks the lead's pitch itself, as it would \
      live. The engine 'offline' analyzes the whole recording first, so it has no latency and works \
      on files only.
      """)

  @Argument(
    help: """
      Recording: \(AudioFormat.allNames); channels are averaged. With --stream, -: \
      standard input.
      """, completion: .sound)
  var input: String
  @Argument(
    help: """
      File to write; its extension chooses the format. The output is stereo if any voice is \
      panned or spread. With --stream, -: standard output.
      """, completion: .sound)
  var output: String
  @OptionGroup(title: "Notes") var notes: HarmonizeNotes
  @OptionGroup(title: "Voices") var voices: HarmonizeVoices
  @OptionGroup(title: "Sound") var sound: HarmonizeSound
  @OptionGroup(title: "Effects") var effects: EffectOptions
  @Option(help: "Frames in a block.", in: Bounds.blockSize) var block = 128
  @Flag(help: "Cut the output at the input's end instead of writing the tail.") var cutTail = false
  @Flag(help: "Read and write raw 32-bit floats in the machine's byte order, block by block.")
  var stream = false
  @Option(help: "Sample rate of --stream; default: 48000.", in: Bounds.sampleRateHz)
  var rateHz: Double?
  @Option(help: "Folder for the stems, one file per voice.", completion: .directory)
  var stems: String?
  @Option(
    help: "File for the truth log: the target of each voice, block by block; with .mid its notes.",
    completion: .json, transform: TruthFile.init(named:))
  var truth: TruthFile?
  @Option(
    help: "File for voices, tuner and effects as a preset, NAME.json, for --preset and projects.",
    completion: .json)
  var savePreset: String?
  @OptionGroup var overwriting: Overwriting

  func validate() throws {
    if !playsPreset { try notes.check() }
    try notes.time.check(hasProgression: notes.progression != nil)
    if stream {
      guard input == "-", output == "-" else {
        throw ValidationError("--stream reads and writes pipes; write - and - for the files.")
      }
      guard !notes.findsKey else {
        throw ValidationError("--key auto needs the whole recording; name the key for --stream.")
      }
      guard !cutTail else {
        throw ValidationError("--stream returns as many frames as it takes; leave out --cut-tail.")
      }
      guard stems == nil, truth == nil, savePreset == nil else {
        throw ValidationError(
          "--stream writes no --stems, --truth or --save-preset; harmonize a file for them.")
      }
    } else {
      guard input != "-", output != "-" else {
        throw ValidationError("- is a pipe of raw samples; add --stream, or name files.")
      }
      guard rateHz == nil else {
        throw ValidationError("--rate-hz is for --stream; leave it out: a file has its own rate.")
      }
    }
    try effects.check()
    // Checks everything that needs no file before any work begins.
    _ = try voices.playing()
    if playsPreset, !notes.findsKey {
      _ = try presetChoir()
      _ = try notes.time.beat(of: presetScore, midi: nil)
    } else if let score = try notes.scoreWithoutFiles() {
      _ = try choir(singing: score)
      _ = try notes.time.beat(of: score, midi: nil)
    }
    if stream, case .offline = try sound.chosenEngine() {
      throw ValidationError(
        "--engine offline needs the whole recording; harmonize a file, or choose a live engine."
      )
    }
  }

  private func choir(singing score: Score) throws -> (Harmonizer.Settings, ChoirEngine) {
    var choir = try voices.choir(singing: score)
    if let sound = try effects.choir() { choir = choir.sounding(like: sound) }
    try notes.complete(&choir)
    return try sound.choir(choir)
  }

  /// True if the preset chooses the notes because no flag does.
  private var playsPreset: Bool { effects.preset != nil && !notes.areChosen }

  /// Returns the preset's choir, changed by the flags given.
  private func presetChoir() throws -> (Harmonizer.Settings, ChoirEngine) {
    let name = effects.preset ?? ""
    guard var choir = try effects.choir() else {
      throw ValidationError(
        "--preset: \(name) has no choir; choose notes, such as --intervals 4,7, or use it alone: "
          + ShellWords.line(["choir", "effects", input, output, "--preset", name]))
    }
    let waits = choir.voices.contains { voice in
      switch voice.part.role {
      case .held, .explicit: true
      case .interval, .degree, .map, .chord, .pedal, .descant: false
      }
    }
    guard !waits else {
      throw ValidationError(
        "--preset: the choir of \(name) sings the keys that are held; choose them by --notes, "
          + "--chord, --midi or --sequence.")
    }
    guard try voices.playing().isPlain else {
      throw ValidationError(
        "--preset: the choir of \(name) has fixed voices; leave out --allocate, --voices, --latch "
          + "and the like.")
    }
    try notes.changeKey(of: &choir)
    return try sound.choir(choir)
  }

  /// Returns the preset to save; `nil` without `--save-preset`.
  private func savedPreset(_ choir: Harmonizer.Settings, _ engine: ChoirEngine) throws -> Preset? {
    guard let savePreset else { return nil }
    guard case .live = engine else {
      throw ValidationError("--save-preset: a preset plays live; choose a live engine.")
    }
    let needsScore = choir.voices.contains { voice in
      if case .explicit = voice.part.role { true } else { false }
    }
    guard !needsScore else {
      throw ValidationError(
        "--save-preset: the voices sing the notes of a score, which a preset can't hold; choose "
          + "--intervals, --degrees or --map, or let keys play them: --allocate oldest.")
    }
    return try effects.preset(choir, namedAfter: savePreset)
  }

  /// A score for a preset, whose voices follow the lead and ignore it.
  private var presetScore: Score { Score(id: "preset", intervalsSemitones: [0]) }

  func run() throws {
    if notes.findsKey {
      var named = self
      named.notes.key = try FoundKey.name(
        in: effects.atSpeed(AudioFile(named: input).voice(of: input)), of: input)
      return try named.run()
    }
    let score = try playsPreset ? presetScore : notes.score()
    let beat = try notes.time.beat(of: score, midi: notes.midi)
    Terminal.warnNotSung(score.notSung, in: notes.midi ?? notes.sequence ?? "")
    let (settings, engine) = try playsPreset ? presetChoir() : choir(singing: score)
    let playing = try voices.playing()
    let preset = try savedPreset(settings, engine)
    if !stream { try claimFiles(voices: settings.voices.count) }
    if stream {
      let around = try effects.around(sampleRateHz: rateHz ?? 48_000, tuning: true)
      let choir = try ScoredChoir(
        settings, singing: score, playing: playing, sampleRateHz: rateHz ?? 48_000)
      return try HarmonizeStream(isStereo: settings.isStereo, blockSize: block, around: around)
        .run(Box(choir), click: beat.map { Box($0.metronome(sampleRateHz: rateHz ?? 48_000)) })
    }
    let recording = try effects.atSpeed(AudioFile(named: input).voice(of: input))
    Self.warn(ofNotesAfter: recording.durationSeconds, in: score, of: input)
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
    let made = HarmonizedSound(
      source, choir, isStereo: settings.isStereo, blockSize: block, keepingStems: stems != nil,
      cuttingTail: cutTail)
    let mix = around.finished(made.mix, cuttingTail: cutTail)
    try write(beat?.added(to: mix) ?? mix, to: output)
    if let stems {
      let folder = URL(fileURLWithPath: stems)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (path, stem) in zip(stemFiles(made.stems.count), made.stems) {
        try write(AudioFile(Signal(stem, sampleRateHz: source.sampleRateHz)), to: path)
      }
    }
    if let savePreset, let preset {
      try WholeFile.write(String(decoding: preset.json, as: UTF8.self) + "\n", to: savePreset)
    }
    if let truth, let log = made.log {
      try truth.write(log) { SungNotes(of: log, lead: source).midi }
    }
    print("\(output): \(made.summary)\(around.summary(source.sampleRateHz))")
  }

  /// Warns of notes that begin after the recording.
  private static func warn(ofNotesAfter seconds: Double, in score: Score, of input: String) {
    let late = score.events.filter { event in
      if case .press = event.action { event.atSeconds > seconds } else { false }
    }
    guard let last = late.map(\.atSeconds).max() else { return }
    Terminal.printError(
      "warning: \(input) ends at \(format(seconds, 2)) s, the last note begins at \(format(last, 2)) s; "
        + "\(counted(late.count, "note")) after its end \(late.count == 1 ? "is" : "are") not sung")
  }

  private func claimFiles(voices: Int) throws {
    var outputs = OutputFiles(
      reading: [input, effects.preset] + notes.files + [sound.tuning], force: overwriting.force)
    try outputs.claim(output)
    try outputs.claim(truth?.path)
    try outputs.claim(savePreset)
    for path in stemFiles(voices) { try outputs.claim(path) }
    if let next = stemFiles(voices + 1).last, FileManager.default.fileExists(atPath: next) {
      Terminal.printError(
        "warning: \(next) is from an earlier run with more voices; delete it, and those after it")
    }
  }

  /// Paths of the stems, in the order of the voices; empty without `--stems`.
  private func stemFiles(_ count: Int) -> [String] {
    guard let stems else { return [] }
    return (1...count).map {
      URL(fileURLWithPath: stems).appendingPathComponent("voice\($0).wav").path
    }
  }

  private func write(_ file: AudioFile, to path: String) throws {
    Terminal.warnOfClipping(
      try file.write(to: path), in: path, "write .wav, or lower --gain and --dry")
  }
}
