import ArgumentParser
import AudioFile
import CommandSupport
import Corpus
import DSP
import Foundation
import Harmonizer
import Instrument
import Music
import Platform
import Statistics
import Subjects

struct Autotune: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Correct the pitch of a recording to a key, a set of notes, or a MIDI file.",
    discussion: """
      Use it to hear the reference auto-tuner: hard correction to a key; partial correction that \
      keeps the vibrato; correction of a live stream in a pipe.

        choir autotune in.wav out.wav --key "A minor"
        choir autotune in.wav out.wav --key "A minor" \\
          --retune-ms 60 --amount-percent 70 --vibrato keep
        … | choir autotune --stream --scale-notes C,D,E,G,A | …
      """)

  typealias Policy = PitchCorrection.VibratoPolicy

  @Argument(help: "Recording: \(AudioFormat.allNames); channels are averaged.", completion: .sound)
  var input: String?
  @Argument(help: "File to write; its extension chooses the format.", completion: .sound)
  var output: String?

  @OptionGroup(title: "Notes") var notes: NoteOptions
  @OptionGroup(title: "Correction") var correction: CorrectionOptions
  @OptionGroup(title: "Effects") var effects: EffectOptions

  @Option(
    help: """
      Engine that transposes the voice: \(Engine.Name.choices). Default: \(AutoTuner.Settings.defaultEngine.name).
      """)
  var engine: Engine.Name?
  @Option(
    name: .customLong("set"),
    help: "Setting of the engine, such as spliceToPeriods=1; repeatable.")
  var engineSettings: [String] = []
  @Flag(help: "Lower the latency to the engine's, 7.9 ms with psola; corrections then start later.")
  var lowDelay = false
  @Option(help: "Look-ahead of the pitch tracker; default: 10. Not with --low-delay.", in: 0...60)
  var lookAheadMs: Double?
  @Option(help: "Frames in a block.", in: Bounds.blockSize) var block = 128
  @Flag(help: "Cut the output at the input's end instead of writing the tail.") var cutTail = false
  @Option(
    help: "File for the truth log: the notes, and the correction over time; with .mid the notes.",
    completion: .json, transform: TruthFile.init(named:))
  var truth: TruthFile?
  @Flag(
    help: """
      Process raw mono 32-bit floats, little-endian, from standard input to standard output; the \
      output is interleaved stereo with effects.
      """)
  var stream = false
  @Option(help: "Sample rate of --stream.", in: Bounds.sampleRateHz) var rateHz = 48_000.0
  @OptionGroup var overwriting: Overwriting

  private func settings() throws -> AutoTuner.Settings {
    var settings = try effects.tuner() ?? AutoTuner.Settings()
    settings.target = try notes.target(unlessGiven: effects.tuner()?.target)
    if engine != nil || !engineSettings.isEmpty {
      settings.engine = try chosenEngine(engine ?? settings.engine.name)
    }
    if let a4Hz = notes.a4Hz { settings.tuning.a4Hz = a4Hz }
    correction.change(&settings)
    if lowDelay { settings.lowDelay = true }
    if let lookAheadMs { settings.lookAheadMs = lookAheadMs }
    return settings
  }

  private func chosenEngine(_ name: Engine.Name) throws -> Engine {
    let chosen = try ChoirEngine.chosen(named: name.rawValue, set: engineSettings)
    guard case .live(let live) = chosen else {
      throw ValidationError(
        "--engine \(name.rawValue) needs the whole recording; choose a live engine.")
    }
    return live
  }

  func validate() throws {
    try effects.check()
    do { try settings().validate() } catch { throw Misuse.of(error) }
    if stream {
      guard input == nil, truth == nil, notes.midi == nil, !cutTail, notes.key != FoundKey.auto
      else {
        throw ValidationError(
          "--stream takes no files and returns as many frames as it takes; leave out files, "
            + "--truth, --midi, --key auto and --cut-tail.")
      }
    } else if input == nil || output == nil {
      throw ValidationError(
        "A file is missing. Name a recording and a file to write, or add --stream.")
    }
  }

  func run() throws {
    if stream { return try runStream() }
    guard let input, let output else { return }
    if notes.key == FoundKey.auto {
      var named = self
      named.notes.key = try FoundKey.name(
        in: effects.atSpeed(AudioFile(named: input).voice(of: input)), of: input)
      return try named.run()
    }
    var outputs = OutputFiles(
      reading: [input, notes.midi, effects.preset], force: overwriting.force)
    try outputs.claim(output)
    try outputs.claim(truth?.path)
    let source = try effects.atSpeed(AudioFile(named: input).voice(of: input))
    let events = try notes.midi.map(played) ?? []
    let late = try lateSound(sampleRateHz: source.sampleRateHz)
    let rendering = try AutoTunerSubject.render(
      late.followed(source), settings(), playing: events, blockSize: block)
    let end = late.end(of: [rendering.mix.samples], inputCount: source.count)
    let tuned = rendering.mix[..<end]
    let around = try effects.around(sampleRateHz: source.sampleRateHz, tuning: false)
    let clipped = try around.finished(AudioFile(tuned), cuttingTail: cutTail).write(to: output)
    Terminal.warnOfClipping(clipped, in: output, "write .wav")
    guard let log = rendering.tuningLog, let cpuSeconds = rendering.cpuSeconds else { return }
    try truth?.write(log) { MIDIFile(playing: Self.events(of: log)) }
    let factor = cpuSeconds / max(source.durationSeconds, 1e-9)
    print(
      "\(output): \(format(source.durationSeconds, 2)) s, \(counted(log.notes.count, "note")), median "
        + "correction \(format(Self.medianCents(of: log), 1)) cents, "
        + "latency \(format(rendering.reportedLatencyMs, 1)) ms, "
        + "real-time factor \(format(factor, 4))\(around.summary(source.sampleRateHz))")
  }

  /// Returns the notes that the lead was tuned to, at the times of the output.
  private static func events(of log: TuningLog) -> [ScoreEvent] {
    log.notes.filter { $0.startSample < $0.endSample }.flatMap { note in
      let key = NoteNumber(Double(note.key))
      func seconds(_ sample: Int) -> Double {
        Double(sample + log.latencySamples) / log.sampleRateHz
      }
      return [
        ScoreEvent(atSeconds: seconds(note.startSample), .press(note: key)),
        ScoreEvent(atSeconds: seconds(note.endSample), .release(note: key)),
      ]
    }
  }

  /// Returns the keys and bends of a MIDI file. An auto-tuner ignores velocities.
  private func played(_ path: String) throws -> [ScoreEvent] {
    let file = try MIDIFile(reading: path)
    let (moments, unsung) = file.played()
    let velocities = moments.compactMap { moment in
      if case .press(_, let velocity) = moment.event { velocity } else { nil }
    }
    let varied = Set(velocities).count > 1 ? ["velocities, which an auto-tuner ignores"] : []
    Terminal.warnNotSung(varied + unsung.map(\.description), in: path)
    return ScoreEvent.events(of: file)
  }

  /// Sound that the tuner still holds when its input ends: its latency, and the variation of its
  /// engine's delay.
  private func lateSound(sampleRateHz: Double) throws -> LateSound {
    guard !cutTail else { return .none }
    let settings = try settings()
    let latency = try AutoTuner(settings, sampleRateHz: sampleRateHz).latencySamples
    return LateSound(
      longestSamples: latency + Int(settings.engine.swayMs / 1000 * sampleRateHz),
      latencySamples: latency)
  }

  /// Median correction, up or down; `nil` without notes.
  private static func medianCents(of log: TuningLog) -> Double? {
    Statistics.median(log.moments.filter { $0.key != nil }.map { abs($0.correctionCents) })
  }

  /// Processes standard input block by block.
  private func runStream() throws {
    var tuner = try AutoTuner(settings(), sampleRateHz: rateHz)
    let around = try effects.around(sampleRateHz: rateHz, tuning: false)
    let late = tuner.latencySamples + (around.after?.latencySamples ?? 0)
    Terminal.printError("latency \(late) frames")
    try RawStream.pass(blockSize: block) { input in
      var tuned = tuner.render(input, blockSize: block)
      guard around.after != nil else { return tuned }
      var right = tuned
      around.finish(&tuned, &right, isStereo: false)
      return RawStream.interleaved(tuned, right)
    }
  }
}

/// The notes that a voice is corrected to.
struct NoteOptions: ParsableArguments {
  @Option(help: "Key to correct to, such as \"A minor\"; auto finds it in the recording.")
  var key: String?
  @Option(help: "Notes to correct to, in any octave, such as C,D,E,G,A.") var scaleNotes: String?
  @Option(help: "MIDI file whose sounding notes to correct to.", completion: .midi)
  var midi: String?
  @Flag(help: "Correct to the notes of the MIDI file in any octave.") var anyOctave = false
  @Option(help: "Frequency of A4; default: 440.", in: Bounds.a4Hz) var a4Hz: Double?

  /// Returns the notes that the flags choose.
  ///
  /// - Parameter fallback: those of a preset, without such a flag.
  func target(unlessGiven fallback: TuningTarget?) throws -> TuningTarget {
    let chosen = [key, scaleNotes, midi].compactMap(\.self)
    if chosen.isEmpty, let fallback { return fallback }
    guard chosen.count == 1 else {
      throw ValidationError("Choose one of --key, --scale-notes and --midi.")
    }
    // Any key stands for the one that is found in the recording.
    if key == FoundKey.auto { return .key(.cMajor) }
    if let key { return .key(try named("--key") { try Key(named: key) }) }
    guard let scaleNotes else { return .heldKeys(anyOctave ? .any : .asPlayed) }
    return .tones(
      try scaleNotes.split(separator: ",", omittingEmptySubsequences: false).map {
        let note = $0.trimmingCharacters(in: .whitespaces)
        return try named("--scale-notes") { try PitchClass(named: note) }
      })
  }
}

/// The speed and the amount of the correction.
struct CorrectionOptions: ParsableArguments {
  @Option(correction: "retuneMs") var retuneMs: Double?
  @Option(correction: "amountPercent") var amountPercent: Double?
  @Option(correction: "deadBandCents") var deadBandCents: Double?
  @Option(correction: "hysteresisCents") var hysteresisCents: Double?
  @Option(correction: "heldRetuneMs") var heldRetuneMs: Double?
  @Option(correction: "heldAfterMs") var heldAfterMs: Double?
  @Option(
    help: """
      Treatment of the singer's vibrato: \(PitchCorrection.VibratoPolicy.choices). Default: natural.
      """)
  var vibrato: PitchCorrection.VibratoPolicy?
  @Option(help: "Rate of a rebuilt vibrato; default: 5.5.", in: 0.1...20) var vibratoHz: Double?
  @Option(help: "Extent of a rebuilt vibrato, to either side; default: 50.", in: 0...600)
  var vibratoCents: Double?
  @Option(correction: "strictness") var strictness: Double?

  /// Makes the given changes to a tuner.
  func change(_ tuner: inout AutoTuner.Settings) {
    for (name, value) in givenNumbers { _ = tuner.correction.set(name, to: .number(value)) }
    if let vibrato { tuner.correction.vibrato = vibrato }
    if let vibratoHz { tuner.vibrato.rateHz = vibratoHz }
    if let vibratoCents { tuner.vibrato.extentCents = vibratoCents }
  }
}

extension Engine.Name: ExpressibleByArgument {}
extension PitchCorrection.VibratoPolicy: ExpressibleByArgument {}

extension CaseIterable where Self: RawRepresentable<String> {
  fileprivate static var choices: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
