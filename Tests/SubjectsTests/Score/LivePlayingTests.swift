import DSP
import Foundation
import Harmonizer
import Music
import Testing

@testable import Subjects

/// Scores played as to a live instrument: each voice's target, from the truth log.
@Suite struct LivePlayingTests {
  /// The target of each voice as a key number at given times; `nil` in silence.
  static func told(
    _ yaml: String, at seconds: [Double], _ change: (inout LivePlaying) -> Void
  ) throws -> [[Double?]] {
    let score = try score(yaml)
    var playing = LivePlaying()
    change(&playing)
    let lead = ScoreSubjectTests.lead.signal[..<96_000]
    var choir = try ScoredChoir(
      score.choir(playing: playing), singing: score, playing: playing, sampleRateHz: 48_000,
      logging: true)
    _ = choir.render(lead, blockSize: 48)
    let log = choir.log
    let blocks = try #require(log).blocks
    return seconds.map { time in
      blocks[Int(time * 1000)].voices.map {
        $0.targetHz.map { (1000 * NoteNumber(hz: $0).semitones).rounded() / 1000 }
      }
    }
  }

  static let melody = """
    id: x
    notes:
      - {atSeconds: 0, press: [C4, G4]}
      - {atSeconds: 0.5, release: [C4, G4]}
      - {atSeconds: 1, press: [A4]}
      - {atSeconds: 1.5, press: [D4, B3]}
    """

  /// A latch holds keys through the pause, until the first key of the next chord.
  @Test func aLatchHoldsUntilTheNextChord() throws {
    let held = try Self.told(Self.melody, at: [0.3, 0.8, 1.2]) {
      $0.allocation = .keys(.oldest)
      $0.voiceCount = 2
      $0.latches = true
    }
    #expect(held == [[60, 67], [60, 67], [69, nil]])
    let loose = try Self.told(Self.melody, at: [0.3, 0.8]) {
      $0.allocation = .keys(.oldest)
      $0.voiceCount = 2
    }
    #expect(loose == [[60, 67], [nil, nil]])
  }

  /// A4 goes to a free voice: the first, or the one that sang the nearest note, G4. When D4 and B3
  /// are added, D4 takes the free voice, and B3 takes that of A4, which began before the strum.
  @Test(arguments: [
    (VoiceAllocator.Policy.oldest, [69, nil], [59.0, 62]),
    (.nearest, [nil, 69.0], [62, 59]),
  ])
  func thePolicyChoosesTheVoice(
    policy: VoiceAllocator.Policy, alone: [Double?], crowded: [Double?]
  ) throws {
    let told = try Self.told(Self.melody, at: [1.2, 1.8]) {
      $0.allocation = .keys(policy)
      $0.voiceCount = 2
    }
    #expect(told == [alone, crowded])
  }

  /// Two voices of C4 E4 G4 move by a step each for the change from C to F; the pedal voice stays on
  /// C2. The descant above the lead's C4 takes E4, the lowest tone of C a third above, and then F4,
  /// because E is no tone of F.
  @Test func ledVoicesMoveLeast() throws {
    let told = try Self.told(
      "id: x\nchords:\n  - {atSeconds: 0, chord: C}\n  - {atSeconds: 1, chord: F}",
      at: [0.5, 1.5]
    ) {
      $0.allocation = .led
      $0.registers = [.init(55, 66), .init(58, 70), .init(60, 74)]
      $0.pedalBass = 36
      $0.hasDescant = true
    }
    #expect(told == [[60, 64, 67, 36, 64], [60, 65, 69, 36, 65]])
  }

  /// Voices led by pads' chords are silent between the pads.
  @Test func padsEndForLedVoices() throws {
    let told = try Self.told(
      "id: x\npads:\n  - {atSeconds: 0.2, chord: C, forSeconds: 0.3}\n"
        + "  - {atSeconds: 1, chord: C, forSeconds: 0.2}\n"
        + "pedal:\n  - {fromSeconds: 1.1, toSeconds: 1.5}",
      at: [0.1, 0.4, 0.8, 1.4, 1.7]
    ) {
      $0.allocation = .led
      $0.voiceCount = 1
    }
    #expect(told.map { $0[0] != nil } == [false, true, false, true, false])
  }

  /// The keyboard's pedal is down as long as that of any channel.
  @Test func aChannelLiftsItsOwnPedal() {
    let downs: [(Int, Bool)] = [(1, true), (2, true), (2, false), (2, false), (1, false)]
    let played = NoteEvent.onOneKeyboard(
      downs.enumerated().map { second, pedal in
        ScoreEvent(atSeconds: Double(second), channel: pedal.0, .pedal(isDown: pedal.1))
      })
    #expect(
      played
        == [true, true, true, true, false].enumerated().map {
          NoteEvent(atSeconds: Double($0), .pedal(isDown: $1))
        })
  }

  /// Registers are valid for any number of voices.
  @Test(arguments: 1...16) func anyNumberCanBeLed(count: Int) throws {
    let registers = LivePlaying.registers(count: count)
    #expect(registers.count == count)
    try VoiceLeading.validate(registers)
  }

  @Test func whatMakesNoSenseIsRefused() throws {
    let notes = try score(Self.melody)
    let intervals = Score(id: "x", intervalsSemitones: [4])
    func problem(_ score: Score, _ change: (inout LivePlaying) -> Void) -> String {
      var playing = LivePlaying()
      change(&playing)
      do {
        _ = try score.choir(playing: playing)
        return "none"
      } catch { return error.description }
    }
    #expect(problem(intervals) { $0.allocation = .keys(.oldest) }.contains("follow the lead"))
    #expect(problem(intervals) { $0.hasDescant = true }.contains("need chords"))
    #expect(problem(notes) { $0.allocation = .led }.contains("need chords"))
    #expect(problem(notes) { $0.latches = true }.contains("a latch needs keys"))
    #expect(problem(intervals) { $0.pedalBass = 36 } == "none")
  }
}
