import Testing

@testable import Harmonizer
@testable import Music

@Suite struct LeadNoteTests {
  /// A hysteresis of 30 cents moves the lead from C to C# at 60.8 and back at 60.2.
  @Test func changesNotesBeyondTheHysteresisOnly() {
    var lead = LeadNote(hysteresisCents: 30, msPerStep: 1)
    let sung: [(Double?, Int?)] = [
      (nil, nil), (60.1, 60), (60.6, 60), (60.79, 60), (60.81, 61), (60.4, 61), (60.21, 61),
      (nil, 61), (60.19, 60), (72, 72),
    ]
    for (pitch, key) in sung {
      lead.next(pitch, in: .chromatic, steps: 1)
      #expect(lead.key == key)
    }
  }

  /// A vibrato of ±25 cents around the boundary between E and F crosses it twelve times a second.
  /// The note changes at most once; without hysteresis it changes at each crossing.
  @Test(arguments: [(30.0, 0...1), (0.0, 22...24)])
  func aVibratoAcrossTheMiddleDoesNotFlutter(hysteresis: Double, changes: ClosedRange<Int>) {
    var lead = LeadNote(hysteresisCents: hysteresis, msPerStep: 1)
    let cMajor = ToneSet([0, 2, 4, 5, 7, 9, 11])
    var keys: [Int] = []
    for step in 0..<2000 {
      lead.next(64.5 + 0.25 * sineOf(turns: 6 * Double(step) / 1000 + 0.1), in: cMajor, steps: 1)
      keys.append(lead.key!)
    }
    #expect(changes.contains(zip(keys, keys.dropFirst()).count { $0 != $1 }))
  }

  /// After a change of key the lead takes the nearest tone of the new key.
  @Test func aChangeOfKeyMovesTheLeadToANewTone() {
    var lead = LeadNote(hysteresisCents: 50, msPerStep: 1)
    lead.next(61, in: .chromatic, steps: 1)
    lead.next(61.2, in: ToneSet([0, 2, 4, 5, 7, 9, 11]), steps: 1)
    #expect(lead.key == 62)
  }

  /// A glide from C4 stops 22 cents short of E4 after 20 to 160 ms. At 78 cents above D# the lead
  /// is on E, though leaving a held note would need 2 cents more. In a glide of 600 ms every note
  /// on the way is held for more than 60 ms, so that E is left for only after 120 ms on it.
  @Test(arguments: [20.0, 80, 160, 600])
  func aGlideEndsOnTheNoteItStopsAt(glideMs: Double) {
    var lead = LeadNote(hysteresisCents: 30, msPerStep: 1)
    for ms in 0..<1000 {
      let share = min(1, Double(ms) / glideMs)
      lead.next(60 + 3.78 * share, in: .chromatic, steps: 1)
      if ms == 650, glideMs == 600 { #expect(lead.key == 63) }
    }
    #expect(lead.key == 64)
  }

  /// A run up by semitones, 50 ms a note, each 25 cents flat: none goes 30 cents beyond the
  /// boundary, but every note except the first is detected.
  @Test func everyNoteOfAQuickRunIsHeard() {
    var lead = LeadNote(hysteresisCents: 30, msPerStep: 1)
    lead.next(60, in: .chromatic, steps: 200)
    let rising = [61, 62, 63, 64, 65]
    var heard: [Int] = []
    for note in rising {
      for _ in 0..<50 { lead.next(Double(note) - 0.25, in: .chromatic, steps: 1) }
      heard.append(lead.key!)
    }
    // The first leaves a note that was held, so that only the next one shows that it was passed.
    #expect(heard == [60, 62, 63, 64, 65])
  }
}
