import ArgumentParser
import Evaluation
import Foundation
import Harmonizer

/// How a choir sings what it is told: engine, levels, places, tuning and manners.
struct HarmonizeSound: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How voices are transposed: \(ChoirEngine.names.joined(separator: ", ")); "
        + "\(Engine.usual.name.rawValue) unless given."), completion: .engines)
  var engine: String?
  @Option(
    name: .customLong("set"),
    help: "A setting of the engine, such as windowMs=30; may be given again.")
  var settings: [String] = []
  @Option(help: "Length of one sweep of --engine delayline, 23.2 unless given.", in: 2...500)
  var windowMs: Double?
  @Option(help: "Overlap of its two taps, 11.6 unless given; at most the window.", in: 0.1...500)
  var crossfadeMs: Double?

  @Option(help: "Level of the lead in the mix; 0 unless given.", in: 0...4) var dry: Double?
  @Option(
    help: "Level of each voice: one for all, or one for each with commas between.", eachIn: 0...4)
  var gain: NumberList?
  @Option(
    help: "Where each voice stands; where any is not 0 the output is stereo.", eachIn: -1...1)
  var pan: NumberList?
  @Option(
    help: """
      How far each voice's formants are moved besides what the engine does: one for all, or one for \
      each with commas between; positive is a smaller mouth. With psola, vocoder and offline.
      """, eachIn: -24...24)
  var formantShiftSemitones: NumberList?
  @Option(help: "How wide the choir stands; above 0 the output is stereo.", in: 0...1)
  var spread: Double?
  @Option(help: "By which all voices are off.", in: -100...100)
  var detuneCents: Double?
  @Option(help: "How much later than the engine all voices are.", in: 0...500) var delayMs: Double?

  @Option(help: "Glide from note to note.", in: 0...10_000) var glideMs: Double?
  @Option(help: "How far below its note each begins.", in: -1200...1200)
  var scoopCents: Double?
  @Option(help: "Extent of a vibrato of the voices' own, to either side.", in: 0...600)
  var vibratoCents: Double?
  @Option(help: "Its rate, 5.5 unless given.", in: 0.1...20) var vibratoHz: Double?
  @Option(help: "Straight tone before it sets in, 200 unless given.", in: 0...10_000)
  var vibratoDelayMs: Double?
  @Option(help: "Drift of each voice's pitch, standard deviation.", in: 0...100)
  var humanizeCents: Double?
  @Option(help: "How late at most each note begins, by chance.", in: 0...200) var humanizeMs:
    Double?
  @Option(
    help: "Share of the lead's deviation from its note, vibrato and all, that passes.", in: 0...1)
  var leadShare: Double?
  @Option(help: "From silence to full level of a note.", in: 0...20_000) var attackMs: Double?
  @Option(help: "From full level to the sustained one.", in: 0...20_000) var decayMs: Double?
  @Option(help: "Level of a note while it is held.", in: 0...1) var sustainGain: Double?
  @Option(help: "From full level to silence.", in: 0...20_000) var releaseMs: Double?
  @Option(
    help: """
      How much the velocity of a press counts for its level: 1 unless given, where half the velocity \
      is half the amplitude. Notes of a MIDI file have one.
      """, in: 0...1)
  var velocityShare: Double?
  @Option(
    help: "What voices do in consonants: kept, gated or passedOnce.",
    completion: .list(ConsonantPolicy.allCases.map(\.rawValue))) var consonants: String?
  @Option(help: "Fade of voices that are gated, 7 unless given.", in: 1...50) var gateMs: Double?
  @Option(help: "Look-ahead of the tracker that hears the lead, 10 unless given.", in: 0...60)
  var lookAheadMs: Double?
  @Option(help: "Seed for all random variation.", in: Bounds.seed) var seed: UInt64?

  @Option(
    help: """
      equal (unless given), just, pythagorean, meantone, barbershop, or a Scala file, NAME.scl. The middle \
      three stand on the tonic of --key, or on C.
      """, completion: .list(["equal", "just", "pythagorean", "meantone", "barbershop"]))
  var tuning: String?
  @Option(help: "Frequency of A4; 440 unless given.", in: Bounds.a4Hz) var a4Hz: Double?

  /// What was given of the choir's settings, by their names.
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

  /// A choir with these manners, checked, and what makes its voices. What no flag says stays as it is in
  /// `plain`.
  func choir(_ plain: Harmonizer.Settings) throws -> (Harmonizer.Settings, ChoirEngine) {
    var choir = plain
    let engine = try chosenEngine(unlessGiven: plain.engine)
    switch engine {
    case .live(let engine): choir.engine = engine
    case .offline:
      guard lookAheadMs == nil else {
        throw ValidationError("--look-ahead-ms is for live engines; --engine offline knows it all.")
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

  /// One value for each voice.
  private func each(_ list: NumberList, _ flag: String, _ count: Int) throws -> [Double] {
    if list.values.count == 1 { return Array(repeating: list.values[0], count: count) }
    guard list.values.count == count else {
      throw ValidationError(
        "\(flag) has \(list.values.count) values for \(count) voices; give one, or \(count).")
    }
    return list.values
  }

  /// - Parameter usual: what is meant where no flag is about the engine.
  func chosenEngine(unlessGiven usual: Engine = .usual) throws -> ChoirEngine {
    if engine == nil, windowMs == nil, crossfadeMs == nil, settings.isEmpty { return .live(usual) }
    var chosen: SubjectSettings = ["engine": .text(engine ?? usual.name.rawValue)]
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
    case let file where file.hasSuffix(".scl"):
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw ValidationError("--tuning: \(file) can't be read; is the path right?")
      }
      return .scala(try named("--tuning: \(file)") { try ScalaScale(parsing: text) }, nil)
    default:
      throw ValidationError(
        "--tuning is '\(tuning)'; choose equal, just, pythagorean, meantone, barbershop or a "
          + "Scala file, NAME.scl.")
    }
  }
}
