import ArgumentParser
import CommandSupport
import Foundation
import Harmonizer
import Music
import Subjects

/// The allocation of notes to voices, and additional voices.
struct HarmonizeVoices: ParsableArguments {
  private typealias Policy = VoiceAllocator.Policy

  @Option(
    help: ArgumentHelp(
      """
      Allocation of notes to voices. score: in advance, each chord from its lowest note up. led: \
      voices move from chord to chord by the least motion, without crossing. A policy allocates \
      live, as keys are pressed, to a free voice, or else takes the voice with the \(steals) \
      note, the nearest one (nearest) or the next in turn (roundRobin).
      """, valueName: choices))
  var allocate: String?
  @Option(
    help: "Number of led voices, or of voices played by keys; as many as the notes, or 4.",
    in: 1...16)
  var voices: Int?
  @Option(help: "Range of each voice of --allocate led, from the lowest up: E2-C4,C3-G4.")
  var registers: String?
  @Option(help: "Widest distance between led voices; default: 12.", in: 1...127)
  var spacingSemitones: Int?
  @Option(help: "Widest distance between the lowest two led voices; default: 19.", in: 1...127)
  var bassSpacingSemitones: Int?
  @Flag(help: "Give the chord's bass to the lowest led voice.") var keepsBass = false
  @Option(
    help: "Time after a chord's first key in which further keys belong to it; default: 60.",
    in: 0...1000)
  var strumMs: Double?
  @Flag(help: "Continue a sounding note when its key is pressed again.") var noRetrigger = false
  @Flag(help: "Hold keys until the first key of the next chord.") var latch = false
  @Option(help: "Add a voice that always sings this note, such as C2.")
  var pedalBass: String?
  @Flag(help: "Add a last voice, on a chord tone above the lead.") var descant = false

  private static let steals =
    [Policy.oldest, .newest, .lowest, .highest].map(\.rawValue).joined(separator: ", ")
  private static let choices =
    (["score", "led"] + Policy.allCases.map(\.rawValue)).joined(separator: "|")

  /// Returns the choices, without checking them against the notes.
  func playing() throws -> LivePlaying {
    var playing = LivePlaying()
    playing.allocation = try allocation()
    playing.latches = latch
    playing.hasDescant = descant
    if let voices { playing.voiceCount = voices }
    if let registers { playing.registers = try named("--registers") { try Self.ranges(registers) } }
    if let pedalBass {
      playing.pedalBass = Int(
        try named("--pedal-bass") { try NoteNumber(named: pedalBass) }.semitones)
    }
    try refuseWhatDoesNothing(playing)
    return playing
  }

  /// Returns the choir for a score, with the flags' musical settings.
  func choir(singing score: Score) throws -> Harmonizer.Settings {
    var choir: Harmonizer.Settings
    do { choir = try score.choir(playing: playing()) } catch let problem as SettingError {
      throw ValidationError("--allocate, --latch, --descant: \(problem).")
    }
    guard choir.voices.count <= 16 else {
      throw ValidationError(
        "The choir has \(choir.voices.count) voices; choose at most 16, for example by --voices.")
    }
    if let spacingSemitones { choir.music.spacingSemitones = spacingSemitones }
    if let bassSpacingSemitones { choir.music.bassSpacingSemitones = bassSpacingSemitones }
    choir.music.keepsBass = keepsBass
    if let strumMs { choir.music.strumMs = strumMs }
    choir.music.retriggers = !noRetrigger
    return choir
  }

  /// Returns the allocation; a latch or a number of voices implies that keys are played live.
  private func allocation() throws -> LivePlaying.Allocation {
    switch allocate {
    case "score": return .score
    case "led": return .led
    case nil:
      if registers != nil { return .led }
      return latch || voices != nil || strumMs != nil || noRetrigger ? .keys(.oldest) : .score
    case let name?:
      guard let policy = Policy(rawValue: name) else {
        let choices = Self.choices.split(separator: "|").joined(separator: ", ")
        throw ValidationError("--allocate is '\(name)'; choose \(choices).")
      }
      return .keys(policy)
    }
  }

  private func refuseWhatDoesNothing(_ playing: LivePlaying) throws {
    var (led, keys) = (false, false)
    switch playing.allocation {
    case .score: break
    case .keys: keys = true
    case .led: led = true
    }
    let ofLed = [
      "--registers", "--spacing-semitones", "--bass-spacing-semitones", "--keeps-bass",
    ]
    if !led, let flag = ofLed.first(where: givenFlags.contains) {
      throw ValidationError("\(flag) is for led voices; add --allocate led.")
    }
    let ofKeys = ["--strum-ms", "--no-retrigger", "--latch"]
    if !keys, let flag = ofKeys.first(where: givenFlags.contains) {
      throw ValidationError(
        "\(flag) is for voices played by keys; choose a policy, such as --allocate oldest.")
    }
    if !led, !keys, voices != nil {
      throw ValidationError(
        "--voices is for led voices and live keys; choose a policy, such as --allocate oldest."
      )
    }
    if let registers = playing.registers, let voices, voices != registers.count {
      throw ValidationError(
        "--registers has \(registers.count) ranges for \(voices) voices; give one for each voice.")
    }
  }

  /// Reads ranges such as `E2-C4,C3-G4`.
  private static func ranges(_ text: String) throws -> [VoiceLeading.Register] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { range in
      // Octaves below 0, which have a minus sign, are below every voice.
      let ends = range.split(separator: "-").map { $0.trimmingCharacters(in: .whitespaces) }
      guard ends.count == 2 else {
        throw ValidationError("'\(range)' is no range of notes; write it as E2-C4")
      }
      return VoiceLeading.Register(
        Int(try NoteNumber(named: ends[0]).semitones), Int(try NoteNumber(named: ends[1]).semitones)
      )
    }
  }
}
