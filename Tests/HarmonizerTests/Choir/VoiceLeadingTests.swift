import DSP
import TestSupport
import Testing

@testable import Harmonizer
@testable import Music

@Suite struct VoiceLeadingTests {
  static func notes(_ leading: borrowing VoiceLeading) -> [Int] {
    var notes: [Int] = []
    for voice in 0..<leading.voiceCount { notes.append(leading.note(ofVoice: voice) ?? -1) }
    return notes
  }

  /// The rules tried on every possible placement. A rank is four numbers by decreasing weight, then
  /// the notes from the lowest voice up.
  static func bruteForce(
    _ chord: Chord, from last: [Int]?, _ registers: [VoiceLeading.Register],
    _ settings: Conductor.Settings
  ) -> [Int] {
    let tones = Set(chord.formula.semitones.map { (chord.root.semitones + $0) % 12 })
      .union([chord.bass.semitones])
    let candidates = registers.enumerated().map { voice, register in
      (register.lowest...register.highest).filter {
        tones.contains($0 % 12)
          && !(settings.keepsBass && voice == 0 && $0 % 12 != chord.bass.semitones)
      }
    }
    func rank(_ notes: [Int]) -> [Int] {
      var (excess, unisons, motion) = (0, 0, 0)
      for voice in notes.indices {
        let register = registers[voice]
        motion += abs(notes[voice] - (last?[voice] ?? (register.lowest + register.highest) / 2))
        guard voice > 0 else { continue }
        let gap = notes[voice] - notes[voice - 1]
        let limit = voice == 1 ? settings.bassSpacingSemitones : settings.spacingSemitones
        excess += max(0, gap - limit)
        unisons += gap == 0 ? 1 : 0
      }
      let missing = tones.subtracting(notes.map { $0 % 12 }).map { tone in
        switch (tone - chord.root.semitones + 12) % 12 {
        case 7: 1
        case 0: 2
        default: 3
        }
      }
      return [excess, missing.reduce(0, +), unisons, motion] + notes
    }
    var best: [Int]?
    func place(_ notes: [Int]) {
      guard notes.count < candidates.count else {
        let rank = rank(notes)
        if best == nil || rank.lexicographicallyPrecedes(best!) { best = rank }
        return
      }
      for note in candidates[notes.count] where note >= notes.last ?? 0 { place(notes + [note]) }
    }
    place([])
    return Array(best![4...])
  }

  /// Random choirs of one to four voices on random chords, against an exhaustive search.
  @Test(arguments: 0..<12)
  func isTheBestOfAllPlacements(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var registers: [VoiceLeading.Register] = []
    var (low, high) = (36, 48)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      low += Int.random(in: 0...7, using: &random)
      high = max(high, low + Int.random(in: 11...18, using: &random))
      registers.append(VoiceLeading.Register(low, high))
    }
    var settings = Conductor.Settings()
    settings.spacingSemitones = Int.random(in: 3...12, using: &random)
    settings.bassSpacingSemitones = Int.random(in: 5...19, using: &random)
    settings.keepsBass = Bool.random(using: &random)
    var leading = try VoiceLeading(registers, settings)
    var last: [Int]?
    for _ in 0..<8 {
      let formula = ChordFormula.all.randomElement(using: &random)!
      let root = SpelledPitch(fifths: Int.random(in: -5...6, using: &random))
      let bass = root.raised(by: formula.intervals.randomElement(using: &random)!)
      let chord = Chord(root, formula, bass: bass)
      let expected = Self.bruteForce(chord, from: last, registers, settings)
      leading.lead(to: ChordTones(chord))
      #expect(Self.notes(leading) == expected, "\(chord) from \(last ?? [])")
      last = expected
    }
  }

  /// A textbook cadence: common tones stay, the others move by step.
  @Test func aCadenceMovesByStep() throws {
    var leading = try VoiceLeading(
      [.init(55, 72), .init(57, 74), .init(60, 76)], .init { $0.bassSpacingSemitones = 12 })
    leading.lead(to: ChordTones(try Chord(named: "C")))
    let start = Self.notes(leading)
    var moved: [Int] = []
    var last = start
    for name in ["F", "G", "C"] {
      leading.lead(to: ChordTones(try Chord(named: name)))
      let notes = Self.notes(leading)
      moved.append(zip(notes, last).map { abs($0 - $1) }.reduce(0, +))
      #expect(notes == notes.sorted())
      last = notes
    }
    // C to F keeps one tone and moves the others by 1 and 2; F to G moves three by 2; G to C is
    // like the first.
    #expect(moved == [3, 6, 3])
  }

  @Test func theSameChordMovesNoVoiceAndResetStartsAgain() throws {
    var leading = try VoiceLeading(VoiceLeading.choir)
    #expect(leading.note(ofVoice: 0) == nil)
    let (c, e) = (ChordTones(try Chord(named: "Cmaj7")), ChordTones(try Chord(named: "E7b9")))
    leading.lead(to: c)
    let first = Self.notes(leading)
    leading.lead(to: c)
    #expect(Self.notes(leading) == first)
    leading.lead(to: e)
    leading.reset()
    leading.lead(to: c)
    #expect(Self.notes(leading) == first)
  }

  @Test func sixteenVoicesFindTheirNotes() throws {
    let registers = (0..<16).map { VoiceLeading.Register(36 + 2 * $0, 60 + 2 * $0) }
    var leading = try VoiceLeading(registers)
    leading.lead(to: ChordTones(try Chord(named: "C13")))
    let notes = Self.notes(leading)
    #expect(notes == notes.sorted() && Set(notes.map { $0 % 12 }).count == 6)
  }

  @Test func allocatesNothing() throws {
    let chords = [
      ChordTones(try Chord(named: "G7")), ChordTones(try Chord(named: "C")),
    ]
    let fresh = { try VoiceLeading(VoiceLeading.choir) }
    let calls = try allocatorCalls(on: fresh) { leading in
      leading.lead(to: chords[0])
      leading.lead(to: chords[1])
    }
    #expect(calls == 0)
  }

  @Test func registersThatCrossOrAreTooNarrowAreRefused() {
    for registers in [
      [], [VoiceLeading.Register(60, 70)], [.init(60, 72), .init(59, 74)],
      [.init(48, 72), .init(50, 71)], [.init(0, 127)],
    ] {
      #expect(throws: SettingsError.self) { _ = try VoiceLeading(registers) }
    }
  }
}
