import ArgumentParser
import Evaluation
import Foundation
import Harmonizer

/// Who gives the notes to the voices, and which voices there are besides.
struct HarmonizeVoices: ParsableArguments {
  private typealias Policy = VoiceAllocator.Policy

  @Option(
    help: ArgumentHelp(
      """
      Who gives notes to voices. score: beforehand, a chord from its lowest note up. led: nobody, \
      voices go from chord to chord by the least motion, without crossing. A policy: live, as keys \
      are pressed, a voice that is free, or else the one with the \(steals) note; or the \
      nearest to it, or the next in turn (nearest, roundRobin).
      """, valueName: choices))
  var allocate: String?
  @Option(
    help: "How many voices go by keys, or are led; as many as the notes, or 4.", in: 1...16)
  var voices: Int?
  @Option(help: "Range of each voice of --allocate led, from the lowest up: E2-C4,C3-G4.")
  var registers: String?
  @Option(help: "Widest distance between led voices, 12 unless given.", in: 1...127)
  var spacingSemitones: Int?
  @Option(
    help: "Widest distance of the lowest led voice from the next, 19 unless given.", in: 1...127)
  var bassSpacingSemitones: Int?
  @Flag(help: "The lowest led voice takes the chord's bass.") var keepsBass = false
  @Option(
    help: "Keys pressed that soon after a chord's first belong to it, 60 unless given.",
    in: 0...1000)
  var strumMs: Double?
  @Flag(help: "A key that sounds goes on when it is pressed again.") var noRetrigger = false
  @Flag(help: "Keys sound on until the first key of the next chord.") var latch = false
  @Option(help: "A voice more, the last but a descant, on this note always, such as C2.")
  var pedalBass: String?
  @Flag(help: "A voice more, the last, on a tone of the chord above the lead.") var descant = false

  private static let steals =
    [Policy.oldest, .newest, .lowest, .highest].map(\.rawValue).joined(separator: ", ")
  private static let choices =
    (["score", "led"] + Policy.allCases.map(\.rawValue)).joined(separator: "|")

  /// What was chosen, but for whether the notes allow it.
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

  /// The choir for a score, with what there is to choose of its music.
  func choir(singing score: Score) throws -> Harmonizer.Settings {
    var choir: Harmonizer.Settings
    do { choir = try score.choir(playing: playing()) } catch let problem as SettingError {
      throw ValidationError("--allocate, --latch, --descant: \(problem).")
    }
    guard choir.voices.count <= 16 else {
      throw ValidationError("These are \(choir.voices.count) voices; there are 16 at most.")
    }
    if let spacingSemitones { choir.music.spacingSemitones = spacingSemitones }
    if let bassSpacingSemitones { choir.music.bassSpacingSemitones = bassSpacingSemitones }
    choir.music.keepsBass = keepsBass
    if let strumMs { choir.music.strumMs = strumMs }
    choir.music.retriggers = !noRetrigger
    return choir
  }

  /// A latch, or a number of voices, asks for keys to be played live.
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
    let ofLed: [(String, Bool)] = [
      ("--registers", registers != nil), ("--spacing-semitones", spacingSemitones != nil),
      ("--bass-spacing-semitones", bassSpacingSemitones != nil), ("--keeps-bass", keepsBass),
    ]
    if !led, let (flag, _) = ofLed.first(where: \.1) {
      throw ValidationError("\(flag) is for voices that are led; add --allocate led.")
    }
    let ofKeys: [(String, Bool)] = [
      ("--strum-ms", strumMs != nil), ("--no-retrigger", noRetrigger), ("--latch", latch),
    ]
    if !keys, let (flag, _) = ofKeys.first(where: \.1) {
      throw ValidationError(
        "\(flag) is for voices that go by keys; choose a policy, such as --allocate oldest.")
    }
    if !led, !keys, voices != nil {
      throw ValidationError(
        "--voices: the score takes as many as it needs; choose a policy, such as --allocate oldest."
      )
    }
    if let registers = playing.registers, let voices, voices != registers.count {
      throw ValidationError(
        "--registers has \(registers.count) for \(voices) voices; give one for each.")
    }
  }

  /// `E2-C4,C3-G4`.
  private static func ranges(_ text: String) throws -> [VoiceLeading.Register] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { range in
      // Octaves below 0 have a sign of their own, but nobody sings there.
      let ends = range.split(separator: "-").map { $0.trimmingCharacters(in: .whitespaces) }
      guard ends.count == 2 else {
        throw ValidationError("'\(range)' is no range of notes, such as E2-C4")
      }
      return VoiceLeading.Register(
        Int(try NoteNumber(named: ends[0]).semitones), Int(try NoteNumber(named: ends[1]).semitones)
      )
    }
  }
}
