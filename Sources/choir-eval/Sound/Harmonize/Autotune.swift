import Analyzer
import ArgumentParser
import AudioFile
import DSP
import Evaluation
import Foundation
import Harmonizer

struct Autotune: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw one recording to the notes of a key, of a set of tones, or of a MIDI file.",
    discussion: """
      Hard, to a key; half-heartedly, with the vibrato kept; in a pipe:
        choir-eval autotune in.wav out.wav --key "A minor"
        choir-eval autotune in.wav out.wav --key "A minor" --retune-ms 60 --amount-percent 70 --vibrato keep
        … | choir-eval autotune --stream --rate-hz 48000 --scale-notes C,D,E,G,A | …
      """)

  typealias Policy = PitchCorrection.VibratoPolicy

  @Argument(
    help: "Recording: \(AudioFormat.allWords); channels are averaged.", completion: .sound
  )
  var input: String?
  @Argument(help: "File to write; its extension chooses the format.", completion: .sound)
  var output: String?

  @OptionGroup(title: "Notes") var notes: NoteOptions
  @OptionGroup(title: "Correction") var correction: CorrectionOptions
  @OptionGroup(title: "Effects") var effects: EffectOptions

  @Option(help: "How the voice is transposed: \(Engine.Name.choices).")
  var engine = AutoTuner.Settings.usualEngine.name
  @Option(
    name: .customLong("set"),
    help: "A setting of the engine, such as spliceToPeriods=1; may be given again.")
  var engineSettings: [String] = []
  @Flag(help: "Give the sound sooner and the correction later.") var lowDelay = false
  @Option(help: "Sound beyond the instant that is judged; not with --low-delay.", in: 0...60)
  var lookAheadMs = 10.0
  @Option(help: "Frames in a block.", in: Bounds.blockSize) var block = 128
  @Flag(help: "Cut the output at the input's end instead of writing the tail.") var cutTail = false
  @Option(
    help: "File for the truth log: notes, and the correction at each instant.", completion: .json)
  var truth: String?
  @Flag(
    help: """
      Raw mono 32-bit floats, little-endian, from standard input to standard output; two channels \
      in turn with effects.
      """)
  var stream = false
  @Option(help: "Sample rate of --stream.", in: Bounds.sampleRateHz) var rateHz = 48_000.0
  @OptionGroup var overwriting: Overwriting

  private func settings() throws -> AutoTuner.Settings {
    var settings = AutoTuner.Settings(target: try notes.target(), engine: try chosenEngine())
    settings.tuning = Tuning(.equal, a4Hz: notes.a4Hz)
    settings.correction = correction.correction
    settings.vibrato.rateHz = correction.vibratoHz
    settings.vibrato.extentCents = correction.vibratoCents
    (settings.lowDelay, settings.lookAheadMs) = (lowDelay, lookAheadMs)
    return settings
  }

  private func chosenEngine() throws -> Engine {
    let chosen = try ChoirEngine.chosen(
      by: ["engine": .text(engine.rawValue)], and: engineSettings)
    guard case .live(let live) = chosen else {
      throw ValidationError("--engine \(engine.rawValue) works on whole recordings only.")
    }
    return live
  }

  func validate() throws {
    try effects.check()
    do { try settings().validate() } catch { throw Misuse.of(error) }
    if stream {
      guard input == nil, truth == nil, notes.midi == nil, !cutTail else {
        throw ValidationError(
          "--stream takes no files, and gives as many frames as it takes; leave out --cut-tail.")
      }
    } else if input == nil || output == nil {
      throw ValidationError("Name a recording and a file to write, or --stream.")
    }
  }

  func run() throws {
    if stream { return try runStream() }
    guard let input, let output else { return }
    var outputs = OutputFiles(
      reading: [input, notes.midi, effects.preset], force: overwriting.force)
    try outputs.claim(output)
    try outputs.claim(truth)
    let source = try effects.atSpeed(AudioFile(reading: input).mono)
    let events = try notes.midi.map(played) ?? []
    let late = try lateSound(sampleRateHz: source.sampleRateHz)
    let rendering = try AutoTunerSubject.render(
      late.followed(source), settings(), playing: events, blockSize: block)
    let end = late.end(of: [rendering.mix.samples], inputCount: source.count)
    let tuned = Signal(
      Array(rendering.mix.samples.prefix(end)), sampleRateHz: source.sampleRateHz)
    let around = try effects.around(sampleRateHz: source.sampleRateHz, tuning: false)
    let clipped = try around.finished(AudioFile(tuned), cuttingTail: cutTail).write(to: output)
    if clipped > 0 {
      Terminal.printError("warning: \(output): \(clipped) samples were clipped; write .wav")
    }
    guard let log = rendering.tuningLog, let cpuSeconds = rendering.cpuSeconds else { return }
    if let truth { try WholeFile.write(JSON.text(log), to: truth) }
    let factor = cpuSeconds / max(source.durationSeconds, 1e-9)
    print(
      "\(output): \(format(source.durationSeconds, 2)) s, \(log.notes.count) notes, median "
        + "correction \(format(Self.medianCents(of: log), 1)) cents, "
        + "\(format(rendering.reportedLatencyMs, 1)) ms late, "
        + "real-time factor \(format(factor, 4))\(around.summary(source.sampleRateHz))")
  }

  /// The keys and bends of a MIDI file. A tuner has one level, whatever the velocities.
  private func played(_ path: String) throws -> [ScoreEvent] {
    let file = try MIDIFile(reading: path)
    let (moments, unsung) = file.played()
    let velocities = moments.compactMap { moment in
      if case .press(_, let velocity) = moment.event { velocity } else { nil }
    }
    let varied = Set(velocities).count > 1 ? ["velocities, for a tuner has one level"] : []
    UnsungEvents.warn(of: varied + unsung.map(\.description), in: path)
    return ScoreEvent.events(of: file)
  }

  /// What the tuner still holds when its input ends: as much as it is late, and as its engine's delay
  /// may sway.
  private func lateSound(sampleRateHz: Double) throws -> LateSound {
    guard !cutTail else { return .none }
    let latency = try AutoTuner(settings(), sampleRateHz: sampleRateHz).latencySamples
    return LateSound(
      longestSamples: latency + Int(Engine.swayMs / 1000 * sampleRateHz), latencySamples: latency)
  }

  /// How far notes were moved, up or down; `nil` where there were none.
  private static func medianCents(of log: TuningLog) -> Double? {
    Statistics.median(log.moments.filter { $0.key != nil }.map { abs($0.correctionCents) })
  }

  /// A block in, a block out, until the input ends; what is less than a sample at its end is lost.
  private func runStream() throws {
    var tuner = try AutoTuner(settings(), sampleRateHz: rateHz)
    let around = try effects.around(sampleRateHz: rateHz, tuning: false)
    let late = tuner.latencySamples + (around.after?.latencySamples ?? 0)
    Terminal.printError("\(late) frames late")
    var rest = Data()
    while let data = try FileHandle.standardInput.read(upToCount: 4 * block - rest.count),
      !data.isEmpty
    {
      rest += data
      let count = rest.count / 4
      guard count > 0 else { continue }
      let samples = (0..<count).map { Float(littleEndian: rest, at: 4 * $0) }
      var tuned = tuner.render(samples, blockSize: block)
      if around.after != nil {
        var right = tuned
        around.finish(&tuned, &right, count: count, isStereo: false)
        tuned = zip(tuned, right).flatMap { [$0, $1] }
      }
      rest = Data(rest.dropFirst(4 * count))
      try StandardOutput.write(Data(littleEndian: tuned))
    }
  }
}

/// Which notes a voice is drawn to.
struct NoteOptions: ParsableArguments {
  @Option(help: "A tonic and a scale, such as \"A minor\".") var key: String?
  @Option(help: "Or its notes: C,D,E,G,A.") var scaleNotes: String?
  @Option(help: "Or a MIDI file: the notes that sound in it.", completion: .midi) var midi: String?
  @Flag(help: "The notes of the MIDI file count in any octave.") var anyOctave = false
  @Option(help: "Frequency of A4.", in: Bounds.a4Hz) var a4Hz = 440.0

  func target() throws -> TuningTarget {
    guard [key, scaleNotes, midi].compactMap({ $0 }).count == 1 else {
      throw ValidationError("Choose one of --key, --scale-notes and --midi.")
    }
    if let key { return .key(try Key(named: key)) }
    guard let scaleNotes else { return .heldKeys(anyOctave ? .any : .asPlayed) }
    return .tones(
      try scaleNotes.split(separator: ",", omittingEmptySubsequences: false).map {
        try PitchClass(named: $0.trimmingCharacters(in: .whitespaces))
      })
  }
}

/// How it is drawn there.
struct CorrectionOptions: ParsableArguments {
  @Option(help: "Time in which 63 % of a deviation is gone; 0 is at once.", in: 0...10_000)
  var retuneMs = 0.0
  @Option(help: "Share of the correction; 0 is untouched.", in: 0...100) var amountPercent = 100.0
  @Option(help: "Deviations up to this are let be.", in: 0...100) var deadBandCents = 0.0
  @Option(help: "How far beyond the middle between two notes the note changes.", in: 0...50)
  var hysteresisCents = 30.0
  @Option(help: "Retune time of held notes, where it is longer.", in: 0...10_000)
  var heldRetuneMs = 0.0
  @Option(help: "When a note counts as held.", in: 0...10_000) var heldAfterMs = 300.0
  @Option(help: "The singer's vibrato: \(PitchCorrection.VibratoPolicy.choices).")
  var vibrato = PitchCorrection.VibratoPolicy.natural
  @Option(help: "Rate of a vibrato that is rebuilt.", in: 0.1...20) var vibratoHz = 5.5
  @Option(help: "Its extent to either side.", in: 0...600) var vibratoCents = 50.0
  @Option(help: "How periodic sound must be to be corrected.", in: 0...1) var strictness = 0.5

  var correction: PitchCorrection {
    var correction = PitchCorrection()
    (correction.retuneMs, correction.amountPercent) = (retuneMs, amountPercent)
    (correction.deadBandCents, correction.hysteresisCents) = (deadBandCents, hysteresisCents)
    (correction.heldRetuneMs, correction.heldAfterMs) = (heldRetuneMs, heldAfterMs)
    (correction.vibrato, correction.strictness) = (vibrato, strictness)
    return correction
  }
}

extension Engine.Name: ExpressibleByArgument {}
extension PitchCorrection.VibratoPolicy: ExpressibleByArgument {}

extension CaseIterable where Self: RawRepresentable<String> {
  fileprivate static var choices: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Float {
  fileprivate init(littleEndian data: Data, at place: Int) {
    let bits = (0..<4).reduce(UInt32(0)) {
      $0 | UInt32(data[data.startIndex + place + $1]) << UInt32(8 * $1)
    }
    self.init(bitPattern: bits)
  }
}

extension Data {
  fileprivate init(littleEndian samples: [Float]) {
    self = samples.reduce(into: Data(capacity: 4 * samples.count)) { data, sample in
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        data.append(UInt8(truncatingIfNeeded: sample.bitPattern >> shift))
      }
    }
  }
}
