import ArgumentParser
import CommandSupport
import Effects
import Harmonizer
import Music
import Subjects

/// The sound of `live`: a preset, or the parts of one by flags.
struct LiveSoundOptions: ParsableArguments {
  @Option(
    help: """
      Preset by name, or JSON file of one, for everything that no flag chooses; several, \
      comma-separated, are chosen by MIDI program changes.
      """, completion: .presets)
  var preset: String?
  @Option(help: "Semitones above the lead, one for each voice, comma-separated.", eachIn: -24...24)
  var intervals: NumberList?
  @Option(help: "Chord to hold, such as C:maj7.") var chord: String?
  @Option(help: "Number of voices that sing the MIDI keys that are held; default: 4.", in: 1...16)
  var voices: Int?
  @Option(help: "Chords on pads, comma-separated, such as C:maj,A:min,F:maj,G:7.") var pads: String?
  @Option(help: "MIDI key of the first pad.", in: 0...127) var padKey = 36
  @Option(help: "Key that the lead is tuned to, such as 'A minor'.") var tune: String?
  @Option(help: "Chain of effects; see choir effects --list.") var effects: String?
  @Option(help: "Level of the dry lead; default: 1, or the preset's.", in: 0...4) var dry: Double?
  @Flag(
    help: """
      Delay the dry lead by the choir's latency, so that consonants coincide; for singers who do not \
      hear the dry lead.
      """)
  var delayedDry = false
  @Option(help: "Engine that transposes the voices: delayline, psola or vocoder.")
  var engine: String?

  @Option(
    help: """
      Parameters of effects for MIDI controllers to move over their range: NUMBER=EFFECT.PARAMETER, \
      comma-separated, such as 74=lowpass.cutoffHz,1=reverb.mix.
      """)
  var control: String?

  private static let lowestNote = 48

  /// The parameters that controllers move; each is in every preset.
  func controls() throws -> LiveControls {
    let controls = try control.map { try LiveControls(parsing: $0) } ?? LiveControls()
    for preset in try presets() { try controls.check(preset) }
    return controls
  }

  func validate() throws {
    _ = try controls()
    _ = try padChords()
  }

  /// Returns the presets to play, at least one.
  func presets() throws -> [Preset] {
    let names = preset?.split(separator: ",").map(String.init) ?? []
    let chosen = try names.map { try PresetChoice.preset(named: $0) }
    return try (chosen.isEmpty ? [Preset("live", "by flags")] : chosen).map { preset in
      var made = preset
      if let choir = try choir() {
        made.harmonizer = made.harmonizer.map { choir.sounding(like: $0) } ?? choir
      }
      if chosen.isEmpty, made.harmonizer == nil, tune == nil || hasKeys {
        made.harmonizer = Self.keyChoir(voices ?? 4)
      }
      if let dry { made.harmonizer?.dryGain = dry }
      made.harmonizer?.dryDelayed = delayedDry
      if let tune {
        made.autotuner = AutoTuner.Settings(
          target: .key(try named("--tune") { try Key(named: tune) }))
      }
      if let engine {
        guard let name = Engine.Name(rawValue: engine) else {
          throw ValidationError("--engine is '\(engine)'; choose delayline, psola or vocoder.")
        }
        made.harmonizer?.engine = Engine(name)
      }
      if let effects {
        made.effects.stages += try named("--effects") { try EffectChain(parsing: effects).stages }
      }
      do { try made.validate() } catch { throw Misuse.of(error) }
      return made
    }
  }

  private var hasKeys: Bool { voices != nil || pads != nil }

  /// Returns the choir that flags choose; `nil` leaves the preset's.
  private func choir() throws -> Harmonizer.Settings? {
    try refuseSeveral(
      ["--intervals", "--chord", voices != nil ? "--voices" : "--pads"],
      "both choose the voices; keep one.")
    if let intervals {
      guard (1...16).contains(intervals.values.count) else {
        throw ValidationError("--intervals has \(intervals.values.count) voices; choose 1 to 16.")
      }
      return Harmonizer.Settings(
        voices: intervals.values.map { .init(intervalSemitones: $0) }, dryGain: 1)
    }
    if let chord {
      let keys = try Self.keys(of: chord, "--chord")
      var choir = Harmonizer.Settings(voices: keys.map { .init(.pedal(key: $0)) })
      choir.dryGain = 1
      return choir
    }
    return hasKeys ? Self.keyChoir(voices ?? 4) : nil
  }

  /// A choir that sings the keys that are held.
  private static func keyChoir(_ count: Int) -> Harmonizer.Settings {
    var choir = Harmonizer.Settings(
      voices: Array(repeating: Harmonizer.Voice(.held), count: count), dryGain: 1)
    choir.velocityShare = 1
    return choir
  }

  /// Returns the keys of each pad.
  func padChords() throws -> [[Int]] {
    try pads?.split(separator: ",").map { try Self.keys(of: String($0), "--pads") } ?? []
  }

  private static func keys(of chord: String, _ flag: String) throws -> [Int] {
    try named(flag) {
      try Chord(named: chord.trimmingCharacters(in: .whitespaces)).notes(from: lowestNote)
    }
  }
}
