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
  @Option(name: .customLong("set"), help: "Setting of the engine, such as windowMs=30; repeatable.")
  var settings: [String] = []
  @Option(help: "Level of the dry lead in the mix; default: 0.", in: 0...4) var dry: Double?
  @Flag(
    help: """
      Leave the dry lead undelayed. By default it is delayed like the voices, so that consonants coincide.
      """)
  var undelayedDry = false
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
  @Option(choir: "spread") var spread: Double?
  @Option(choir: "detuneCents") var detuneCents: Double?
  @Option(help: "Delay of all voices, added to the engine's latency.", in: 0...500)
  var delayMs: Double?

  @Option(choir: "glideMs") var glideMs: Double?
  @Option(choir: "scoopCents") var scoopCents: Double?
  @Option(choir: "vibratoCents") var vibratoCents: Double?
  @Option(choir: "vibratoHz") var vibratoHz: Double?
  @Option(choir: "vibratoDelayMs") var vibratoDelayMs: Double?
  @Option(choir: "humanizeCents") var humanizeCents: Double?
  @Option(choir: "humanizeMs") var humanizeMs: Double?
  @Option(choir: "leadShare") var leadShare: Double?
  @Option(choir: "attackMs") var attackMs: Double?
  @Option(choir: "decayMs") var decayMs: Double?
  @Option(choir: "sustainGain") var sustainGain: Double?
  @Option(choir: "releaseMs") var releaseMs: Double?
  @Option(
    help: """
      Influence of a key's velocity on the level; default: 1, where half the velocity is half \
      the amplitude. Notes of a MIDI file have a velocity.
      """, in: 0...1)
  var velocityShare: Double?
  @Option(
    help: "Voices during consonants: kept, gated or passedOnce.",
    completion: .list(ConsonantPolicy.allCases.map(\.rawValue))) var consonants: String?
  @Option(choir: "gateMs") var gateMs: Double?
  @Option(choir: "lookAheadMs") var lookAheadMs: Double?
  @Option(help: "Seed for all random variation.", in: Bounds.seed) var seed: UInt64?

  @Option(
    help: """
      Tuning: equal (the default), just, pythagorean, meantone, barbershop, or a Scala file \
      (NAME.scl). just, pythagorean and meantone are centred on the tonic of --key, or on C.
      """, completion: .list(["equal", "just", "pythagorean", "meantone", "barbershop"]))
  var tuning: String?
  @Option(help: "Frequency of A4; default: 440.", in: Bounds.a4Hz) var a4Hz: Double?

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
    if undelayedDry { choir.dryDelayed = false }
    for (name, value) in givenNumbers { _ = choir.setCommon(name, to: .number(value)) }
    if let consonants, !choir.setCommon("consonants", to: .word(consonants)) {
      let policies = ConsonantPolicy.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--consonants is '\(consonants)'; choose \(policies).")
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
    if engine == nil, settings.isEmpty { return .live(fallback) }
    return try ChoirEngine.chosen(named: engine ?? fallback.name.rawValue, set: settings)
  }

  private func temperament(_ tuning: String, _ centre: PitchClass) throws -> Tuning.Temperament {
    switch tuning {
    case "equal": return .equal
    case "just": return .just(centre: centre)
    case "pythagorean": return .pythagorean(centre: centre)
    case "meantone": return .meantone(centre: centre, commaShare: 0.25)
    case "barbershop": return .barbershop
    case let file where file.lowercased().hasSuffix(".scl"):
      let text = try named("--tuning") { try GivenFile.text(at: URL(fileURLWithPath: file)) }
      return .scala(try named("--tuning: \(file)") { try ScalaScale(parsing: text) })
    default:
      throw ValidationError(
        "--tuning is '\(tuning)'; choose equal, just, pythagorean, meantone, barbershop or a "
          + "Scala file, NAME.scl.")
    }
  }
}

extension ChoirEngine {
  /// Returns the engine with the settings of `--set`, NAME=VALUE each.
  static func chosen(named name: String, set words: [String]) throws -> ChoirEngine {
    let engine: SubjectSettings = ["engine": .text(name)]
    _ = try named("--engine") { try ChoirEngine.chosen(by: engine) }
    let settings = try NamedValues.settings(words, of: "--set")
    guard settings["engine"] == nil else {
      throw ValidationError("--set can't choose the engine; choose it by --engine.")
    }
    let chosen = settings.merging(engine) { $1 }
    do {
      let (engine, others) = try ChoirEngine.chosen(by: chosen)
      if let stranger = others.keys.sorted().first {
        throw ValidationError(
          "--set: the engine \(engine.name) has no setting '\(stranger)'; choose "
            + "\(engine.infos.sortedNames.joined(separator: ", ")).")
      }
      return engine
    } catch let problem as SettingError { throw ValidationError("--set: \(problem).") }
  }
}
