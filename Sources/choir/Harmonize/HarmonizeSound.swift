import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Harmonizer
import Music
import Platform
import Subjects

/// The sound of a choir: engine, levels, panning, tuning and expression.
struct HarmonizeSound: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Engine that transposes the voices: \(ChoirEngine.names.joined(separator: ", ")). "
        + "Default: \(Engine.default.name.rawValue)."), completion: .engines)
  var engine: String?
  @Option(
    name: .customLong("set"),
    help: "Setting of the engine, such as windowMs=30; repeatable.")
  var settings: [String] = []
  @Option(help: "Window of --engine delayline; default: 23.2.", in: 2...500)
  var windowMs: Double?
  @Option(
    help: "Crossfade of --engine delayline, at most the window; default: 11.6.", in: 0.1...500)
  var crossfadeMs: Double?

  @Option(help: "Level of the dry lead in the mix; default: 0.", in: 0...4) var dry: Double?
  @Option(
    help: "Level of the voices: one for all, or one for each, comma-separated.", eachIn: 0...4)
  var gain: NumberList?
  @Option(
    help: """
      Panning of the voices, -1 left to 1 right: one for all, or one for each; any but 0 makes \
      the output stereo.
      """, eachIn: -1...1)
  var pan: NumberList?
  @Option(
    help: """
      Formant shift of the voices, added to the engine's own: one for all, or one for each, \
      comma-separated; positive is a smaller vocal tract. For psola, vocoder and offline.
      """, eachIn: -24...24)
  var formantShiftSemitones: NumberList?
  @Option(help: "Stereo width of the choir; above 0 the output is stereo.", in: 0...1)
  var spread: Double?
  @Option(help: "Detuning of all voices.", in: -100...100)
  var detuneCents: Double?
  @Option(help: "Delay of all voices, added to the engine's latency.", in: 0...500)
  var delayMs: Double?

  @Option(help: "Glide from note to note.", in: 0...10_000) var glideMs: Double?
  @Option(help: "Distance below its note at which each note begins.", in: -1200...1200)
  var scoopCents: Double?
  @Option(help: "Extent of the voices' own vibrato, to either side.", in: 0...600)
  var vibratoCents: Double?
  @Option(help: "Rate of that vibrato; default: 5.5.", in: 0.1...20) var vibratoHz: Double?
  @Option(help: "Straight tone before that vibrato; default: 200.", in: 0...10_000)
  var vibratoDelayMs: Double?
  @Option(help: "Random drift of each voice's pitch, standard deviation.", in: 0...100)
  var humanizeCents: Double?
  @Option(help: "Greatest random delay of a note.", in: 0...200) var humanizeMs: Double?
  @Option(
    help: "Share of the lead's deviation from its note, such as vibrato, that voices copy.",
    in: 0...1)
  var leadShare: Double?
  @Option(help: "Attack: time from silence to full level.", in: 0...20_000) var attackMs: Double?
  @Option(help: "Decay: time from full to sustain level.", in: 0...20_000) var decayMs: Double?
  @Option(help: "Sustain level of a held note.", in: 0...1) var sustainGain: Double?
  @Option(help: "Release: time from full level to silence.", in: 0...20_000)
  var releaseMs: Double?
  @Option(
    help: """
      Influence of a key's velocity on the level; default: 1, where half the velocity is half \
      the amplitude. Notes of a MIDI file have a velocity.
      """, in: 0...1)
  var velocityShare: Double?
  @Option(
    help: "Voices during consonants: kept, gated or passedOnce.",
    completion: .list(ConsonantPolicy.allCases.map(\.rawValue))) var consonants: String?
  @Option(help: "Fade of gated voices; default: 7.", in: 1...50) var gateMs: Double?
  @Option(help: "Look-ahead of the lead's pitch tracker; default: 10.", in: 0...60)
  var lookAheadMs: Double?
  @Option(help: "Seed for all random variation.", in: Bounds.seed) var seed: UInt64?

  @Option(
    help: """
      Tuning: equal (the default), just, pythagorean, meantone, barbershop, or a Scala file \
      (NAME.scl). just, pythagorean and meantone are centred on the tonic of --key, or on C.
      """, completion: .list(["equal", "just", "pythagorean", "meantone", "barbershop"]))
  var tuning: String?
  @Option(help: "Frequency of A4; default: 440.", in: Bounds.a4Hz) var a4Hz: Double?

  /// The choir's settings that flags gave.
  private var given: [(setting: ChoirSetting, value: Double)] {
    let numbers: [(ChoirSetting, Double?)] = [
      (.spread, spread), (.detuneCents, detuneCents), (.glideMs, glideMs),
      (.scoopCents, scoopCents), (.vibratoCents, vibratoCents), (.vibratoHz, vibratoHz),
      (.vibratoDelayMs, vibratoDelayMs), (.humanizeCents, humanizeCents),
      (.humanizeMs, humanizeMs), (.leadShare, leadShare), (.attackMs, attackMs),
      (.decayMs, decayMs), (.sustainGain, sustainGain), (.releaseMs, releaseMs),
      (.gateMs, gateMs), (.lookAheadMs, lookAheadMs), (.velocityShare, velocityShare),
    ]
    return numbers.compactMap { setting, value in value.map { (setting, $0) } }
  }

  /// Returns the choir with the flags' settings, validated, and its engine. Settings without a flag
  /// keep their values from `plain`.
  func choir(_ plain: Harmonizer.Settings) throws -> (Harmonizer.Settings, ChoirEngine) {
    var choir = plain
    let engine = try chosenEngine(unlessGiven: plain.engine)
    switch engine {
    case .live(let engine): choir.engine = engine
    case .offline:
      guard lookAheadMs == nil else {
        throw ValidationError(
          "--look-ahead-ms is for live engines; leave it out: --engine offline needs none.")
      }
    }
    if let dry { choir.dryGain = dry }
    for (setting, value) in given { try setting.set(.number(value), of: &choir) }
    if let consonants {
      try named("--consonants") { try ChoirSetting.consonants.set(.text(consonants), of: &choir) }
    }
    let gains = try gain.map { try each($0, "--gain", choir.voices.count) }
    let pans = try pan.map { try each($0, "--pan", choir.voices.count) }
    let formants = try formantShiftSemitones.map {
      try each($0, "--formant-shift-semitones", choir.voices.count)
    }
    for voice in choir.voices.indices {
      if let gains { choir.voices[voice].gain = gains[voice] }
      if let pans { choir.voices[voice].pan = pans[voice] }
      if let formants { choir.voices[voice].formantShiftSemitones = formants[voice] }
      if let delayMs { choir.voices[voice].delayMs = delayMs }
    }
    if let seed { choir.seed = seed }
    if let tuning {
      choir.music.tuning.temperament = try temperament(tuning, choir.music.key.tonic)
    }
    if let a4Hz { choir.music.tuning.a4Hz = a4Hz }
    do {
      try choir.validate()
      try engine.validate()
    } catch { throw Misuse.of(error) }
    return (choir, engine)
  }

  /// Returns one value for each voice.
  private func each(_ list: NumberList, _ flag: String, _ count: Int) throws -> [Double] {
    if list.values.count == 1 { return Array(repeating: list.values[0], count: count) }
    guard list.values.count == count else {
      throw ValidationError(
        "\(flag) has \(list.values.count) values for \(counted(count, "voice")); give 1 or \(count)."
      )
    }
    return list.values
  }

  /// Returns the engine that the flags choose.
  ///
  /// - Parameter fallback: the engine without any such flag.
  func chosenEngine(unlessGiven fallback: Engine = .default) throws -> ChoirEngine {
    if engine == nil, windowMs == nil, crossfadeMs == nil, settings.isEmpty {
      return .live(fallback)
    }
    var chosen: SubjectSettings = ["engine": .text(engine ?? fallback.name.rawValue)]
    if let windowMs { chosen["windowMs"] = .number(windowMs) }
    if let crossfadeMs { chosen["crossfadeMs"] = .number(crossfadeMs) }
    return try ChoirEngine.chosen(by: chosen, and: settings)
  }

  private func temperament(
    _ tuning: String, _ centre: PitchClass
  ) throws -> Tuning.Temperament {
    switch tuning {
    case "equal": return .equal
    case "just": return .just(centre: centre)
    case "pythagorean": return .pythagorean(centre: centre)
    case "meantone": return .meantone(centre: centre, commaShare: 0.25)
    case "barbershop": return .barbershop
    case let file where file.lowercased().hasSuffix(".scl"):
      let text = try named("--tuning") { try GivenFile.text(at: URL(fileURLWithPath: file)) }
      return .scala(try named("--tuning: \(file)") { try ScalaScale(parsing: text) }, nil)
    default:
      throw ValidationError(
        "--tuning is '\(tuning)'; choose equal, just, pythagorean, meantone, barbershop or a "
          + "Scala file, NAME.scl.")
    }
  }
}
