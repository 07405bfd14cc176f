import ArgumentParser
import Evaluation
import Foundation
import Harmonizer

/// How a choir sings what it is told: engine, levels, places, tuning and manners.
struct HarmonizeSound: ParsableArguments {
  @Option(help: "How voices are transposed: \(ChoirEngine.names.joined(separator: ", ")).")
  var engine = Engine.usual.name.rawValue
  @Option(
    name: .customLong("set"),
    help: "A setting of the engine, such as windowMs=30; may be given again.")
  var settings: [String] = []
  @Option(help: "Length of one sweep of --engine delayline, 23.2 unless given.") var windowMs:
    Double?
  @Option(help: "Overlap of its two taps, 11.6 unless given; at most the window.")
  var crossfadeMs: Double?

  @Option(help: "Level of the lead in the mix, 0 to 4.") var dry = 0.0
  @Option(help: "Level of each voice, 0 to 4: one for all, or one for each with commas between.")
  var gain: NumberList?
  @Option(
    parsing: .unconditional,
    help: "Where each voice stands, -1 to 1; where any is not 0 the output is stereo.")
  var pan: NumberList?
  @Option(help: "How wide the choir stands, 0 to 1; above 0 the output is stereo.")
  var spread: Double?
  @Option(parsing: .unconditional, help: "By which all voices are off, -100 to 100.")
  var detuneCents: Double?
  @Option(help: "How much later than the engine all voices are, 0 to 500.") var delayMs: Double?

  @Option(help: "Glide from note to note.") var glideMs: Double?
  @Option(parsing: .unconditional, help: "How far below its note each begins.")
  var scoopCents: Double?
  @Option(help: "Extent of a vibrato of the voices' own, to either side.") var vibratoCents: Double?
  @Option(help: "Its rate, 5.5 unless given.") var vibratoHz: Double?
  @Option(help: "Straight tone before it sets in, 200 unless given.") var vibratoDelayMs: Double?
  @Option(help: "Drift of each voice's pitch, standard deviation.") var humanizeCents: Double?
  @Option(help: "How late at most each note begins, by chance.") var humanizeMs: Double?
  @Option(
    help: "Share of the lead's deviation from its note, vibrato and all, that passes, 0 to 1.")
  var leadShare: Double?
  @Option(help: "From silence to full level of a note.") var attackMs: Double?
  @Option(help: "From full level to the sustained one.") var decayMs: Double?
  @Option(help: "Level of a note while it is held, 0 to 1.") var sustainGain: Double?
  @Option(help: "From full level to silence.") var releaseMs: Double?
  @Option(help: "What voices do in consonants: kept, gated or passedOnce.") var consonants: String?
  @Option(help: "Fade of voices that are gated, 7 unless given.") var gateMs: Double?
  @Option(help: "Of the tracker that hears the lead, 10 unless given.") var lookAheadMs: Double?
  @Option(help: "Of all chance in the choir.") var seed: UInt64?

  @Option(
    help: """
      equal, just, pythagorean, meantone, barbershop, or a Scala file, NAME.scl. The middle \
      three stand on the tonic of --key, or on C.
      """)
  var tuning = "equal"
  @Option(help: "Frequency of A4, 220 to 880.") var a4Hz = 440.0

  /// What was given of the choir's settings, by their names.
  private var given: [(setting: ChoirSetting, value: Double)] {
    let numbers: [(ChoirSetting, Double?)] = [
      (.spread, spread), (.detuneCents, detuneCents), (.glideMs, glideMs),
      (.scoopCents, scoopCents), (.vibratoCents, vibratoCents), (.vibratoHz, vibratoHz),
      (.vibratoDelayMs, vibratoDelayMs), (.humanizeCents, humanizeCents),
      (.humanizeMs, humanizeMs), (.leadShare, leadShare), (.attackMs, attackMs),
      (.decayMs, decayMs), (.sustainGain, sustainGain), (.releaseMs, releaseMs),
      (.gateMs, gateMs), (.lookAheadMs, lookAheadMs),
    ]
    return numbers.compactMap { setting, value in value.map { (setting, $0) } }
  }

  /// A choir with these manners, checked, and what makes its voices.
  func choir(_ plain: Harmonizer.Settings) throws -> (Harmonizer.Settings, ChoirEngine) {
    var choir = plain
    let engine = try chosenEngine()
    switch engine {
    case .live(let engine): choir.engine = engine
    case .offline:
      guard lookAheadMs == nil else {
        throw ValidationError("--look-ahead-ms is for live engines; --engine offline knows it all.")
      }
    }
    choir.dryGain = dry
    for (setting, value) in given { try setting.set(.number(value), of: &choir) }
    if let consonants {
      try named("--consonants") { try ChoirSetting.consonants.set(.text(consonants), of: &choir) }
    }
    let gains = try gain.map { try each($0, "--gain", choir.voices.count) }
    let pans = try pan.map { try each($0, "--pan", choir.voices.count) }
    for voice in choir.voices.indices {
      choir.voices[voice].gain = gains?[voice] ?? 1
      choir.voices[voice].pan = pans?[voice] ?? 0
      choir.voices[voice].delayMs = delayMs ?? 0
    }
    if let seed { choir.seed = seed }
    choir.music.tuning = try chosenTuning(around: choir.music.key)
    do {
      try choir.validate()
      try engine.validate()
    } catch { throw ValidationError("\(error).") }
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

  func chosenEngine() throws -> ChoirEngine {
    var chosen: SubjectSettings = ["engine": .text(engine)]
    if let windowMs { chosen["windowMs"] = .number(windowMs) }
    if let crossfadeMs { chosen["crossfadeMs"] = .number(crossfadeMs) }
    return try ChoirEngine.chosen(by: chosen, and: settings)
  }

  private func chosenTuning(around key: Key) throws -> Tuning {
    let centre = key.tonic
    let temperament: Tuning.Temperament
    switch tuning {
    case "equal": temperament = .equal
    case "just": temperament = .just(centre: centre)
    case "pythagorean": temperament = .pythagorean(centre: centre)
    case "meantone": temperament = .meantone(centre: centre, commaShare: 0.25)
    case "barbershop": temperament = .barbershop
    case let file where file.hasSuffix(".scl"):
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw ValidationError("--tuning: \(file) can't be read; is the path right?")
      }
      temperament = .scala(try named("--tuning: \(file)") { try ScalaScale(parsing: text) }, nil)
    default:
      throw ValidationError(
        "--tuning is '\(tuning)'; choose equal, just, pythagorean, meantone, barbershop or a "
          + "Scala file, NAME.scl.")
    }
    return Tuning(temperament, a4Hz: a4Hz)
  }
}
